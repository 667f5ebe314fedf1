//! A parsed comment with the facts about its author and place that a decision needs.

use crate::comments::comment::{Author, CommentRef};
use crate::comments::parser::ParsedComment;
use crate::ids::CommentId;
use crate::timestamp::Timestamp;

/// A comment with its context.
#[derive(Clone, Debug)]
pub struct CommentContext {
    /// The parsed text.
    pub parsed: ParsedComment,
    /// The author of the comment.
    pub author: Author,
    /// Whether the author is an owner, a member or a collaborator of the repository.
    pub by_maintainer: bool,
    /// Whether the author opened the comment's issue.
    pub by_issue_author: bool,
    /// The place of the comment.
    pub source: CommentRef,
    /// Whether the comment's issue has a table.
    pub issue_has_table: bool,
    /// Whether the author of that issue has already tried to open a table in it, in its body or in a comment.
    pub author_tried_to_open: bool,
    /// Whether the last comment before this one is an answer by the bot that contains the newest question to the author.
    pub follows_question: bool,
    /// The author's own comment that the bot refused, if that refusal is the last comment before this one.
    pub refused_attempt: Option<Box<CommentContext>>,
    /// The time of the comment's last edit.
    pub updated_at: Timestamp,
    /// The ID of the comment up to which the thread is settled after this one. It is this comment's own ID, unless an
    /// earlier command was postponed.
    pub floor: CommentId,
    /// The random bytes for the dice of tables without a verifiable key.
    pub entropy: Entropy,
}

/// The randomness for one decision: 32 unpredictable bytes.
pub type Entropy = [u8; 32];
