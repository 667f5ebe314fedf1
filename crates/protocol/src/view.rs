//! The data of one read.

use std::collections::{BTreeMap, BTreeSet};

use table::any_table::AnyTable;
use table::talk::comment::{Millis, Source};
use table::talk::context::Entropy;
use table::talk::thread::{Comment, FileContent, Head, Oid, Thread};

/// The data of one read.
pub struct View {
    /// The state branch.
    pub head: Head,
    /// The threads that were read, each with its table.
    pub threads: BTreeMap<u64, ThreadView>,
    /// The pages at the head.
    pub pages: BTreeMap<String, FileContent>,
    /// The first comments of some of the newest issues.
    pub newest_issues: BTreeMap<u64, Vec<Comment>>,
    /// Issues that are not there (any more).
    pub missing_issues: BTreeSet<u64>,
    /// Comments in a thread without a table count only if they are at least this new.
    pub cutoff: Millis,
    /// The randomness that dice are made from where no key is committed to.
    pub entropy: Entropy,
    /// The time of the read of the newest page of the thread, in milliseconds since 1970-01-01 UTC.
    pub read_at: Millis,
    /// Whether the read is older than something that it was to show.
    pub is_stale: bool,
}

/// A thread, and the table that its record gives.
pub struct ThreadView {
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
    Missing(Oid),
}

/// A doubt that another run, or a later read, may still clear up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uncertainty {
    /// A claim to answer this that has no answer yet.
    Claimed(Source),
    /// The record of this table is older than its answers, or than what this run itself has committed.
    StaleRecord(u64),
    /// There is no record of this table, but an answer says that there was one.
    MissingRecord(u64),
}

impl View {
    /// Returns the table in a thread.
    pub(super) fn table(&self, issue: u64) -> Option<&AnyTable> {
        self.threads.get(&issue)?.table.as_ref()
    }

    /// Returns the commit that the state branch is at.
    pub(super) fn head_commit(&self) -> Option<&Oid> {
        if let Head::Commit(oid) = &self.head { Some(oid) } else { None }
    }

    /// Adds the threads of another read, which makes this one no newer. Returns false if the branch has moved meanwhile:
    /// nothing may be decided on a head that its record was not read through.
    #[must_use]
    pub(super) fn merge(&mut self, read: View) -> bool {
        self.threads.extend(read.threads);
        self.missing_issues = read.missing_issues;
        read.head == self.head
    }

    /// Puts in what a commit has changed.
    pub(super) fn apply_commit(&mut self, commit: Oid, tables: impl IntoIterator<Item = AnyTable>) {
        self.head = Head::Commit(commit);
        for table in tables {
            if let Some(seen) = self.threads.get_mut(&table.issue()) {
                seen.table = Some(table);
            }
        }
    }
}
