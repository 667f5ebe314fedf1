//! Whether the last event of a table has its answer.

use table::any_table::AnyTable;
use table::comments::comment::CommentRef;
use table::ids::IssueNumber;

use crate::memory::Fact;
use crate::plan::{NextStep, Planner};
use crate::thread_answers::{AnswerState, ThreadAnswers};
use crate::view::{ThreadView, Uncertainty};

/// The outcome of looking for an answer in another thread.
enum AnswerSearch {
    /// Its state is known.
    Found(AnswerState),
    /// The thread has to be read back to the command first.
    ReadBack,
}

impl Planner<'_> {
    /// Returns the step for a table's last event, the only one that can lack its answer; `None` if it needs no step.
    pub(super) fn step_for_last_event(
        self,
        issue: IssueNumber,
        table: &AnyTable,
        answers: &ThreadAnswers,
    ) -> Option<NextStep> {
        let memory = self.memory;
        let source = table.source_to_answer()?;
        // The answer about a moved game is given at its new table, once the record there can be read again.
        let is_unreadable = self.view.threads.get(&source.issue).is_some_and(|seen| seen.damage.is_some());
        if table.has_moved_away() && is_unreadable {
            return None;
        }
        let is_done = memory.has(Fact::Settled(source));
        let state = if source.issue == issue {
            answers.answer_state(source, issue)
        } else {
            // The answer is in the thread of the command.
            match self.answer_state_elsewhere(issue, source) {
                AnswerSearch::Found(state) => state,
                AnswerSearch::ReadBack if is_done => return None,
                AnswerSearch::ReadBack => return Some(NextStep::ReadBackTo(source)),
            }
        };
        match state {
            // Another run refused the comment before an edit, while this commit was on its way.
            AnswerState::Refused(answer) => Some(NextStep::Delete {
                answer: CommentRef { issue: source.issue, comment: answer },
                command: Some(source),
            }),
            AnswerState::Accepted => None,
            AnswerState::Missing if is_done => None,
            AnswerState::Missing if memory.may_answer(source) => Some(NextStep::Answer { table: issue, source }),
            AnswerState::Missing => Some(NextStep::Wait(Uncertainty::Claimed(source))),
        }
    }

    /// Returns the step for a fallen flag, which may not be announced yet; `None` if it needs no step.
    pub(super) fn step_for_flag(self, issue: IssueNumber, is_announced: bool) -> Option<NextStep> {
        let (memory, uncertainty) = (self.memory, Uncertainty::Unannounced(issue));
        if is_announced || memory.has(Fact::Noticed(issue)) {
            return None;
        }
        let may_announce = memory.has(Fact::FlagFell(issue)) || memory.has(Fact::Confirmed(uncertainty));
        Some(if may_announce { NextStep::AnnounceFlag(issue) } else { NextStep::Wait(uncertainty) })
    }

    /// Looks for the answer to a command from another thread.
    fn answer_state_elsewhere(self, issue: IssueNumber, source: CommentRef) -> AnswerSearch {
        let Some(ThreadView { thread, answers, table, .. }) = self.view.threads.get(&source.issue) else {
            if self.view.missing_issues.contains(&source.issue) {
                // A deleted issue takes no answer.
                return AnswerSearch::Found(AnswerState::Accepted);
            }
            let newest = self.view.newest_answers.get(&source.issue);
            return match newest.map_or(AnswerState::Missing, |answers| answers.answer_state(source, issue)) {
                AnswerState::Missing => AnswerSearch::ReadBack,
                state => AnswerSearch::Found(state),
            };
        };
        if table.as_ref().is_some_and(|table| table.has_event_from(source)) {
            // Moving a game is an event at both tables. The table in that thread answers it.
            return AnswerSearch::Found(AnswerState::Accepted);
        }
        let is_read = thread.comments.first().is_none_or(|first| first.id <= source.comment);
        let shows_command = source.is_body() || is_read || thread.earlier_cursor.is_none();
        match answers.answer_state(source, issue) {
            // The record came from another repository, where the command is.
            AnswerState::Missing if shows_command && self.view.is_moved_by_hand(issue, source) => {
                AnswerSearch::Found(AnswerState::Accepted)
            }
            state if is_read || thread.earlier_cursor.is_none() => AnswerSearch::Found(state),
            // The floor there doesn't prove that the command was answered: a command that is deleted before its answer doesn't
            // hold the floor down.
            _ if table.is_some() => AnswerSearch::ReadBack,
            // Without a table, unread comments are older than the cutoff, so they were settled long ago.
            AnswerState::Missing => AnswerSearch::Found(AnswerState::Accepted),
            state => AnswerSearch::Found(state),
        }
    }
}
