//! [`plan`]: a pure function from one read of a thread to the next step of the run.
//!
//! The bot settles commands in the order of their comments. Above the last settled one, a command has been applied if
//! the history names its comment, and answered if the marker of an answer names it. A reaction of the bot is only a claim to
//! answer.

use answers::is_only_a_command;
use table::{
    Author, CommentContext, CommentId, CommentRef, Decision, HostPolicy, IssueNumber, Oid, ParsedComment, Pending,
    Table, Timestamp, UserId, parse_comment,
};

use crate::answer::{AnswerState, ThreadAnswers, display_updates};
use crate::memory::{RunMemory, RunNote};
use crate::reader::{RecordFault, RepoState, ThreadState, Uncertainty};
use crate::{Label, Update};

mod next_command;

/// The next step of a run.
#[derive(Debug)]
#[must_use]
pub(crate) enum NextStep {
    /// Nothing: everything is settled.
    Idle,
    /// Read again, together with this thread and its record.
    ReadThread {
        /// The thread.
        issue: IssueNumber,
        /// Comments for other tables that need nothing. The next read lacks their tables, because it has only one besides the
        /// run's own.
        ignored: Vec<CommentRef>,
    },
    /// Also read the thread of this comment, back to the comment, to look for its answer.
    ReadBackTo(CommentRef),
    /// Ask for the permission of this person, on which a command depends.
    AskPermission(Author),
    /// Wait a little and read again.
    Wait(Uncertainty),
    /// Make an update that should have come with an answer. Nothing else is left to do.
    UpdateIssue(Vec<Update>),
    /// Report that this table's record is gone. The host has to restore it from this commit.
    Restore(IssueNumber, Oid),
    /// Delete an answer, because its command has another one or needs another one. Or delete the second of two notices.
    Delete {
        /// The answer.
        answer: CommentRef,
        /// The command that it answers; `None` for a notice.
        command: Option<CommentRef>,
    },
    /// Announce the fallen flag of a table.
    AnnounceFlag(IssueNumber),
    /// Post the ballot of a table, or announce the crowd's move that ended its game.
    PostBallot(IssueNumber),
    /// Post the missing answer to the last event of a table.
    Answer {
        /// The table.
        table: IssueNumber,
        /// The comment that caused the event.
        source: CommentRef,
    },
    /// Settle a command.
    Settle(Box<PendingCommand>),
}

/// A command to settle, and the decision about it.
#[derive(Debug)]
pub(crate) struct PendingCommand {
    /// The comment and its context.
    pub context: CommentContext,
    /// The decision. Finishing it is left to the run, because the computer may have to search.
    pub decision: Decision<Pending>,
    /// Whether the record is older than the answers in its thread. If so, the answer says so.
    pub is_record_stale: bool,
    /// What is wrong with the table's record, for the host.
    pub record_fault: Option<RecordFault>,
}

impl PendingCommand {
    /// Whether the decision is to change a table.
    pub(super) fn changes_table(&self) -> bool {
        matches!(self.decision, Decision::Apply(_))
    }
}

/// Returns the comment up to which a thread is settled. `None` without a table.
pub(crate) fn settled_through(table: Option<&Table>) -> Option<CommentId> {
    table.map(Table::settled_through)
}

/// Returns the next step for a thread, the most urgent one: delete what was posted twice, wait for a newer read, announce what was
/// committed, settle the first unsettled command, and last, update the issue's title and labels.
pub(crate) fn plan(view: &RepoState, issue: IssueNumber, memory: &RunMemory, policy: &HostPolicy) -> NextStep {
    let planner = Planner { view, memory, policy };
    match planner.next_step(issue, Scope::AllCommands) {
        NextStep::Idle => match planner.missing_updates(issue) {
            updates if updates.is_empty() => NextStep::Idle,
            updates => NextStep::UpdateIssue(updates),
        },
        step => step,
    }
}

/// Whether a thread in a list has a comment that would change a table in another issue, written until a time.
pub(super) fn would_change(
    view: &RepoState,
    (issue, seen): (IssueNumber, &ThreadState),
    table: IssueNumber,
    until: Timestamp,
    policy: &HostPolicy,
) -> bool {
    let planner = Planner { view, memory: &RunMemory::default(), policy };
    planner.would_change(issue, seen, table, until)
}

/// Returns the first comment of a thread that isn't settled yet; `None` if all are.
pub(super) fn first_unsettled_command(
    view: &RepoState,
    issue: IssueNumber,
    memory: &RunMemory,
    policy: &HostPolicy,
) -> Option<CommentId> {
    let planner = Planner { view, memory, policy };
    match planner.walk(issue, view.threads.get(&issue)?, Scope::AllCommands) {
        (NextStep::Settle(command), first_left) if command.context.source.issue == issue => {
            Some(first_left.map_or(command.context.source.comment, |left| left.min(command.context.source.comment)))
        }
        (_, first_left) => first_left,
    }
}

/// Returns the moves that people wrote as votes for a crowd's move, in the order of their comments.
pub(super) fn written_votes(
    view: &RepoState,
    issue: IssueNumber,
    memory: &RunMemory,
    policy: &HostPolicy,
) -> Vec<(UserId, String)> {
    let planner = Planner { view, memory, policy };
    view.threads.get(&issue).map_or(Vec::new(), |seen| planner.written_votes(issue, seen))
}

/// Returns the comment up to which a thread is settled if it's past every comment, so the bot ignores all of them.
///
/// `source` is the comment that started the run. `None` if all is well, or if that comment isn't the newest one or isn't
/// an unsettled command.
pub(crate) fn too_high_settled_through(view: &RepoState, source: CommentRef) -> Option<CommentId> {
    let ThreadState { thread, answers, table, .. } = view.threads.get(&source.issue)?;
    let (settled_through, newest) = (self::settled_through(table.as_ref())?, thread.comments.last()?);
    // No event has settled the thread that far, or the newest comment is later than all events.
    let is_unreachable =
        |table: &Table| settled_through > table.newest_own_comment() || newest.created_at > table.last_event_time();
    let is_ignored =
        newest.id == source.comment && settled_through > newest.id && table.as_ref().is_some_and(is_unreachable);
    let is_command = matches!(parse_comment(&newest.text), ParsedComment::Command(..));
    if is_ignored && is_command && !newest.by_us && !answers.has_answer(source) { Some(settled_through) } else { None }
}

/// The commands of a thread to plan for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All commands.
    AllCommands,
    /// Commands for the thread's own table, which have to be settled before another thread's command for it.
    OwnTable,
}

/// The outcome of looking for an answer in another thread.
enum AnswerSearch {
    /// Its state is known.
    Found(AnswerState),
    /// The thread has to be read back to the command first.
    ReadBack,
}

/// The arguments of [`plan`].
#[derive(Clone, Copy)]
struct Planner<'a> {
    view: &'a RepoState,
    memory: &'a RunMemory,
    policy: &'a HostPolicy,
}

impl Planner<'_> {
    fn next_step(self, issue: IssueNumber, scope: Scope) -> NextStep {
        let Some(seen) = self.view.threads.get(&issue) else { return NextStep::Idle };
        self.step_before_commands(issue, seen).unwrap_or_else(|| match self.is_invited(seen) {
            true => self.next_command(issue, seen, scope),
            false => NextStep::Idle,
        })
    }

    /// Whether the bot listens in a thread: it has a table, or the host's label.
    fn is_invited(self, seen: &ThreadState) -> bool {
        let has_record = seen.table.is_some() || seen.foreign.is_some() || seen.damage.is_some();
        has_record || self.policy.is_invited(&seen.thread.labels)
    }

    /// Returns the step that comes before all commands of a thread; `None` if there is none.
    fn step_before_commands(self, issue: IssueNumber, seen: &ThreadState) -> Option<NextStep> {
        let (answers, table) = (&seen.answers, seen.table.as_ref());
        // Whatever the thread lacks for a record of another repository is not for this one to make up.
        if seen.foreign.is_some() {
            return None;
        }
        if let Some((answer, command)) = answers.find_duplicate(table) {
            return Some(NextStep::Delete { answer, command: Some(command) });
        }
        if let Some(answer) = answers.find_duplicate_notice() {
            return Some(NextStep::Delete { answer, command: None });
        }
        if self.memory.is_ahead(issue, table) && !self.memory.has(RunNote::Confirmed(Uncertainty::StaleRecord(issue))) {
            return Some(NextStep::Wait(Uncertainty::StaleRecord(issue)));
        }
        if let Some(table) = table {
            return match table.fallen_flag() {
                Some((round, event)) => self.step_for_flag(issue, answers.has_flag(round, event)),
                None => {
                    self.step_for_last_event(issue, table, answers).or_else(|| self.step_for_ballot(issue, seen, table))
                }
            };
        }
        let commit = answers.last_commit()?;
        let uncertainty = Uncertainty::MissingRecord(issue);
        Some(match self.memory.has(RunNote::Confirmed(uncertainty)) {
            false => NextStep::Wait(uncertainty),
            // The host removed the game and locked its issue. If the record got lost, the bot says so when the issue is unlocked.
            true if seen.thread.is_locked => NextStep::Idle,
            true => NextStep::Restore(issue, commit),
        })
    }

    /// Returns the updates that should have come with an answer and are missing.
    ///
    /// Reopening isn't repaired: the host may have closed the issue since.
    fn missing_updates(self, issue: IssueNumber) -> Vec<Update> {
        let Some(seen) = self.view.threads.get(&issue) else { return Vec::new() };
        let ThreadState { thread, answers, table, .. } = seen;
        if thread.is_locked || self.memory.has(RunNote::IssueUpdated(issue)) {
            return Vec::new();
        }
        let Some(table) = table else { return Vec::from_iter(self.missing_update_of_linked_issue(issue, seen)) };
        let is_answered =
            table.source_to_answer().is_none_or(|source| source.issue != issue || answers.has_answer(source));
        if !is_answered {
            return Vec::new();
        }
        let needs_label = table.is_playing() && !thread.has_label;
        let closes = table.is_over() && self.policy.close_finished && !thread.is_closed && !thread.was_reopened;
        let label = needs_label.then_some(Update::Label(issue, Label::Game));
        let reactions = missing_reactions(seen, table);
        let closing = closes.then_some(Update::Close(issue));
        label.into_iter().chain(display_updates(seen, self.policy)).chain(reactions).chain(closing).collect()
    }

    /// Returns the missing update of an issue without a table, whose body is a command that a link filled in.
    fn missing_update_of_linked_issue(self, issue: IssueNumber, seen: &ThreadState) -> Option<Update> {
        let ThreadState { thread, answers, .. } = seen;
        let number = answers.linked_table().filter(|_| is_only_a_command(&thread.body.text))?;
        let takes_moves = || self.view.table(number).is_some_and(Table::is_playing) && !thread.has_label;
        if !thread.is_closed && !thread.was_reopened {
            Some(Update::Close(issue))
        } else if takes_moves() {
            Some(Update::Label(issue, Label::Game))
        } else {
            None
        }
    }

    /// Returns the step for a table's last event, the only one that can lack its answer; `None` if it needs no step.
    fn step_for_last_event(self, issue: IssueNumber, table: &Table, answers: &ThreadAnswers) -> Option<NextStep> {
        let memory = self.memory;
        let source = table.source_to_answer()?;
        // The answer about a moved game is given at its new table, once the record there can be read again.
        let is_unreadable = self.view.threads.get(&source.issue).is_some_and(|seen| seen.damage.is_some());
        if table.has_moved_away() && is_unreadable {
            return None;
        }
        let is_done = memory.has(RunNote::Settled(source));
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

    /// Returns the step that announces a fallen flag, or that waits to be sure of it; `None` once it is announced.
    fn step_for_flag(self, issue: IssueNumber, is_announced: bool) -> Option<NextStep> {
        let (memory, uncertainty) = (self.memory, Uncertainty::Unannounced(issue));
        if is_announced || memory.has(RunNote::Noticed(issue)) {
            return None;
        }
        let may_announce = memory.has(RunNote::MadeNews(issue)) || memory.has(RunNote::Confirmed(uncertainty));
        Some(if may_announce { NextStep::AnnounceFlag(issue) } else { NextStep::Wait(uncertainty) })
    }

    /// Returns the step that posts a ballot, or that waits to be sure that it's missing; `None` if it is there, or none is open.
    fn step_for_ballot(self, issue: IssueNumber, seen: &ThreadState, table: &Table) -> Option<NextStep> {
        let place = table.ballot_place().filter(|_| !seen.thread.is_locked)?;
        match seen.answers.ballot(place) {
            Some(_) => None,
            None => self.step_for_flag(issue, false).map(|step| match step {
                NextStep::AnnounceFlag(issue) => NextStep::PostBallot(issue),
                step => step,
            }),
        }
    }

    /// Looks for the answer to a command from another thread.
    fn answer_state_elsewhere(self, issue: IssueNumber, source: CommentRef) -> AnswerSearch {
        let Some(ThreadState { thread, answers, table, .. }) = self.view.threads.get(&source.issue) else {
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
            // The `through` there doesn't prove that the command was answered: a command that is deleted before its answer doesn't
            // hold it back.
            _ if table.is_some() => AnswerSearch::ReadBack,
            // Without a table, unread comments are older than the cutoff, so they were settled long ago.
            AnswerState::Missing => AnswerSearch::Found(AnswerState::Accepted),
            state => AnswerSearch::Found(state),
        }
    }
}

/// Returns the update that adds the reactions that an open ballot lacks; `None` if it has them.
fn missing_reactions(seen: &ThreadState, table: &Table) -> Option<Update> {
    let (ballot, posted) = (table.ballot()?, seen.answers.ballot(table.ballot_place()?)?);
    let comment = CommentRef { issue: table.issue(), comment: posted.id };
    (posted.votes < ballot.candidates.len()).then(|| Update::Vote(comment, ballot.reactions()))
}
