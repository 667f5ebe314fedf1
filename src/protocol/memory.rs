//! The memory of a run from one read to the next.

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::view::Doubt;
use crate::tables::any::AnyTable;
use crate::talk::comment::{Author, Millis, Source};

/// The time that another run may take to answer what it has claimed: twenty seconds.
const DOUBT: Millis = 20_000;

/// The most commands of one person that a run answers without changing anything. The rest wait for a later run, so that
/// nobody can keep the others waiting.
const MOST_UNPRODUCTIVE: u32 = 20;

/// What a run knows of its own work, and how long each doubt has been there.
#[derive(Default)]
pub struct RunMemory {
    /// Commands that need no further answer: this run has answered them, or nobody ever will.
    done: BTreeSet<Source>,
    /// Claims that this run holds for certain: nobody else is about to answer.
    own_claims: BTreeSet<Source>,
    /// Issues in which the host has refused an answer for good.
    mute: BTreeSet<u64>,
    /// The time since which each doubt has been there.
    doubts: BTreeMap<Doubt, Millis>,
    /// Doubts that have been waited for long enough.
    believed: BTreeSet<Doubt>,
    /// The number of commands of each person, by user id, that have been answered without changing anything, in all threads.
    unproductive: BTreeMap<u64, u32>,
    /// The people at the limit, by user ID, of whom a command was refused only when it was carried out: the rest of their
    /// commands wait for a later run.
    left: BTreeSet<u64>,
    /// Issues that this run has tidied up, or tried to.
    tidied: BTreeSet<u64>,
    /// The last command that this run has applied at each table, and the round it belongs to.
    landed: BTreeMap<u64, (u32, Source)>,
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

    /// Returns whether a command needs no further answer.
    pub(super) fn is_done(&self, source: Source) -> bool {
        self.done.contains(&source)
    }

    /// Returns whether this run may answer a command: it holds the claim, or nobody has made use of it for long enough.
    pub(super) fn may_answer(&self, source: Source) -> bool {
        self.own_claims.contains(&source) || self.believes(Doubt::Claimed(source))
    }

    /// Returns whether a doubt has been waited for long enough.
    pub(super) fn believes(&self, doubt: Doubt) -> bool {
        self.believed.contains(&doubt)
    }

    /// Returns whether the host has refused an answer in this issue for good.
    pub(super) fn is_mute(&self, issue: u64) -> bool {
        self.mute.contains(&issue)
    }

    /// Returns whether this run has answered as many commands of a person as it may without changing anything.
    pub(super) fn is_at_limit(&self, author: &Author) -> bool {
        self.unproductive.get(&author.id).is_some_and(|answered| *answered >= MOST_UNPRODUCTIVE)
    }

    /// Returns whether all further commands of a person wait for a later run.
    pub(super) fn is_left(&self, author: &Author) -> bool {
        self.left.contains(&author.id)
    }

    /// Returns whether this run has tidied up an issue, or tried to.
    pub(super) fn is_tidied(&self, issue: u64) -> bool {
        self.tidied.contains(&issue)
    }

    /// Tests if a table lacks an event that this run has committed at it: nobody may be refused because of such a read.
    pub(super) fn is_ahead(&self, issue: u64, table: Option<&AnyTable>) -> bool {
        self.landed.get(&issue).is_some_and(|(round, source)| match table {
            None => true,
            Some(table) => table.round() < *round || table.round() == *round && !table.has_event_from(*source),
        })
    }

    /// Notes a command that needs no further answer.
    pub(super) fn finish(&mut self, source: Source) {
        self.done.insert(source);
    }

    /// Notes that nobody but this run is about to answer a command.
    pub(super) fn claim(&mut self, source: Source) {
        self.own_claims.insert(source);
    }

    /// Forgets a claim: its answer may be there, or may yet appear.
    pub(super) fn drop_claim(&mut self, source: Source) {
        self.own_claims.remove(&source);
    }

    /// Notes an issue in which the host has refused an answer for good.
    pub(super) fn mute(&mut self, issue: u64) {
        self.mute.insert(issue);
    }

    /// Notes a doubt. Returns how long it has been there, in milliseconds; `None` if it is believed now.
    pub(super) fn doubt(&mut self, doubt: Doubt, now: Millis) -> Option<Millis> {
        let age = now.saturating_sub(*self.doubts.entry(doubt).or_insert(now));
        if age >= DOUBT {
            self.believed.insert(doubt);
            return None;
        }
        Some(age)
    }

    /// Counts a command that was answered without changing anything.
    pub(super) fn count_unproductive(&mut self, author: &Author) {
        *self.unproductive.entry(author.id).or_default() += 1;
    }

    /// Leaves the rest of a person's commands to a later run.
    pub(super) fn leave(&mut self, author: &Author) {
        self.left.insert(author.id);
    }

    /// Notes an issue as tidied up.
    pub(super) fn tidy(&mut self, issue: u64) {
        self.tidied.insert(issue);
    }

    /// Notes a command that was applied at a table, in this round. The commit that landed is the claim to its answer.
    pub(super) fn land(&mut self, table: u64, round: u32, source: Source) {
        self.own_claims.insert(source);
        self.landed.insert(table, (round, source));
    }
}
