//! The facts about a comment that decisions need: its author, place and time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{CommentId, IssueNumber, UserId};

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
