//! Finds markers in the Markdown of a page and pairs them.

use std::ops::Range;

use games::GameVariant;
use pulldown_cmark::{Event, Options, Parser, Tag};
use table::IssueNumber;

/// The maximum size of a page, in bytes. GitHub's API returns at most 512 KB of a file.
pub const MAX_PAGE: usize = 400_000;
/// The maximum number of marker pairs on a page.
pub const MAX_PAIRS: usize = 20;
/// The prefix of every marker.
const PREFIX: &str = "play-by-commit";
/// The keyword of a table's block.
const TABLE_KEYWORD: &str = "table";
/// The keyword of the list of tables.
const TABLES_KEYWORD: &str = "tables";
/// The keyword of the standings.
const STANDINGS_KEYWORD: &str = "standings";

/// The kind of block that a pair of markers asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// The block of a table.
    Table(IssueNumber),
    /// The list of tables.
    Tables,
    /// The standings of one game, or of all games (`None`).
    Standings(Option<GameVariant>),
}

/// A start marker with its end marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MarkerPair {
    /// The block that they ask for.
    pub(super) kind: BlockKind,
    /// The byte range between them.
    pub(super) inside: Range<usize>,
}

/// The markers of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FoundMarkers {
    /// The valid pairs, in page order.
    pub(super) pairs: Vec<MarkerPair>,
    /// Problems with other markers, as sentences for the host.
    pub(super) problems: Vec<String>,
}

/// A start or end marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PageMarker {
    Start(BlockKind),
    /// An end marker, with its keyword.
    End(&'static str),
    /// An invalid marker, with a sentence for the host.
    Invalid(&'static str),
}

/// A start marker whose end marker hasn't been found yet.
struct OpenPair {
    kind: BlockKind,
    /// The byte offset after the marker.
    inside_start: usize,
    /// The byte offset of the marker.
    marker_start: usize,
    /// Whether it overlaps another pair.
    is_overlapping: bool,
}

/// Finds the marker pairs on a page.
pub(super) fn find_markers(text: &str) -> FoundMarkers {
    let only_problem = |sentence: String| FoundMarkers { pairs: Vec::new(), problems: vec![sentence] };
    if !text.as_bytes().windows(PREFIX.len()).any(|window| window.eq_ignore_ascii_case(PREFIX.as_bytes())) {
        return FoundMarkers::default();
    }
    if text.len() > MAX_PAGE {
        return only_problem(format!("The page is longer than {MAX_PAGE} bytes, so the bot doesn't change it."));
    }
    let html_comments = html_comments(text).into_iter();
    let markers: Vec<_> =
        html_comments.filter_map(|range| Some((parse_marker(&text[range.clone()])?, range))).collect();
    if markers.len() > 2 * MAX_PAIRS {
        return only_problem(format!(
            "The page has more than {MAX_PAIRS} pairs of markers, so the bot doesn't change it."
        ));
    }
    let mut found = FoundMarkers::default();
    let mut open: Vec<OpenPair> = Vec::new();
    for (marker, range) in markers {
        let line = line_number(text, range.start);
        let mut report = |sentence: String| found.problems.push(format!("Line {line}: {sentence}"));
        match marker {
            PageMarker::Invalid(problem) => report(problem.to_owned()),
            PageMarker::Start(kind) => {
                let is_overlapping = !open.is_empty();
                if is_overlapping {
                    report(format!("The marker of {} is inside another pair of markers.", kind.name()));
                }
                open.iter_mut().for_each(|outer| outer.is_overlapping = true);
                open.push(OpenPair { kind, inside_start: range.end, marker_start: range.start, is_overlapping });
            }
            PageMarker::End(keyword) => match open.iter().rposition(|open| open.kind.keyword() == keyword) {
                None => {
                    let what = match keyword {
                        TABLE_KEYWORD => "a table",
                        TABLES_KEYWORD => "the list of tables",
                        _ => STANDINGS_KEYWORD,
                    };
                    report(format!("The end marker of {what} has no start marker."));
                    open.iter_mut().for_each(|outer| outer.is_overlapping = true);
                }
                Some(index) => {
                    let OpenPair { kind, inside_start, is_overlapping, .. } = open.remove(index);
                    if !is_overlapping {
                        found.pairs.push(MarkerPair { kind, inside: inside_start..range.start });
                    }
                }
            },
        }
    }
    let unclosed = open.iter().map(|OpenPair { kind, marker_start, .. }| {
        let (line, name, keyword) = (line_number(text, *marker_start), kind.name(), kind.keyword());
        format!("Line {line}: The marker of {name} has no end marker, `<!-- /{PREFIX}:{keyword} -->`.")
    });
    found.problems.extend(unclosed);
    found
}

/// Returns the byte ranges of HTML comments that aren't in a code block, code span, tag, or another comment.
fn html_comments(text: &str) -> Vec<Range<usize>> {
    // Skip a byte order mark, which would change how the first line parses.
    let from = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_GFM;
    let mut html_comments = Vec::new();
    for (event, range) in Parser::new_ext(&text[from..], options).into_offset_iter() {
        let range = range.start + from..range.end + from;
        match event {
            Event::InlineHtml(_) if text[range.clone()].starts_with("<!--") => html_comments.push(range),
            Event::Start(Tag::HtmlBlock) => collect_comments(text, range, &mut html_comments),
            _ => {}
        }
    }
    html_comments
}

/// Collects the comments in an HTML block, as a browser would parse it.
fn collect_comments(text: &str, block: Range<usize>, html_comments: &mut Vec<Range<usize>>) {
    let html = &text[block.clone()];
    let mut at = 0;
    while let Some(next) = html[at..].find('<') {
        let start = at + next;
        let rest = &html[start..];
        let length = if let Some(inner) = rest.strip_prefix("<!--") {
            // `<!-->` and `<!--->` are complete comments.
            let empty = ["->", ">"].into_iter().find(|end| inner.starts_with(end)).map(str::len);
            empty.or_else(|| inner.find("-->").map(|end| end + 3)).map(|length| length + 4)
        } else if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            tag_length(rest)
        } else {
            Some(1)
        };
        // An unclosed tag or comment swallows the rest.
        let Some(length) = length else { return };
        if rest.starts_with("<!--") {
            html_comments.push(block.start + start..block.start + start + length);
        }
        at = start + length;
    }
}

/// Returns the length of a tag in bytes, ignoring `>` in quotes; `None` if it is unclosed.
fn tag_length(html: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in html.char_indices() {
        match quote {
            Some(opening) if opening == c => quote = None,
            Some(_) => {}
            None if c == '>' => return Some(at + 1),
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None => {}
        }
    }
    None
}

/// Parses an HTML comment as a marker; `None` if it is another comment.
fn parse_marker(comment: &str) -> Option<PageMarker> {
    let inner = comment.strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    // No marker is this long.
    if inner.len() > 200 {
        return None;
    }
    let inner = inner.to_lowercase();
    let (is_end, name) = match inner.strip_prefix('/') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, inner.as_str()),
    };
    let words = name.strip_prefix(PREFIX)?.trim_start().strip_prefix(':')?;
    let mut words = words.split_whitespace();
    let keywords = [TABLE_KEYWORD, TABLES_KEYWORD, STANDINGS_KEYWORD];
    let keyword = words.next().and_then(|word| keywords.into_iter().find(|keyword| *keyword == word));
    let Some(keyword) = keyword else {
        return Some(PageMarker::Invalid("This marker is unknown. Use `table 42`, `tables`, or `standings`."));
    };
    let words: Vec<&str> = words.collect();
    Some(match (is_end, keyword) {
        (true, _) => PageMarker::End(keyword),
        (false, TABLE_KEYWORD) => match table_number(&words) {
            Some(number) => PageMarker::Start(BlockKind::Table(number)),
            None => PageMarker::Invalid("The marker of a table needs its number: `play-by-commit:table 42`."),
        },
        (false, TABLES_KEYWORD) if words.is_empty() => PageMarker::Start(BlockKind::Tables),
        (false, TABLES_KEYWORD) => PageMarker::Invalid(
            "The marker of the list of tables is just `play-by-commit:tables`, without other words.",
        ),
        (false, _) if words.is_empty() => PageMarker::Start(BlockKind::Standings(None)),
        (false, _) => match GameVariant::parse(&words.concat()) {
            Some(game) => PageMarker::Start(BlockKind::Standings(Some(game))),
            None => PageMarker::Invalid(
                "The marker of the standings names a game that this version of play-by-commit doesn't have.",
            ),
        },
    })
}

fn table_number(words: &[&str]) -> Option<IssueNumber> {
    let [word] = words else { return None };
    let number = word.strip_prefix('#').unwrap_or(word);
    // `parse` would accept a plus sign.
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    number.parse::<u32>().ok().filter(|number| *number > 0).map(|number| IssueNumber::new(u64::from(number)))
}

/// Returns the line number of a byte offset, from 1.
fn line_number(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

impl BlockKind {
    fn keyword(self) -> &'static str {
        match self {
            BlockKind::Table(_) => TABLE_KEYWORD,
            BlockKind::Tables => TABLES_KEYWORD,
            BlockKind::Standings(_) => STANDINGS_KEYWORD,
        }
    }

    fn name(self) -> String {
        match self {
            BlockKind::Table(number) => format!("table {number}"),
            BlockKind::Tables => "the list of tables".to_owned(),
            BlockKind::Standings(_) => "the standings".to_owned(),
        }
    }
}
