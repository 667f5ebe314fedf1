//! The data of a conversation, as the forge returns it in one read.

use std::collections::BTreeMap;
use std::fmt;

use crate::talk::comment::{Author, Millis};

/// A comment in a thread. The body of the issue itself is comment 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// The comment's id (64 bits); 0 for the body of the issue.
    pub id: u64,
    /// The author; `None` if the account was deleted.
    pub author: Option<Author>,
    /// Whether the author is an owner, a member or a collaborator of the repository.
    pub by_maintainer: bool,
    /// Whether the bot's own account wrote it, according to the forge or by its username.
    pub by_us: bool,
    /// The raw text.
    pub text: String,
    /// The time at which it was posted.
    pub created_at: Millis,
    /// The time of the last edit.
    pub updated_at: Millis,
    /// Whether someone other than the author made the last edit.
    pub edited_by_other: bool,
    /// The workflow runs' claims to answer it.
    pub claims: Claims,
}

/// Claims to answer a comment: reactions by the bot's account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// A confused face: a run is about to refuse the command.
    pub refusal: bool,
    /// Eyes: a run is about to show something.
    pub show: bool,
}

/// An opaque cursor for reading more of a long thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub String);

/// A file at the commit that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// The file doesn't exist.
    Missing,
    /// The complete text of the file.
    Text(String),
    /// A file without readable text (binary, truncated by the forge, or not a file). The reason is a sentence without its
    /// period.
    Unreadable(String),
}

impl FileContent {
    /// Returns the text of a readable file.
    pub fn text(&self) -> Option<&str> {
        if let FileContent::Text(text) = self { Some(text) } else { None }
    }
}

/// An issue and its table's record, both from the same read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Whether only people with write access can comment.
    pub is_locked: bool,
    /// Whether it is closed.
    pub is_closed: bool,
    /// Whether someone reopened it after it was closed.
    pub was_reopened: bool,
    /// Whether it has the label `play-by-commit`.
    pub has_label: bool,
    /// The title of the issue, which others may change.
    pub title: String,
    /// The number of comments, including the bot's own.
    pub comment_count: u64,
    /// The body of the issue, as comment 0.
    pub body: Comment,
    /// The newest comments, oldest first.
    pub comments: Vec<Comment>,
    /// When somebody last deleted a comment here; `None` if nobody has.
    pub last_deletion: Option<Millis>,
    /// The cursor for the comments before these; `None` if there are no more.
    pub earlier_cursor: Option<Cursor>,
    /// The table's record at the head that was read.
    pub record: FileContent,
}

/// The state branch, as of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// The newest commit of the branch.
    Commit(Oid),
    /// The branch doesn't exist. The bot would create it from this commit, the newest on the default branch, if there is
    /// one.
    Missing(Option<Oid>),
}

/// The result of one read: the head, the records at that commit, and the threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The state branch.
    pub head: Head,
    /// The requested threads, without issues that don't exist: deleted, transferred, or a pull request.
    pub threads: BTreeMap<u64, Thread>,
    /// The requested pages' files at the head.
    pub pages: BTreeMap<String, FileContent>,
    /// The first comments of some of the newest issues, if two issues were requested. The last move at the second table may
    /// have been made from one of them, and its answer is there.
    pub newest_comments: BTreeMap<u64, Vec<Comment>>,
}

/// The id of a git commit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid(String);

impl Oid {
    /// Parses 40 (SHA-1) or 64 (SHA-256) lowercase hexadecimal digits; `None` for any other text.
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
