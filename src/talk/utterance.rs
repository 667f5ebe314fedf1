//! A comment as the decision needs it: read, with everything about its author and its place that counts.

use crate::talk::command::Reading;
use crate::talk::comment::{Author, Millis, Source};

/// A comment, as the decision needs it.
#[derive(Clone, Debug)]
pub struct Utterance {
    /// What the comment says.
    pub reading: Reading,
    /// Who wrote it.
    pub author: Author,
    /// The author is an owner, a member or a collaborator of the repository.
    pub maintainer: bool,
    /// The author has opened the issue that the comment stands in.
    pub opener: bool,
    /// Where it stands.
    pub source: Source,
    /// The issue that it stands in holds a table.
    pub at_table: bool,
    /// When its text took its present form.
    pub time: Millis,
    /// Once this comment is settled, everything in its thread is settled up to here: its own id, unless an earlier
    /// command had to be left for later.
    pub settles_through: u64,
    /// 32 bytes that nobody could foresee: the dice of tables without a key of their own are made from them.
    pub luck: Luck,
}

/// Randomness, as an argument.
pub type Luck = [u8; 32];
