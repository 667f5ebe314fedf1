//! The data of a conversation as a forge shows it in one read, for the protocol to decide upon.

use std::collections::BTreeMap;
use std::fmt;

use crate::talk::comment::{Author, Millis};

/// A comment in a thread. The body of the issue itself is comment 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// The comment's id (64 bits); 0 for the body of the issue.
    pub id: u64,
    /// The author; `None` when the account is gone.
    pub author: Option<Author>,
    /// Whether the author is an owner, a member or a collaborator of the repository.
    pub by_maintainer: bool,
    /// Whether the account that the bot runs as wrote it: the forge says so, or the login is the bot's.
    pub by_us: bool,
    /// The raw text as it stands now.
    pub text: String,
    /// The time at which it was written.
    pub created_at: Millis,
    /// The time at which the text took its present form.
    pub updated_at: Millis,
    /// Whether somebody else than the author gave the text its present form.
    pub edited_by_other: bool,
    /// The claims of runs to answer it.
    pub claims: Claims,
}

/// The claims to answer a comment: the reactions of the bot's account on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// A confused face: a run is about to refuse it.
    pub refusal: bool,
    /// Eyes: a run is about to show something.
    pub show: bool,
}

/// The place at which to read on in a long thread; opaque.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub String);

/// A file at the commit that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// No such file.
    Missing,
    /// The whole text of the file.
    Text(String),
    /// A file that cannot be had as text (binary, cut short by the host, not a file), with the reason as a sentence without
    /// its full stop.
    Unreadable(String),
}

impl FileContent {
    /// Returns the text; `None` if there is none to be had.
    pub fn text(&self) -> Option<&str> {
        if let FileContent::Text(text) = self { Some(text) } else { None }
    }
}

/// An issue and the record of its table, both as of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Whether only those with write access can comment.
    pub is_locked: bool,
    /// Whether it is closed.
    pub is_closed: bool,
    /// Whether somebody has opened it again after it was closed.
    pub was_reopened: bool,
    /// Whether it carries the label `play-by-commit`.
    pub has_label: bool,
    /// The number of its comments, the bot's own among them.
    pub comment_count: u64,
    /// The body of the issue, as comment 0.
    pub body: Comment,
    /// The newest comments, oldest first.
    pub comments: Vec<Comment>,
    /// The place of the comments before these; `None` where these are all.
    pub earlier_cursor: Option<Cursor>,
    /// The table's record at the head that was read.
    pub record: FileContent,
}

/// The state branch as of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// The newest commit of the branch.
    Commit(Oid),
    /// No such branch; it would be made from this commit, the default branch's newest, if there is one.
    Missing(Option<Oid>),
}

/// The result of one read: the head, and through that very commit the records, and the threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The state branch.
    pub head: Head,
    /// The threads of the issues asked for, without those that do not exist (deleted, moved away, a pull request).
    pub threads: BTreeMap<u64, Thread>,
    /// The files of the pages asked for, at the head.
    pub pages: BTreeMap<String, FileContent>,
    /// The first comments of some of the newest issues, if two issues were asked for. The last move at the second table may
    /// well have been made from one of them, and its answer is there.
    pub newest_comments: BTreeMap<u64, Vec<Comment>>,
}

/// The id of a git commit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid(String);

impl Oid {
    /// Reads 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits; `None` for any other text.
    pub fn parse(text: &str) -> Option<Oid> {
        let hex = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        (hex && matches!(text.len(), 40 | 64)).then(|| Oid(text.to_owned()))
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
