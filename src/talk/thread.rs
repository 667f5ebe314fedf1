//! What a forge shows of a conversation, as of one read: plain data, decided upon by the protocol.

use std::collections::BTreeMap;
use std::fmt;

use crate::talk::comment::{Author, Millis};

/// A comment in a thread. The body of the issue itself is comment 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The comment's id (64 bits); 0 for the body of the issue.
    pub id: u64,
    /// Nobody when the account is gone.
    pub author: Option<Author>,
    /// The author is an owner, a member or a collaborator of the repository.
    pub maintainer: bool,
    /// Written by the very account the bot runs as.
    pub ours: bool,
    /// The raw text as it stands now.
    pub text: String,
    /// When the text took its present form.
    pub time: Millis,
    /// Our own account has put a confused face or eyes on it: some run of ours has claimed the answer.
    pub claimed: bool,
}

/// Where to read on in a long thread; opaque.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub String);

/// A file at the commit that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum File {
    /// There is no such file.
    Missing,
    /// Its whole text.
    Text(String),
    /// It is there but cannot be had as text (binary, cut short by the host, not a file); the sentence, without its full stop,
    /// says why.
    Unreadable(String),
}

/// An issue and the record of its table, both as of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Nobody can answer here but those with write access.
    pub locked: bool,
    /// It carries the label `play-by-commit`.
    pub labelled: bool,
    /// How many comments it holds, ours among them.
    pub total: u64,
    /// The body of the issue, as comment 0.
    pub body: Comment,
    /// The newest comments, oldest first.
    pub comments: Vec<Comment>,
    /// Where the comments before these are, if there are any.
    pub earlier: Option<Cursor>,
    /// The table's record at the head that was read.
    pub record: File,
}

/// The state branch as of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// Its newest commit.
    At(Oid),
    /// There is no such branch; it would be made from here (the default branch's newest commit, if there is one).
    Missing(Option<Oid>),
}

/// What one read gives: the head, and through that very commit the records, and the threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The state branch.
    pub head: Head,
    /// The issues asked for, without those that do not exist (deleted, moved away, a pull request).
    pub threads: BTreeMap<u64, Thread>,
    /// The pages asked for, at the head.
    pub pages: BTreeMap<String, File>,
    /// Where two issues were asked for: the first comments of some of the newest issues. The last move at the second
    /// table may well have been made from one of them, and its answer is there.
    pub newest: BTreeMap<u64, Vec<Comment>>,
}

/// The id of a git commit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid(String);

impl Oid {
    /// Reads 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Oid> {
        let hex = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        (hex && matches!(text.len(), 40 | 64)).then(|| Oid(text.to_owned()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
