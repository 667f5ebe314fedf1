//! The memory of a run from one read to the next.

use std::collections::{BTreeMap, BTreeSet};

use table::any_table::AnyTable;
use table::talk::comment::{Author, Millis, Source};

use crate::view::Uncertainty;

/// The time that another run may take to answer what it has claimed: twenty seconds.
const CONFIRM_AFTER: Millis = 20_000;

/// The most commands of one person that a run answers without changing anything. The rest wait for a later run, so that
/// nobody can keep the others waiting.
const MAX_UNPRODUCTIVE: u32 = 20;

/// A fact that a run need not find out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// The command needs no further answer: this run has answered it, or nobody ever will.
    Done(Source),
    /// This run holds the claim for certain: nobody else is about to answer the command.
    OwnClaim(Source),
    /// The host has refused an answer in this issue for good.
    Unanswerable(u64),
    /// The doubt has been waited for long enough.
    Confirmed(Uncertainty),
    /// A person at the limit, by user ID, of whom a command was refused only when it was carried out: the rest of their
    /// commands wait for a later run.
    Deferred(u64),
    /// This run has tidied the issue up, or tried to.
    IssueUpdated(u64),
}

/// What a run knows of its own work, and how long each doubt has been there.
#[derive(Default)]
pub struct RunMemory {
    facts: BTreeSet<Fact>,
    /// The time since which each doubt has been there.
    uncertain_since: BTreeMap<Uncertainty, Millis>,
    /// The number of commands of each person, by user id, that have been answered without changing anything, in all threads.
    unproductive: BTreeMap<u64, u32>,
    /// The last command that this run has applied at each table, and the round it belongs to.
    applied: BTreeMap<u64, (u32, Source)>,
}

impl RunMemory {
    /// Returns the memory of a run that goes on from these numbers of commands without a change, by user ID.
    pub(super) fn new(unproductive: BTreeMap<u64, u32>) -> RunMemory {
        RunMemory { unproductive, ..RunMemory::default() }
    }

    /// Returns the number of commands of each person that were answered without changing anything, by user ID.
    pub(super) fn into_unproductive(self) -> BTreeMap<u64, u32> {
        self.unproductive
    }

    pub(super) fn knows(&self, fact: Fact) -> bool {
        self.facts.contains(&fact)
    }

    pub(super) fn note(&mut self, fact: Fact) {
        self.facts.insert(fact);
    }

    pub(super) fn forget(&mut self, fact: Fact) {
        self.facts.remove(&fact);
    }

    /// Returns whether this run may answer a command: it holds the claim, or nobody has made use of it for long enough.
    pub(super) fn may_answer(&self, source: Source) -> bool {
        self.knows(Fact::OwnClaim(source)) || self.knows(Fact::Confirmed(Uncertainty::Claimed(source)))
    }

    /// Returns whether this run has answered as many commands of a person as it may without changing anything.
    pub(super) fn is_at_limit(&self, author: &Author) -> bool {
        self.unproductive.get(&author.id).is_some_and(|answered| *answered >= MAX_UNPRODUCTIVE)
    }

    /// Tests if a table lacks an event that this run has committed at it: nobody may be refused because of such a read.
    pub(super) fn is_ahead(&self, issue: u64, table: Option<&AnyTable>) -> bool {
        self.applied.get(&issue).is_some_and(|(round, source)| match table {
            None => true,
            Some(table) => table.round() < *round || table.round() == *round && !table.has_event_from(*source),
        })
    }

    /// Notes a doubt. Returns how long it has been there, in milliseconds; `None` if it is believed now.
    pub(super) fn note_uncertainty(&mut self, doubt: Uncertainty, now: Millis) -> Option<Millis> {
        let age = now.saturating_sub(*self.uncertain_since.entry(doubt).or_insert(now));
        if age >= CONFIRM_AFTER {
            self.note(Fact::Confirmed(doubt));
            return None;
        }
        Some(age)
    }

    /// Counts a command that was answered without changing anything.
    pub(super) fn count_unproductive(&mut self, author: &Author) {
        *self.unproductive.entry(author.id).or_default() += 1;
    }

    /// Notes a command that was applied at a table, in this round. The commit that landed is the claim to its answer.
    pub(super) fn note_applied(&mut self, table: u64, round: u32, source: Source) {
        self.note(Fact::OwnClaim(source));
        self.applied.insert(table, (round, source));
    }
}
