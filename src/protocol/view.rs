//! The data of one read, and the memory of a run from one read to the next.

use std::collections::{BTreeMap, BTreeSet};

use crate::tables::any::AnyTable;
use crate::talk::comment::{Author, Millis, Source};
use crate::talk::thread::{Comment, File, Head, Oid, Thread};
use crate::talk::utterance::Luck;

/// The data of one read.
pub struct View {
    /// The state branch.
    pub head: Head,
    /// The threads that were read, each with its table.
    pub threads: BTreeMap<u64, SeenThread>,
    /// The pages at the head.
    pub pages: BTreeMap<String, File>,
    /// The first comments of some of the newest issues.
    pub newest: BTreeMap<u64, Vec<Comment>>,
    /// Comments in a thread without a table count only if they are at least this new.
    pub horizon: Millis,
    /// The randomness that dice are made from where no key is committed to.
    pub luck: Luck,
    /// The time of the read of the newest page of the thread, in milliseconds since 1970-01-01 UTC.
    pub read: Millis,
}

/// A thread, and the table that its record gives.
pub struct SeenThread {
    /// The thread, with its comments back to the floor.
    pub thread: Thread,
    /// The table in it.
    pub table: Option<AnyTable>,
    /// The reason why its record cannot be used, where it is another table than the run is about.
    pub damage: Option<String>,
}

/// The reason why the record of another table cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordFault {
    /// It cannot be read; the sentence says why.
    Damaged(String),
    /// It is gone, but an answer names the commit in which it was.
    Gone(Oid),
}

/// The most commands of one person that a run answers without changing anything. The rest wait for a later run, so that
/// nobody can keep the others waiting.
const MOST_UNPRODUCTIVE: u32 = 20;

/// The memory of a run from one read to the next.
#[derive(Default)]
pub struct RunMemory {
    /// Commands that need no further answer: this run has answered them, or nobody ever will.
    pub done: BTreeSet<Source>,
    /// Claims that this run holds for certain: nobody else is about to answer.
    pub own_claims: BTreeSet<Source>,
    /// Issues that are not there (any more).
    pub gone: BTreeSet<u64>,
    /// Issues in which the host has refused an answer for good.
    pub mute: BTreeSet<u64>,
    /// Doubts that have been waited for long enough.
    pub believed: BTreeSet<Doubt>,
    /// The number of commands of each person, by user id, that have been answered without changing anything, in all threads.
    pub unproductive: BTreeMap<u64, u32>,
    /// The people at the limit, by user ID, of whom a command was refused only when it was carried out: the rest of their
    /// commands wait for a later run.
    pub left: BTreeSet<u64>,
    /// Issues that this run has tidied up, or tried to.
    pub tidied: BTreeSet<u64>,
    /// The last command that this run has applied at each table, and the round it belongs to.
    pub landed: BTreeMap<u64, (u32, Source)>,
}

/// A doubt that another run, or a later read, may still clear up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// A claim to answer this that has no answer yet.
    Claimed(Source),
    /// The record of this table is older than its answers, or than what this run itself has committed.
    Older(u64),
    /// There is no record of this table, but an answer says that there was one.
    Gone(u64),
}

impl RunMemory {
    /// Returns whether this run has answered as many commands of a person as it may without changing anything.
    pub(super) fn is_at_limit(&self, author: &Author) -> bool {
        self.unproductive.get(&author.id).is_some_and(|answered| *answered >= MOST_UNPRODUCTIVE)
    }

    /// Tests if a table lacks an event that this run has committed at it: nobody may be refused because of such a read.
    pub(super) fn is_ahead(&self, issue: u64, table: Option<&AnyTable>) -> bool {
        self.landed.get(&issue).is_some_and(|(round, source)| match table {
            None => true,
            Some(table) => table.round() < *round || table.round() == *round && !table.has_event_from(*source),
        })
    }
}
