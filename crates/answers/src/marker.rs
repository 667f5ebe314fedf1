//! The hidden first line that identifies the bot's replies.

use game::notation::truncate_bytes;
use table::ids::IssueNumber;
use table::oid::Oid;
use table::talk::comment::Source;

/// The maximum size of a reply, in bytes. GitHub allows 65,536 characters per comment.
pub const MAX_ANSWER: usize = 60_000;

const MARKER: &str = "<!-- play-by-commit ";

/// The hidden first line of a reply: the comment it answers, and the commit it reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The comment that the reply answers.
    pub source: Source,
    /// The issue number of the table.
    pub table: IssueNumber,
    /// The commit with the record that the reply describes; `None` if nothing changed.
    pub commit: Option<Oid>,
}

impl Marker {
    /// Returns the marker as an HTML comment, without a line break.
    pub fn line(&self) -> String {
        let Source { issue, comment } = self.source;
        let commit = self.commit.as_ref().map_or(String::new(), |commit| format!(" commit={commit}"));
        format!("{MARKER}{issue}/{comment} table={}{commit} -->", self.table)
    }

    /// Parses the first line of a comment; `None` if it isn't a marker.
    ///
    /// Anyone can type a marker, so the caller must check the comment's author.
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
        if words.next().is_some() {
            return None;
        }
        Some(Marker { source, table, commit })
    }

    /// Returns the whole reply: the marker, then the text, truncated to [`MAX_ANSWER`] bytes.
    pub fn prepend_to(&self, text: &str) -> String {
        format!("{}\n{}\n", self.line(), truncate_bytes(text, MAX_ANSWER))
    }
}
