//! The numbers that identify issues, comments, people and results. Each has its own type, so they can't be mixed up.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Defines a type for one kind of number. In records it is a plain number.
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(transparent)]
        #[schemars(inline)]
        pub struct $name(u64);

        impl $name {
            /// Returns the ID with this number.
            pub const fn new(number: u64) -> Self {
                Self(number)
            }

            /// Returns the number.
            pub const fn get(self) -> u64 {
                self.0
            }

            /// Returns the next ID.
            #[must_use]
            pub const fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }

            /// Returns the ID before this one.
            #[must_use]
            pub const fn previous(self) -> Self {
                Self(self.0.saturating_sub(1))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<&$name> for game::Phrase {
            fn from(id: &$name) -> game::Phrase {
                id.to_string().into()
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<Self, ParseIntError> {
                text.parse().map(Self)
            }
        }
    };
}

define_id! {
    /// The number of an issue, which is also the number of its table.
    IssueNumber
}

define_id! {
    /// The ID of a comment in an issue. Newer comments have higher IDs.
    CommentId
}

define_id! {
    /// The ID of a person's account. It stays the same if they change their username.
    UserId
}

define_id! {
    /// The ID of a repository. It stays the same if the repository is renamed or transferred; a copy has another one.
    RepositoryId
}

define_id! {
    /// The number of a result among the results of its kind, counted from 1.
    ResultNumber
}

impl CommentId {
    /// The body of an issue, which is the first comment of its thread.
    pub const BODY: CommentId = CommentId::new(0);
}

// The IDs of commits.

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
