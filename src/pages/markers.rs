//! Markers: found in the Markdown of a page, and matched in pairs.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::games::registry::Kind;
use crate::pages::page::{MAX_PAGE, MAX_PAIRS};

/// What every marker begins with.
const NAME: &str = "play-by-commit";

/// What a pair of markers asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// The block of a table.
    Table(u64),
    /// The standings of a game, or of all games.
    Standings(Option<Kind>),
}

/// Two markers that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// What they ask for.
    pub(super) subject: Subject,
    /// Everything between them, in bytes.
    pub(super) inside: Range<usize>,
}

/// What was found on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The pairs that can be filled, in the order of the page.
    pub(super) pairs: Vec<Pair>,
    /// What is wrong with the others.
    pub(super) complaints: Vec<String>,
}

/// Half of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Begin(Subject),
    End(Word),
    /// A marker that nobody can make sense of.
    Strange(&'static str),
}

/// The word that a pair has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Table,
    Standings,
}

/// A beginning whose end has not come yet.
struct Open {
    subject: Subject,
    /// The byte behind the marker.
    from: usize,
    /// The byte where the marker begins.
    at: usize,
    /// Another pair is mixed up with this one.
    mixed: bool,
}

/// Finds the pairs of markers on a page.
pub(super) fn find(text: &str) -> Found {
    let alone = |sentence: String| Found { pairs: Vec::new(), complaints: vec![sentence] };
    if !text.as_bytes().windows(NAME.len()).any(|window| window.eq_ignore_ascii_case(NAME.as_bytes())) {
        return Found::default();
    }
    if text.len() > MAX_PAGE {
        return alone(format!("The page is longer than {MAX_PAGE} bytes, so it is left alone."));
    }
    let comments = comments(text).into_iter();
    let marks: Vec<_> = comments.filter_map(|range| Some((read(&text[range.clone()])?, range))).collect();
    if marks.len() > 2 * MAX_PAIRS {
        return alone(format!("The page has more than {MAX_PAIRS} pairs of markers, so it is left alone."));
    }
    let mut found = Found::default();
    let mut open: Vec<Open> = Vec::new();
    for (mark, range) in marks {
        let line = line(text, range.start);
        let mut complain = |sentence: String| found.complaints.push(format!("Line {line}: {sentence}"));
        match mark {
            Mark::Strange(why) => complain(why.to_owned()),
            Mark::Begin(subject) => {
                let mixed = !open.is_empty();
                if mixed {
                    complain(format!("The marker of {} stands inside another pair of markers.", subject.name()));
                }
                open.iter_mut().for_each(|outer| outer.mixed = true);
                open.push(Open { subject, from: range.end, at: range.start, mixed });
            }
            Mark::End(word) => match open.iter().rposition(|open| open.subject.word() == word) {
                None => {
                    complain(format!("The end of {} has no beginning.", word.name()));
                    open.iter_mut().for_each(|outer| outer.mixed = true);
                }
                Some(begin) => {
                    let Open { subject, from, mixed, .. } = open.remove(begin);
                    if !mixed {
                        found.pairs.push(Pair { subject, inside: from..range.start });
                    }
                }
            },
        }
    }
    let endless = open.iter().map(|Open { subject, at, .. }| {
        let (line, end) = (line(text, *at), subject.word().end());
        format!("Line {line}: The marker of {} has no end: `{end}`.", subject.name())
    });
    found.complaints.extend(endless);
    found
}

/// Every HTML comment that is none of a code block, a code span, a tag or another comment, with its signs.
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

/// The comments of a block of HTML, as a browser would find them.
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
            tag(rest)
        } else {
            Some(1)
        };
        // What has no end swallows the rest.
        let Some(length) = length else { return };
        if rest.starts_with("<!--") {
            comments.push(block.start + start..block.start + start + length);
        }
        at = start + length;
    }
}

/// How long a tag is; a `>` in quotes does not end it.
fn tag(html: &str) -> Option<usize> {
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

/// Reads a comment, with its signs, as a marker; nothing if it is some other comment.
fn read(comment: &str) -> Option<Mark> {
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
    let word = match words.next() {
        Some("table") => Word::Table,
        Some("standings") => Word::Standings,
        _ => return Some(Mark::Strange("A marker is of a `table` or of `standings`, and this one is of neither.")),
    };
    let words: Vec<&str> = words.collect();
    Some(match (ends, word) {
        (true, _) => Mark::End(word),
        (false, Word::Table) => match table(&words) {
            Some(number) => Mark::Begin(Subject::Table(number)),
            None => Mark::Strange("The marker of a table says its number: `play-by-commit:table 42`."),
        },
        (false, Word::Standings) if words.is_empty() => Mark::Begin(Subject::Standings(None)),
        (false, Word::Standings) => match Kind::meant(&words.concat()) {
            Some(kind) => Mark::Begin(Subject::Standings(Some(kind))),
            None => Mark::Strange("The marker of standings names a game that this version of play-by-commit lacks."),
        },
    })
}

fn table(words: &[&str]) -> Option<u64> {
    let [word] = words else { return None };
    let number = word.strip_prefix('#').unwrap_or(word);
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse::<u32>().ok().filter(|number| digits && *number > 0).map(u64::from)
}

/// The line of a byte, from 1.
fn line(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

impl Subject {
    fn word(self) -> Word {
        match self {
            Subject::Table(_) => Word::Table,
            Subject::Standings(_) => Word::Standings,
        }
    }

    fn name(self) -> String {
        match self {
            Subject::Table(number) => format!("table {number}"),
            Subject::Standings(_) => "the standings".to_owned(),
        }
    }
}

impl Word {
    fn name(self) -> &'static str {
        match self {
            Word::Table => "a table",
            Word::Standings => "standings",
        }
    }

    fn end(self) -> &'static str {
        match self {
            Word::Table => "<!-- /play-by-commit:table -->",
            Word::Standings => "<!-- /play-by-commit:standings -->",
        }
    }
}
