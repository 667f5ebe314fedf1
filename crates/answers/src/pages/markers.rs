//! Markers: found in the Markdown of a page, and matched in pairs.

use std::ops::Range;

use games::registry::GameKind;
use pulldown_cmark::{Event, Options, Parser, Tag};

/// The size above which a page is left alone, in bytes. GitHub hands out at most 512 KB of a file.
pub const MAX_PAGE: usize = 400_000;
/// The number of pairs of markers that a page may have.
pub const MAX_PAIRS: usize = 20;
/// The word that every marker begins with.
const NAME: &str = "play-by-commit";
/// The words of the kinds of pairs.
const TABLE: &str = "table";
const TABLES: &str = "tables";
const STANDINGS: &str = "standings";

/// The block that a pair of markers asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// The block of a table.
    Table(u64),
    /// The list of tables.
    Tables,
    /// The standings of a game, or of all games.
    Standings(Option<GameKind>),
}

/// Two markers that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MarkerPair {
    /// The block that they ask for.
    pub(super) kind: BlockKind,
    /// Everything between them, in bytes.
    pub(super) inside: Range<usize>,
}

/// The markers of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FoundMarkers {
    /// The pairs that can be filled, in the order of the page.
    pub(super) pairs: Vec<MarkerPair>,
    /// The faults of the others, as sentences for the host.
    pub(super) problems: Vec<String>,
}

/// Half of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PageMarker {
    Begin(BlockKind),
    /// The end of a pair, by the word that both halves have in common.
    End(&'static str),
    /// A marker that nobody can make sense of.
    Strange(&'static str),
}

/// A beginning whose end has not come yet.
struct OpenPair {
    subject: BlockKind,
    /// The byte behind the marker.
    from: usize,
    /// The byte where the marker begins.
    at: usize,
    /// Whether another pair is mixed up with this one.
    mixed: bool,
}

/// Finds the pairs of markers on a page.
pub(super) fn find_markers(text: &str) -> FoundMarkers {
    let alone = |sentence: String| FoundMarkers { pairs: Vec::new(), problems: vec![sentence] };
    if !text.as_bytes().windows(NAME.len()).any(|window| window.eq_ignore_ascii_case(NAME.as_bytes())) {
        return FoundMarkers::default();
    }
    if text.len() > MAX_PAGE {
        return alone(format!("The page is longer than {MAX_PAGE} bytes, so the bot doesn't change it."));
    }
    let comments = comments(text).into_iter();
    let marks: Vec<_> = comments.filter_map(|range| Some((parse_marker(&text[range.clone()])?, range))).collect();
    if marks.len() > 2 * MAX_PAIRS {
        return alone(format!("The page has more than {MAX_PAIRS} pairs of markers, so the bot doesn't change it."));
    }
    let mut found = FoundMarkers::default();
    let mut open: Vec<OpenPair> = Vec::new();
    for (mark, range) in marks {
        let line = line_number(text, range.start);
        let mut complain = |sentence: String| found.problems.push(format!("Line {line}: {sentence}"));
        match mark {
            PageMarker::Strange(why) => complain(why.to_owned()),
            PageMarker::Begin(subject) => {
                let mixed = !open.is_empty();
                if mixed {
                    complain(format!("The marker of {} is inside another pair of markers.", subject.name()));
                }
                open.iter_mut().for_each(|outer| outer.mixed = true);
                open.push(OpenPair { subject, from: range.end, at: range.start, mixed });
            }
            PageMarker::End(word) => match open.iter().rposition(|open| open.subject.word() == word) {
                None => {
                    let what = match word {
                        TABLE => "a table",
                        TABLES => "the list of tables",
                        _ => STANDINGS,
                    };
                    complain(format!("The end marker of {what} has no start marker."));
                    open.iter_mut().for_each(|outer| outer.mixed = true);
                }
                Some(begin) => {
                    let OpenPair { subject, from, mixed, .. } = open.remove(begin);
                    if !mixed {
                        found.pairs.push(MarkerPair { kind: subject, inside: from..range.start });
                    }
                }
            },
        }
    }
    let endless = open.iter().map(|OpenPair { subject, at, .. }| {
        let (line, name, word) = (line_number(text, *at), subject.name(), subject.word());
        format!("Line {line}: The marker of {name} has no end marker, `<!-- /{NAME}:{word} -->`.")
    });
    found.problems.extend(endless);
    found
}

/// Lists the HTML comments, with their signs, that are not inside a code block, a code span, a tag or another comment.
fn comments(text: &str) -> Vec<Range<usize>> {
    // A byte order mark is no part of the text; with it, the first line would be read differently.
    let from = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_GFM;
    let mut comments = Vec::new();
    for (event, range) in Parser::new_ext(&text[from..], options).into_offset_iter() {
        let range = range.start + from..range.end + from;
        match event {
            Event::InlineHtml(_) if text[range.clone()].starts_with("<!--") => comments.push(range),
            Event::Start(Tag::HtmlBlock) => comments_of(text, range, &mut comments),
            _ => {}
        }
    }
    comments
}

/// Lists the comments of a block of HTML, as a browser would find them.
fn comments_of(text: &str, block: Range<usize>, comments: &mut Vec<Range<usize>>) {
    let html = &text[block.clone()];
    let mut at = 0;
    while let Some(next) = html[at..].find('<') {
        let start = at + next;
        let rest = &html[start..];
        let length = if let Some(inner) = rest.strip_prefix("<!--") {
            // A comment can be empty in two more ways.
            let empty = ["->", ">"].into_iter().find(|end| inner.starts_with(end)).map(str::len);
            empty.or_else(|| inner.find("-->").map(|end| end + 3)).map(|length| length + 4)
        } else if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            tag_length(rest)
        } else {
            Some(1)
        };
        // A tag or comment without an end swallows the rest.
        let Some(length) = length else { return };
        if rest.starts_with("<!--") {
            comments.push(block.start + start..block.start + start + length);
        }
        at = start + length;
    }
}

/// Returns the length of a tag in bytes, of which a `>` in quotes is not the end; `None` if it has no end.
fn tag_length(html: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in html.char_indices() {
        match quote {
            Some(begun) if begun == c => quote = None,
            Some(_) => {}
            None if c == '>' => return Some(at + 1),
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None => {}
        }
    }
    None
}

/// Reads a comment, with its signs, as a marker; `None` if it is some other comment.
fn parse_marker(comment: &str) -> Option<PageMarker> {
    let inner = comment.strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    // Nothing that long is a marker.
    if inner.len() > 200 {
        return None;
    }
    let inner = inner.to_lowercase();
    let (ends, name) = match inner.strip_prefix('/') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, inner.as_str()),
    };
    let words = name.strip_prefix(NAME)?.trim_start().strip_prefix(':')?;
    let mut words = words.split_whitespace();
    let word = words.next().and_then(|word| [TABLE, TABLES, STANDINGS].into_iter().find(|known| *known == word));
    let Some(word) = word else {
        return Some(PageMarker::Strange("This marker is unknown. Use `table 42`, `tables`, or `standings`."));
    };
    let words: Vec<&str> = words.collect();
    Some(match (ends, word) {
        (true, _) => PageMarker::End(word),
        (false, TABLE) => match table_number(&words) {
            Some(number) => PageMarker::Begin(BlockKind::Table(number)),
            None => PageMarker::Strange("The marker of a table needs its number: `play-by-commit:table 42`."),
        },
        (false, TABLES) if words.is_empty() => PageMarker::Begin(BlockKind::Tables),
        (false, TABLES) => PageMarker::Strange(
            "The marker of the list of tables is just `play-by-commit:tables`, without other words.",
        ),
        (false, _) if words.is_empty() => PageMarker::Begin(BlockKind::Standings(None)),
        (false, _) => match GameKind::parse(&words.concat()) {
            Some(kind) => PageMarker::Begin(BlockKind::Standings(Some(kind))),
            None => PageMarker::Strange(
                "The marker of the standings names a game that this version of play-by-commit doesn't have.",
            ),
        },
    })
}

fn table_number(words: &[&str]) -> Option<u64> {
    let [word] = words else { return None };
    let number = word.strip_prefix('#').unwrap_or(word);
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse::<u32>().ok().filter(|number| digits && *number > 0).map(u64::from)
}

/// Returns the line of a byte, from 1.
fn line_number(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

impl BlockKind {
    fn word(self) -> &'static str {
        match self {
            BlockKind::Table(_) => TABLE,
            BlockKind::Tables => TABLES,
            BlockKind::Standings(_) => STANDINGS,
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
