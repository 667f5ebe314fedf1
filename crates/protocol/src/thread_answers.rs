//! The bot's answers in one thread, found by their markers.
//!
//! The bot may have run as another account before: what that one has settled stays settled. So a marker counts below the name
//! of any app, which somebody has let into the repository, and of its maintainers, who may change the record itself.

use std::collections::BTreeMap;

use answers::marker::Marker;
use table::any_table::AnyTable;
use table::talk::comment::{Millis, Source};
use table::talk::thread::{Comment, Oid};

/// The bot's answers in one thread: written by an account that may be the bot's, and with a marker as their first line.
pub(crate) struct ThreadAnswers {
    /// The answers, oldest first.
    answers: Vec<ThreadAnswer>,
    /// The id of the newest answer that was given in another issue: the thread was transferred, and what stands above it was
    /// settled where it came from.
    pub(super) transferred_through: Option<u64>,
}

struct ThreadAnswer {
    id: u64,
    time: Millis,
    marker: Marker,
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

impl ThreadAnswers {
    /// Finds the answers among the comments of a thread.
    pub(super) fn from_comments(issue: u64, comments: &[Comment]) -> ThreadAnswers {
        let trusted = comments.iter().filter(|comment| {
            let app = comment.author.as_ref().is_some_and(|author| author.is_bot);
            comment.by_us || app || comment.by_maintainer
        });
        let given = trusted.filter_map(|comment| {
            Some(ThreadAnswer { id: comment.id, time: comment.updated_at, marker: Marker::parse(&comment.text)? })
        });
        let (given, foreign): (Vec<_>, Vec<_>) = given.partition(|answer| answer.marker.source.issue == issue);
        ThreadAnswers { answers: given, transferred_through: foreign.last().map(|answer| answer.id) }
    }

    /// Returns the state of the answer to a command that has changed this table.
    pub(super) fn answer_state(&self, source: Source, table: u64) -> AnswerState {
        let mut state = AnswerState::Missing;
        for ThreadAnswer { id, marker, .. } in self.answers.iter().filter(|answer| answer.marker.source == source) {
            if marker.commit.is_some() || marker.table != table {
                return AnswerState::Accepted;
            }
            state = AnswerState::Refused(*id);
        }
        state
    }

    /// Tests for an answer to this command.
    pub(super) fn has_answer(&self, source: Source) -> bool {
        self.answers.iter().any(|answer| answer.marker.source == source)
    }

    /// Returns the superfluous one of two answers to one command: the one that contradicts the record, else the newer.
    /// `None` if no command has two.
    ///
    /// The first may stand where nobody reads any more. What changes a table is answered in the order of its comments, so the
    /// answer to an earlier one below that to a later one has lost its way, and is the second.
    pub(super) fn find_duplicate(&self, issue: u64, table: Option<&AnyTable>) -> Option<Source> {
        let mut seen: BTreeMap<Source, &ThreadAnswer> = BTreeMap::new();
        let mut newest = 0;
        for answer in &self.answers {
            let Marker { source, table: at, commit } = &answer.marker;
            let changed = *at == issue && commit.is_some() && table.is_some_and(|table| table.has_event_from(*source));
            if changed && source.comment < newest {
                return Some(Source { issue, comment: answer.id });
            }
            newest = if changed { source.comment } else { newest };
            let Some(first) = seen.insert(answer.marker.source, answer) else { continue };
            let applied = |answer: &Marker| answer.commit.is_some();
            let source = answer.marker.source;
            // The table in this thread knows of its own commands alone; what another one has accepted names the commit.
            let own = [&first.marker, &answer.marker].iter().all(|marker| marker.table == issue);
            let keep_applied = match table {
                Some(table) if table.has_event_from(source) => true,
                Some(table) if own && source.comment > table.settled_through() => false,
                _ => applied(&first.marker) || applied(&answer.marker),
            };
            let contradicts = |answer: &ThreadAnswer| applied(&answer.marker) != keep_applied;
            let superfluous = if contradicts(first) && !contradicts(answer) { first.id } else { answer.id };
            return Some(Source { issue, comment: superfluous });
        }
        None
    }

    /// Returns the newest commit that an answer for the table in this thread names; `None` if none does.
    pub(super) fn last_commit(&self, issue: u64) -> Option<Oid> {
        let own = self.answers.iter().rev().filter(|answer| answer.marker.table == issue);
        own.filter_map(|answer| answer.marker.commit.clone()).next()
    }

    /// Returns the time of the newest answer to what a table knows of; `None` if there is none.
    pub(super) fn last_answer_time(&self, table: &AnyTable) -> Option<Millis> {
        let known = self.answers.iter().filter(|answer| table.has_event_from(answer.marker.source));
        known.map(|answer| answer.time).max()
    }

    /// Tests for a command of this thread that was answered as accepted at a table, and is not in its history. Only commands
    /// newer than all that the table knows count, or answered later than what it knows of: older ones were in an earlier
    /// round.
    pub(super) fn has_lost_event(&self, table: &AnyTable, answered: Millis) -> bool {
        let known = table.settled_through().max(table.newest_own_comment());
        self.answers.iter().any(|ThreadAnswer { time, marker, .. }| {
            let newer = match marker.source.issue == table.issue() {
                true => marker.source.comment > known,
                // The ids of another thread cannot be compared with these.
                false => *time > answered.max(table.last_event_time()),
            };
            let accepted = marker.table == table.issue() && marker.commit.is_some();
            accepted && newer && !table.has_event_from(marker.source)
        })
    }

    /// Tests if a command was answered, and its answer is about another table than the one in this thread.
    pub(super) fn is_answered_for_other_table(&self, source: Source) -> bool {
        self.answers.iter().any(|answer| answer.marker.source == source && answer.marker.table != source.issue)
    }
}
