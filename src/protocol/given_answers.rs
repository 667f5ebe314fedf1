//! The bot's answers in one thread, found by their markers.

use std::collections::BTreeMap;

use crate::answers::marker::Marker;
use crate::tables::any::AnyTable;
use crate::talk::comment::Source;
use crate::talk::thread::{Comment, Oid};

/// The bot's answers in one thread: written by the bot's own account, and with a marker as their first line.
pub(crate) struct GivenAnswers {
    /// The id of each answer with its marker, oldest first.
    given: Vec<(u64, Marker)>,
}

/// The answer to a command that has changed a table.
pub(crate) enum AnswerState {
    /// There is none.
    Missing,
    /// There is one, and it says so; or it is about another table.
    Accepted,
    /// The only one is this comment, and it says that nothing has changed.
    Refused(u64),
}

impl GivenAnswers {
    /// Finds the answers among the comments of a thread.
    pub(super) fn among(issue: u64, comments: &[Comment]) -> GivenAnswers {
        let ours = comments.iter().filter(|comment| comment.ours);
        let given = ours.filter_map(|comment| Some((comment.id, Marker::read(&comment.text)?)));
        GivenAnswers { given: given.filter(|(_, marker)| marker.source.issue == issue).collect() }
    }

    /// Returns the state of the answer to a command that has changed this table.
    pub(super) fn state(&self, source: Source, table: u64) -> AnswerState {
        let mut state = AnswerState::Missing;
        for (id, marker) in self.given.iter().filter(|(_, marker)| marker.source == source) {
            if marker.commit.is_some() || marker.table != table {
                return AnswerState::Accepted;
            }
            state = AnswerState::Refused(*id);
        }
        state
    }

    /// Tests for an answer to this command.
    pub(super) fn has(&self, source: Source) -> bool {
        self.given.iter().any(|(_, marker)| marker.source == source)
    }

    /// Returns the superfluous one of two answers to one command: the one that contradicts the record, else the newer.
    /// `None` if no command has two.
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

    /// Returns the newest commit that an answer for the table in this thread names; `None` if none does.
    pub(super) fn lost_record(&self, issue: u64) -> Option<Oid> {
        let own = self.given.iter().rev().filter(|(_, marker)| marker.table == issue);
        own.filter_map(|(_, marker)| marker.commit.clone()).next()
    }

    /// Tests for a command of this thread that was answered as accepted at its table, and is not in its history. Only commands
    /// newer than all that the table knows count: older ones were in an earlier round.
    pub(super) fn newer_than(&self, issue: u64, table: &AnyTable) -> bool {
        let known = table.settled_through().max(table.newest_comment());
        self.given.iter().any(|(_, marker)| {
            let above = marker.table == issue && marker.source.comment > known;
            above && marker.commit.is_some() && !table.has_event_from(marker.source)
        })
    }
}
