//! The facts about a comment that decisions need: its author, place and time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest username, in characters.
const MAX_LOGIN: usize = 100;

/// A point in time, in milliseconds since 1970-01-01 UTC, or a duration in milliseconds.
pub type Millis = u64;

/// The place of a comment: its issue, and its id in that issue; 0 for the issue's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The number of the issue.
    pub issue: u64,
    /// The comment's id (64 bits); 0 is the issue's body.
    pub comment: u64,
}

/// The author of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The numeric user id, which identifies the author.
    pub id: u64,
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
