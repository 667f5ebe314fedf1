//! The ledger of a run: its work, table by table, and the notes for its host. It is kept also when the run fails on its way:
//! commits that have landed stay.

use std::collections::BTreeMap;

use anyhow::{Error, anyhow};
use games::registry::GameKind;
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::talk::thread::Oid;

use crate::forge::Reaction;

/// The work of a run, table by table.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Every table that was looked at, and every issue without one in which something was settled, by its number.
    pub tables: BTreeMap<u64, TableWork>,
    /// The last commit that the run made.
    pub commit: Option<Oid>,
    /// The notes for the host.
    pub notes: Vec<String>,
    /// The faults that the host has to put right, though every command has had its answer.
    pub failures: Vec<String>,
    /// The number of commands of each person, by user id, that were answered without changing anything.
    pub unproductive: BTreeMap<u64, u32>,
}

/// The work at one table, or in one issue without a table.
#[derive(Clone, Debug, Default)]
pub struct TableWork {
    /// The game that is played there, and its status in the word of the record; `None` where there is no table.
    pub game: Option<(GameKind, &'static str)>,
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

/// The work of a run in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Commands that changed a table.
    pub applied: u32,
    /// Commands that were refused.
    pub refused: u32,
    /// Commands that were shown something.
    pub shown: u32,
    /// Answers that were found missing and given.
    pub repaired: u32,
    /// The notes for the host.
    pub notes: Vec<String>,
    /// The faults that the host has to put right, though every command has had its answer.
    pub failures: Vec<String>,
}

/// The number of commands that one run settles. With about three requests each they stay within what GitHub allows a workflow.
pub(super) const MAX_COMMANDS: u32 = 100;

impl Ledger {
    /// Sums up all tables.
    pub fn report(&self) -> Report {
        let mut report = Report { notes: self.notes.clone(), failures: self.failures.clone(), ..Report::default() };
        for entry in self.tables.values() {
            report.applied += entry.applied;
            report.refused += entry.refused;
            report.shown += entry.shown;
            report.repaired += entry.repaired;
        }
        report
    }

    /// Returns the number of commands that were settled in all threads.
    pub(super) fn settled_commands(&self) -> u32 {
        self.tables.values().map(|entry| entry.applied + entry.refused + entry.shown + entry.repaired).sum()
    }

    /// Notes a thread that has had its part of a sweep and may need more.
    pub(super) fn note_share_used(&mut self, issue: u64) {
        self.notes.push(format!("issue {issue} used up its share of this run; the next daily run continues there"));
    }

    /// Tests if the rest has to wait for the next run, and notes so once.
    pub(super) fn is_limit_reached(&mut self) -> bool {
        let enough = self.settled_commands() >= MAX_COMMANDS;
        let note = format!("the bot answered {MAX_COMMANDS} commands, its limit; the next run answers the rest");
        if enough && !self.notes.contains(&note) {
            self.notes.push(note);
        }
        enough
    }

    /// Adds the faults that there are to put right to the error of a run: the host sees either this or the report.
    pub(super) fn add_failures_to(&self, error: Error) -> Error {
        if self.failures.is_empty() { error } else { anyhow!("{}; {error:#}", self.failures.join("; ")) }
    }

    /// Notes a fault that the host has to put right, once.
    pub(super) fn record_failure(&mut self, failure: String) {
        if !self.failures.contains(&failure) {
            self.failures.push(failure);
        }
    }

    /// Notes a table as it is now.
    pub(super) fn record_table(&mut self, table: &AnyTable) {
        let status = with_table!(table, record => record.status());
        self.entry(table.issue()).game = Some((table.kind(), status_word(status)));
    }

    /// Notes a command that was applied: its commit has landed.
    pub(super) fn record_applied(&mut self, table: u64, commit: &Oid) {
        let entry = self.entry(table);
        entry.applied += 1;
        entry.commit = Some(commit.clone());
        self.commit = Some(commit.clone());
    }

    /// Notes a command that was settled at a table and changes nothing; its reaction says how.
    pub(super) fn record_unchanged(&mut self, table: u64, reaction: Reaction) {
        let entry = self.entry(table);
        match reaction {
            Reaction::Confused => entry.refused += 1,
            Reaction::Eyes => entry.shown += 1,
            Reaction::Rocket => {}
        }
    }

    /// Notes an answer that was missing and is given.
    pub(super) fn record_repaired(&mut self, table: u64) {
        self.entry(table).repaired += 1;
    }

    /// Notes the faults of a page, in place of those of the last look at it.
    pub(super) fn record_page(&mut self, path: &str, complaints: impl IntoIterator<Item = String>) {
        let about = format!("{path}: ");
        self.notes.retain(|note| !note.starts_with(&about));
        self.notes.extend(complaints.into_iter().map(|complaint| format!("{about}{complaint}")));
    }

    /// Notes a table whose dice can't be thrown any more.
    pub(super) fn record_lost_secret(&mut self, table: u64) {
        self.record_failure(format!(
            "table {table} can't roll its dice: the input `dice-secret` isn't the one its game started with. \
             Restore it, or end the game with `/abort`"
        ));
    }

    /// Notes an issue that takes no answer: it is locked, or full.
    pub(super) fn note_unanswerable(&mut self, issue: u64, why: &str) {
        self.notes.push(format!("the bot can't answer in issue {issue}: {why}"));
    }

    fn entry(&mut self, table: u64) -> &mut TableWork {
        self.tables.entry(table).or_default()
    }
}

/// Returns the status of a table, as the record writes it.
fn status_word(status: TableStatus) -> &'static str {
    match status {
        TableStatus::Playing => "playing",
        TableStatus::Won(_) => "won",
        TableStatus::Draw => "draw",
        TableStatus::Aborted => "aborted",
        TableStatus::Moved(_) => "moved",
    }
}
