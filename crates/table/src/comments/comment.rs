//! The facts about a comment that decisions need: its author, place and time.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CommentId, IssueNumber, ParsedComment, Refusal, Timestamp, UserId};

/// The longest username, in characters.
const MAX_LOGIN: usize = 100;

/// The place of a comment: its issue, and its id in that issue; 0 for the issue's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentRef {
    /// The number of the issue.
    pub issue: IssueNumber,
    /// The comment's id (64 bits); 0 is the issue's body.
    pub comment: CommentId,
}

impl CommentRef {
    /// Returns the place of an issue's body.
    pub const fn body_of(issue: IssueNumber) -> CommentRef {
        CommentRef { issue, comment: CommentId::BODY }
    }

    /// Whether it is the body of its issue.
    pub fn is_body(self) -> bool {
        self.comment == CommentId::BODY
    }
}

/// The author of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The numeric user ID, which identifies the author.
    pub id: UserId,
    /// The username, for display only.
    pub login: String,
    /// Whether it is an app or a machine account.
    pub is_bot: bool,
}

/// Whether a text can be a username: letters, digits, `-` and `_`, as on GitHub and GitHub Enterprise Server.
pub fn is_login(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.len() <= MAX_LOGIN && text.chars().all(allowed)
}

// A parsed comment with the facts about its author and place that a decision needs.

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
    /// Whether the last comment by somebody else before this one is an answer by the bot that contains the newest question to the
    /// author.
    pub follows_question: bool,
    /// The author's last comment before this one that the bot answered, if it refused it.
    pub refused_attempt: Option<Box<RefusedAttempt>>,
    /// Whether the author has named a piece by its French letter before, such as `Te1`. For them, `R` may be the king.
    pub uses_french_letters: bool,
    /// The time of the comment's last edit.
    pub updated_at: Timestamp,
    /// The ID of the comment up to which the thread is settled after this one. It is this comment's own ID, unless an
    /// earlier command was postponed.
    pub settled_through: CommentId,
    /// The random bytes for the dice of tables without a verifiable key.
    pub entropy: Entropy,
}

/// A comment that the bot refused before a later one of the same author.
#[derive(Clone, Debug)]
pub struct RefusedAttempt {
    /// The comment with its context.
    pub context: CommentContext,
    /// Whether somebody else has commented between the refusal and the later comment.
    pub is_interrupted: bool,
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
            uses_french_letters: _,
            updated_at,
            settled_through: _,
            entropy: _,
        } = self;
        let has_same_attempt = match (refused_attempt, &other.refused_attempt) {
            (Some(attempt), Some(other)) => {
                attempt.is_interrupted == other.is_interrupted && attempt.context.is_read_like(&other.context)
            }
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

// The round and turn in a `/move` that a link filled in: `(round 1, turn 8)`.

/// The turn at which a page shows a game. Offers and other events that leave the position as it is don't count, so the
/// links on the page stay valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The round.
    pub round: u32,
    /// The number of the next move or takeback in the round, from 1.
    pub number: usize,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(round {}, turn {})", self.round, self.number)
    }
}
