//! The hidden first line by which answers are recognised.

use game::notation::truncate_bytes;
use table::talk::comment::Source;
use table::talk::thread::Oid;

/// The most bytes of an answer. A comment holds 65,536 characters.
pub const MAX_ANSWER: usize = 60_000;

const MARKER: &str = "<!-- play-by-commit ";

/// The hidden first line of an answer: what it answers and, where something was accepted, a commit that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The comment that is answered.
    pub source: Source,
    /// The table that it was decided at.
    pub table: u64,
    /// A commit with the record that the answer speaks of; `None` if it tells of no change.
    pub commit: Option<Oid>,
}

impl Marker {
    /// Returns the first line of an answer.
    pub fn line(&self) -> String {
        let Source { issue, comment } = self.source;
        let commit = self.commit.as_ref().map_or(String::new(), |commit| format!(" commit={commit}"));
        format!("{MARKER}{issue}/{comment} table={}{commit} -->", self.table)
    }

    /// Reads the first line of a comment; `None` if it is no marker. Anyone can type one, so the caller has to check the
    /// comment's author.
    pub fn parse(text: &str) -> Option<Marker> {
        let line = text.lines().next()?.trim_end();
        let mut words = line.strip_prefix(MARKER)?.strip_suffix(" -->")?.split(' ');
        let (issue, comment) = words.next()?.split_once('/')?;
        let source = Source { issue: issue.parse().ok()?, comment: comment.parse().ok()? };
        let table = words.next()?.strip_prefix("table=")?.parse().ok()?;
        let commit = match words.next() {
            None => None,
            Some(word) => Some(Oid::parse(word.strip_prefix("commit=")?)?),
        };
        words.next().is_none().then_some(Marker { source, table, commit })
    }

    /// Returns a whole answer: the marker, then the text, cut where it would be too long for a comment.
    pub fn prepend_to(&self, text: &str) -> String {
        format!("{}\n{}\n", self.line(), truncate_bytes(text, MAX_ANSWER))
    }
}
