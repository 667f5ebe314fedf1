//! What a run has done, table by table. It is kept when the run fails on its way, too: what has landed has landed.

use std::collections::BTreeMap;

use crate::forge::Reaction;
use crate::games::{Kind, Table, with_table};
use crate::said::Oid;
use crate::table::Status;

/// What a run has seen and done.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Every table that was looked at, and every issue without one in which something was settled, by its number.
    pub tables: BTreeMap<u64, Entry>,
    /// The last commit that the run made.
    pub commit: Option<Oid>,
}

/// One table, or one issue without a table.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The game that is played there, and how it stands in the word of the record; nothing where there is no table.
    pub game: Option<(Kind, &'static str)>,
    /// Commands that changed it.
    pub applied: u32,
    /// Commands that were refused.
    pub refused: u32,
    /// Commands that were shown something.
    pub shown: u32,
    /// Answers that were found missing and given.
    pub repaired: u32,
    /// The last commit that the run made for it.
    pub commit: Option<Oid>,
}

impl Ledger {
    /// How many commands were applied, and how many refused.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        self.tables
            .values()
            .fold((0, 0), |(applied, refused), entry| (applied + entry.applied, refused + entry.refused))
    }

    /// A table as it is now.
    pub(super) fn sees(&mut self, table: &Table) {
        let status = with_table!(table, record => record.status);
        self.entry(table.issue()).game = Some((table.kind(), word(status)));
    }

    /// A command was applied: its commit has landed.
    pub(super) fn applies(&mut self, table: u64, commit: &Oid) {
        let entry = self.entry(table);
        entry.applied += 1;
        entry.commit = Some(commit.clone());
        self.commit = Some(commit.clone());
    }

    /// A command that changes nothing was settled at a table; the reaction that it gets says how.
    pub(super) fn settles(&mut self, table: u64, reaction: Reaction) {
        let entry = self.entry(table);
        match reaction {
            Reaction::Confused => entry.refused += 1,
            Reaction::Eyes => entry.shown += 1,
            Reaction::Rocket => {}
        }
    }

    /// An answer was missing and is given.
    pub(super) fn repairs(&mut self, table: u64) {
        self.entry(table).repaired += 1;
    }

    fn entry(&mut self, table: u64) -> &mut Entry {
        self.tables.entry(table).or_default()
    }
}

/// How a table stands, as the record writes it.
fn word(status: Status) -> &'static str {
    match status {
        Status::Playing => "playing",
        Status::Won(_) => "won",
        Status::Draw => "draw",
        Status::Aborted => "aborted",
        Status::Moved(_) => "moved",
    }
}
