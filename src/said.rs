//! Who says what, where and when: the facts about a comment that the core needs.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// Whoever wrote a comment, as the forge knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The numeric id: the identity.
    pub id: u64,
    /// The login: for showing, never for comparing.
    pub login: String,
    /// An app or a machine account, not a person.
    pub bot: bool,
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
