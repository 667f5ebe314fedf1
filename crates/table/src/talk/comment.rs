//! The facts about a comment that the core needs: its author, its place and its time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most characters of a login.
const MAX_LOGIN: usize = 100;

/// Milliseconds since 1970-01-01 UTC.
pub type Millis = u64;

/// A comment's place: an issue and the comment's id in it, 0 for the issue's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The number of the issue.
    pub issue: u64,
    /// The id of the comment (64 bits); 0 is the body of the issue.
    pub comment: u64,
}

/// The author of a comment, as the forge knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The numeric id: the identity.
    pub id: u64,
    /// The login: for showing, never for comparing.
    pub login: String,
    /// Whether it is an app or a machine account.
    pub is_bot: bool,
}

/// Tests if a text can be a login: letters, digits, `-` and `_`, as GitHub and its Enterprise Server have them.
pub fn is_login(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.len() <= MAX_LOGIN && text.chars().all(allowed)
}
