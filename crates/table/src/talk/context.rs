//! A comment as the decision needs it: read, with everything about its author and its place that counts.

use crate::talk::command::ParsedComment;
use crate::talk::comment::{Author, Millis, Source};

/// A comment, as the decision needs it.
#[derive(Clone, Debug)]
pub struct CommentContext {
    /// The reading of its text.
    pub parsed: ParsedComment,
    /// The author of the comment.
    pub author: Author,
    /// Whether the author is an owner, a member or a collaborator of the repository.
    pub by_maintainer: bool,
    /// Whether the author has opened the issue that the comment stands in.
    pub by_issue_author: bool,
    /// The place of the comment.
    pub source: Source,
    /// Whether the issue that it stands in holds a table.
    pub issue_has_table: bool,
    /// Whether the author of that issue has tried to open a table in it before, in its body or in a comment.
    pub attempted_new: bool,
    /// The time at which its text took its present form.
    pub updated_at: Millis,
    /// The comment id up to which its thread is settled once this comment is: its own id, unless an earlier command had to
    /// be left for later.
    pub settles_through: u64,
    /// The bytes that the dice of tables without a key of their own are made from.
    pub entropy: Entropy,
}

/// The randomness of one decision, as an argument: 32 bytes that nobody could foresee.
pub type Entropy = [u8; 32];
