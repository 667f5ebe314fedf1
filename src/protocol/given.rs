//! TODO page.

use std::collections::BTreeMap;

use crate::answers::marker::Marker;
use crate::tables::any::AnyTable;
use crate::talk::comment::Source;
use crate::talk::thread::{Comment, Oid, Thread};

/// The answers of ours in one thread: written by our own account, and with a marker as their first line.
pub(crate) struct Answers {
    /// The id of each answer with its marker, oldest first.
    given: Vec<(u64, Marker)>,
}

/// The answer to a command that has changed a table.
pub(crate) enum Given {
    /// There is none.
    Nothing,
    /// There is one, and it says so; or it is about another table.
    Accepted,
    /// The only one is this comment, and it says that nothing has changed.
    Refused(u64),
}

impl Answers {
    pub(super) fn of(issue: u64, thread: &Thread) -> Answers {
        Answers::among(issue, &thread.comments)
    }

    pub(super) fn among(issue: u64, comments: &[Comment]) -> Answers {
        let ours = comments.iter().filter(|comment| comment.ours);
        let given = ours.filter_map(|comment| Some((comment.id, Marker::read(&comment.text)?)));
        Answers { given: given.filter(|(_, marker)| marker.source.issue == issue).collect() }
    }

    /// What a command has been told that has changed this table.
    pub(super) fn given(&self, source: Source, table: u64) -> Given {
        let mut given = Given::Nothing;
        for (id, marker) in self.given.iter().filter(|(_, marker)| marker.source == source) {
            if marker.commit.is_some() || marker.table != table {
                return Given::Accepted;
            }
            given = Given::Refused(*id);
        }
        given
    }

    pub(super) fn has(&self, source: Source) -> bool {
        self.given.iter().any(|(_, marker)| marker.source == source)
    }

    /// The superfluous one of two answers to one command: the one that contradicts the record, else the newer.
    pub(super) fn second(&self, issue: u64, table: Option<&AnyTable>) -> Option<Source> {
        let mut seen: BTreeMap<Source, &(u64, Marker)> = BTreeMap::new();
        for answer in &self.given {
            let Some(first) = seen.insert(answer.1.source, answer) else { continue };
            let applied = |answer: &Marker| answer.commit.is_some();
            let source = answer.1.source;
            // The table in this thread knows of its own commands alone; what another one has accepted names the commit.
            let own = [&first.1, &answer.1].iter().all(|marker| marker.table == issue);
            let keep_applied = match table {
                Some(table) if table.has_event_from(source) => true,
                Some(table) if own && source.comment > table.settled_through() => false,
                _ => applied(&first.1) || applied(&answer.1),
            };
            let contradicts = |(_, marker): &(u64, Marker)| applied(marker) != keep_applied;
            let superfluous = if contradicts(first) && !contradicts(answer) { first.0 } else { answer.0 };
            return Some(Source { issue, comment: superfluous });
        }
        None
    }

    /// The newest commit that an answer for the table in this thread names.
    pub(super) fn lost_record(&self, issue: u64) -> Option<Oid> {
        let own = self.given.iter().rev().filter(|(_, marker)| marker.table == issue);
        own.filter_map(|(_, marker)| marker.commit.clone()).next()
    }

    /// Whether a command of this thread was answered as accepted at its table, and the table knows nothing of it. Only what is
    /// newer than all that the table does know counts: what came before was in an earlier round.
    pub(super) fn newer_than(&self, issue: u64, table: &AnyTable) -> bool {
        let known = table.settled_through().max(table.newest_comment());
        self.given.iter().any(|(_, marker)| {
            let above = marker.table == issue && marker.source.comment > known;
            above && marker.commit.is_some() && !table.has_event_from(marker.source)
        })
    }
}
