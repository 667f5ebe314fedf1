//! A parsed comment with the facts about its author and place that a decision needs.

use crate::comments::comment::{Author, CommentRef};
use crate::comments::parser::ParsedComment;
use crate::decisions::refusal::Refusal;
use crate::ids::{CommentId, IssueNumber};
use crate::timestamp::Timestamp;

/// A comment with its context.
#[derive(Clone, Debug)]
pub struct CommentContext {
    /// The parsed text.
    pub parsed: ParsedComment,
    /// The author of the comment.
    pub author: Author,
    /// The author's permission in the repository; `None` if it isn't known.
    pub permission: Option<Permission>,
    /// Whether the author opened the comment's issue.
    pub by_issue_author: bool,
    /// The place of the comment.
    pub source: CommentRef,
    /// The table that the comment is for: the one in its issue, unless it names another one.
    pub table: IssueNumber,
    /// Whether the comment's issue has a table.
    pub issue_has_table: bool,
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

/// A person's permission in a repository, with GitHub's names for its roles, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// They can read, like anyone in a public repository.
    Read,
    /// They manage issues.
    Triage,
    /// They can push. This is what makes a maintainer.
    Write,
}

impl CommentContext {
    /// Checks that the author has a permission.
    ///
    /// # Errors
    /// Returns `refusal` if the author lacks it, and [`Refusal::UnknownPermission`] if nobody knows.
    pub(crate) fn require(&self, needed: Permission, refusal: impl Into<Refusal>) -> Result<(), Refusal> {
        match self.permission {
            Some(permission) if permission >= needed => Ok(()),
            Some(_) => Err(refusal.into()),
            None => Err(Refusal::UnknownPermission),
        }
    }

    /// Whether a comment means the same as another one at the same table: they differ at most in what only a decision needs.
    pub fn is_read_like(&self, other: &CommentContext) -> bool {
        let CommentContext {
            parsed,
            author,
            permission,
            by_issue_author,
            source,
            table,
            issue_has_table,
            follows_question,
            refused_attempt,
            updated_at,
            floor: _,
            entropy: _,
        } = self;
        let has_same_attempt = match (refused_attempt, &other.refused_attempt) {
            (Some(attempt), Some(other)) => attempt.is_read_like(other),
            (attempt, other) => attempt.is_none() && other.is_none(),
        };
        has_same_attempt
            && (source, updated_at, author, parsed) == (&other.source, &other.updated_at, &other.author, &other.parsed)
            && (table, permission, by_issue_author) == (&other.table, &other.permission, &other.by_issue_author)
            && *issue_has_table == other.issue_has_table
            && *follows_question == other.follows_question
    }
}

/// The randomness for one decision: 32 unpredictable bytes.
pub type Entropy = [u8; 32];
