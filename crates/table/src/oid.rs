//! The IDs of commits.

use std::fmt;

/// The ID of a git commit.
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
