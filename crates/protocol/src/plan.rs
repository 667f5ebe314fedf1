//! [`plan`]: a pure function from one read of a thread to the next step of the run.
//!
//! The bot settles commands in the order of their comments. Above the floor (`settled_through`), a command has been applied if
//! the history names its comment, and answered if the marker of an answer names it. A reaction of the bot is only a claim to
//! answer.

use std::collections::BTreeMap;

use answers::pages::markup::is_only_a_command;
use table::any_table::AnyTable;
use table::decisions::decide::judge;
use table::decisions::host_policy::HostPolicy;
use table::decisions::interpret::interpret;
use table::decisions::refusal::Refusal;
use table::decisions::verdict::Verdict;
use table::oid::Oid;
use table::talk::command::Command;
use table::talk::comment::Source;
use table::talk::context::CommentContext;
use table::talk::parser::{self, ParsedComment};

use crate::chat::{was_chat, was_passed_over};
use crate::comment_context::{comment_context, first_attempt_to_open};
use crate::linked_table::{linked_table, resolve_table_number};
use crate::memory::{Fact, RunMemory};
use crate::thread_answers::{AnswerState, ThreadAnswers};
use crate::view::{RecordFault, ThreadView, Uncertainty, View};

/// The next step of a run.
#[derive(Debug)]
#[must_use]
pub enum NextStep {
    /// Nothing: everything is settled.
    Idle,
    /// Read again, together with this thread and its record.
    ReadThread {
        /// The thread.
        issue: u64,
        /// Comments for other tables that need nothing. The next read lacks their tables, because it has only one besides the
        /// run's own.
        ignored: Vec<Source>,
    },
    /// Also read the thread of this comment, back to the comment, to look for its answer.
    ReadBackTo(Source),
    /// Wait a little and read again.
    Wait(Uncertainty),
    /// Make an update that should have come with an answer. Nothing else is left to do.
    UpdateIssue(IssueUpdate),
    /// Report that this table's record is gone. The host has to restore it from this commit.
    Restore(u64, Oid),
    /// Delete an answer, because its command has another one or needs another one.
    Delete {
        /// The answer.
        answer: Source,
        /// The command that it answers.
        command: Source,
    },
    /// Post the missing answer to the last event of a table.
    Answer {
        /// The table.
        table: u64,
        /// The comment that caused the event.
        source: Source,
    },
    /// Settle a command.
    Settle(Box<PendingCommand>),
}

/// A command to settle, and the verdict on it.
#[derive(Debug)]
pub struct PendingCommand {
    /// The table that the command is for.
    pub table: u64,
    /// The comment and its context.
    pub context: CommentContext,
    /// The verdict. Carrying it out is left to the run, because the computer may have to search.
    pub verdict: Verdict,
    /// Whether the record is older than the answers in its thread, which the answer then mentions.
    pub is_record_stale: bool,
    /// What is wrong with the table's record, for the host.
    pub record_fault: Option<RecordFault>,
}

/// An update of an issue that comes with an answer and may get lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueUpdate {
    /// Label an issue that has a table, or only held a command for another one.
    Label,
    /// Close an issue that only held a command for another table, or whose game is over.
    ///
    /// Reopening isn't repaired: the host may have closed the issue since.
    Close,
}

/// Returns the floor of a thread: all comments up to this one are settled. `None` without a table.
pub fn settled_through(table: Option<&AnyTable>) -> Option<u64> {
    table.map(AnyTable::settled_through)
}

/// Returns the next step for a thread.
pub fn plan(view: &View, issue: u64, memory: &RunMemory, policy: &HostPolicy) -> NextStep {
    let planner = Planner { view, memory, policy };
    match planner.next_step(issue, Scope::AllCommands) {
        NextStep::Idle => planner.missing_issue_update(issue).map_or(NextStep::Idle, NextStep::UpdateIssue),
        step => step,
    }
}

/// Returns the floor of a thread if it is above every comment, so that the bot ignores all of them.
///
/// `source` is the comment that started the run. `None` if the floor is fine, or if that comment isn't the newest one or isn't
/// an unsettled command.
pub fn unreachable_floor(view: &View, source: Source) -> Option<u64> {
    let ThreadView { thread, table, .. } = view.threads.get(&source.issue)?;
    let (floor, newest) = (settled_through(table.as_ref())?, thread.comments.last()?);
    // No event has raised the floor that far, or the newest comment is later than all events.
    let is_unreachable =
        |table: &AnyTable| floor > table.newest_own_comment() || newest.created_at > table.last_event_time();
    let is_ignored = newest.id == source.comment && floor > newest.id && table.as_ref().is_some_and(is_unreachable);
    let is_command = matches!(parser::parse_comment(&newest.text), ParsedComment::Command(..));
    let answers = ThreadAnswers::from_comments(source.issue, &thread.comments);
    if is_ignored && is_command && !newest.by_us && !answers.has_answer(source) { Some(floor) } else { None }
}

/// The commands of a thread to plan for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All commands.
    AllCommands,
    /// Commands for the thread's own table, which have to be settled before another thread's command for it.
    OwnTable,
}

/// The table that a command from another issue is for, or `None` if there is none, and why its record can't be used.
type OtherTable<'a> = (Option<&'a AnyTable>, Option<RecordFault>);

/// The arguments of [`plan`].
#[derive(Clone, Copy)]
struct Planner<'a> {
    view: &'a View,
    memory: &'a RunMemory,
    policy: &'a HostPolicy,
}

impl<'a> Planner<'a> {
    fn next_step(self, issue: u64, scope: Scope) -> NextStep {
        let Some(seen) = self.view.threads.get(&issue) else { return NextStep::Idle };
        let answers = ThreadAnswers::from_comments(issue, &seen.thread.comments);
        if let Some(step) = self.step_before_commands(issue, seen, &answers) {
            return step;
        }
        self.next_command(issue, seen, &answers, scope)
    }

    /// Returns the step that comes before all commands of a thread; `None` if there is none.
    fn step_before_commands(self, issue: u64, seen: &ThreadView, answers: &ThreadAnswers) -> Option<NextStep> {
        let table = seen.table.as_ref();
        if let Some((answer, command)) = answers.find_duplicate(issue, table) {
            return Some(NextStep::Delete { answer, command });
        }
        if self.memory.is_ahead(issue, table) && !self.memory.knows(Fact::Confirmed(Uncertainty::StaleRecord(issue))) {
            return Some(NextStep::Wait(Uncertainty::StaleRecord(issue)));
        }
        if let Some(table) = table {
            return self.step_for_last_event(issue, table, answers);
        }
        let commit = answers.last_commit(issue)?;
        let uncertainty = Uncertainty::MissingRecord(issue);
        Some(match self.memory.knows(Fact::Confirmed(uncertainty)) {
            false => NextStep::Wait(uncertainty),
            // The host removed the game and locked its issue. If the record got lost, the bot says so when the issue is unlocked.
            true if seen.thread.is_locked => NextStep::Idle,
            true => NextStep::Restore(issue, commit),
        })
    }

    /// Returns the step that settles the first pending command, or one that has to come before it.
    fn next_command(self, issue: u64, seen: &'a ThreadView, answers: &ThreadAnswers, scope: Scope) -> NextStep {
        let Planner { view, memory, .. } = self;
        let floor = settled_through(seen.table.as_ref());
        let first_attempt = first_attempt_to_open(seen);
        let linked = linked_table(view, issue, answers, memory);
        // The first command that is left for later.
        let mut skipped = None;
        // The table as it was at the comment; `None` until that matters.
        let mut past_table = None;
        let mut other_tables = BTreeMap::new();
        let mut ignored = Vec::new();
        for comment in std::iter::once(&seen.thread.body).chain(&seen.thread.comments) {
            let source = Source { issue, comment: comment.id };
            let is_settled = match floor {
                Some(floor) => comment.id <= floor,
                None => comment.updated_at < view.cutoff && view.trigger != Some(source),
            };
            let was_transferred = answers.transferred_through.is_some_and(|through| comment.id <= through);
            if is_settled || was_transferred || answers.has_answer(source) || memory.knows(Fact::Done(source)) {
                continue;
            }
            let Some(mut context) = comment_context(comment, source, seen, view.entropy) else { continue };
            context.attempted_new = first_attempt.is_some_and(|attempt| attempt < comment.id);
            let target = resolve_table_number(&mut context, linked);
            if target != issue && self.is_outdated_elsewhere(target, &context) {
                ignored.push(source);
                continue;
            }
            if target != issue && scope == Scope::OwnTable {
                if seen.table.is_none() && matches!(context.parsed, ParsedComment::Command(Command::Continue, _)) {
                    // It is about to move a table here, and the comments below it are for that table.
                    break;
                }
                skipped = skipped.or(Some(comment.id));
                continue;
            }
            if memory.knows(Fact::Deferred(context.author.id)) || memory.knows(Fact::Ignored(source)) {
                skipped = skipped.or(Some(comment.id));
                continue;
            }
            // The floor must not rise above a command that is left for later.
            context.settles_through = skipped.map_or(comment.id, |id: u64| id.saturating_sub(1));
            let (table, fault) = match other_tables.get(&target) {
                _ if target == issue => (seen.table.as_ref(), None),
                Some(known) => OtherTable::clone(known),
                None => match self.resolve_other_table(issue, target) {
                    Ok(other) => other_tables.entry(target).or_insert(other).clone(),
                    Err(NextStep::ReadThread { issue, .. }) => return NextStep::ReadThread { issue, ignored },
                    Err(step) => return step,
                },
            };
            if target != issue {
                // Unless this plan settles it.
                ignored.push(source);
            }
            // The comment may have been applied at another table, and edited since.
            if view.threads.values().any(|seen| seen.table.as_ref().is_some_and(|table| table.has_event_from(source))) {
                continue;
            }
            let verdict = match fault {
                Some(_) => Some(Verdict::Refuse(Refusal::UnreadableRecord(target))),
                None => self.verdict(table, target, &context, answers, &mut past_table),
            };
            let Some(verdict) = verdict else { continue };
            let is_late = matches!(verdict, Verdict::Refuse(Refusal::Superseded));
            let table_then = if is_late { past_table.as_ref() } else { table };
            if self.is_repeated_suggestion(&context, table_then, linked, answers) {
                continue;
            }
            if memory.is_at_limit(&context.author) && !matches!(verdict, Verdict::Accept(_)) {
                skipped = skipped.or(Some(comment.id));
                continue;
            }
            // No floor is below the body. A table that starts here would count the body as settled, so it has to wait.
            let moves_here = matches!(context.parsed, ParsedComment::Command(Command::Continue, _));
            let starts_table = (target == issue || moves_here) && matches!(verdict, Verdict::Accept(_));
            if starts_table && skipped == Some(seen.thread.body.id) {
                continue;
            }
            // Other workflows add eyes, too, so eyes only claim commands that can show something. Another run may have refused such a
            // command because of a different read.
            let may_show = matches!(&context.parsed, ParsedComment::Command(command, _) if command.may_show());
            let is_claimed = comment.claims.refusal || may_show && comment.claims.show;
            if is_claimed && !memory.may_answer(source) {
                // In an issue that takes no answers, no other run is about to post one.
                if memory.knows(Fact::Unanswerable(issue)) {
                    continue;
                }
                return NextStep::Wait(Uncertainty::Claimed(source));
            }
            let is_record_stale = table.is_some_and(|table| self.is_record_stale(table));
            if is_record_stale && !memory.knows(Fact::Confirmed(Uncertainty::StaleRecord(target))) {
                return NextStep::Wait(Uncertainty::StaleRecord(target));
            }
            return NextStep::Settle(Box::new(PendingCommand {
                table: target,
                context,
                verdict,
                is_record_stale,
                record_fault: fault,
            }));
        }
        NextStep::Idle
    }

    /// Whether any known answer, in any issue, names an event that the record of a table lacks.
    fn is_record_stale(self, table: &AnyTable) -> bool {
        let read = self.view.threads.iter().map(|(issue, seen)| (*issue, seen.thread.comments.as_slice()));
        let newest = self.view.newest_issues.iter().map(|(issue, comments)| (*issue, comments.as_slice()));
        let all: Vec<ThreadAnswers> =
            read.chain(newest).map(|(issue, comments)| ThreadAnswers::from_comments(issue, comments)).collect();
        // Commands from other threads are answered in the order of the history, which may not be the order of the comments.
        let last_answer_time =
            all.iter().filter_map(|answers| answers.last_answer_time(table)).max().unwrap_or_default();
        all.iter().any(|answers| answers.has_lost_event(table, last_answer_time))
    }

    /// Returns the update that should have come with an answer and is missing; `None` if nothing is missing.
    fn missing_issue_update(self, issue: u64) -> Option<IssueUpdate> {
        let ThreadView { thread, table, .. } = self.view.threads.get(&issue)?;
        if thread.is_locked || self.memory.knows(Fact::IssueUpdated(issue)) {
            return None;
        }
        let answers = ThreadAnswers::from_comments(issue, &thread.comments);
        let Some(table) = table else {
            let linked = answers.linked_table(Source { issue, comment: 0 });
            let number = linked.filter(|_| is_only_a_command(&thread.body.text))?;
            return if !thread.is_closed && !thread.was_reopened {
                Some(IssueUpdate::Close)
            } else if self.view.table(number).is_some_and(AnyTable::is_playing) && !thread.has_label {
                Some(IssueUpdate::Label)
            } else {
                None
            };
        };
        let is_answered =
            table.source_to_answer().is_none_or(|source| source.issue != issue || answers.has_answer(source));
        if !is_answered {
            None
        } else if table.is_over() && self.policy.close_finished && !thread.is_closed && !thread.was_reopened {
            Some(IssueUpdate::Close)
        } else if table.is_playing() && !thread.has_label {
            Some(IssueUpdate::Label)
        } else {
            None
        }
    }

    /// Returns the verdict on a command; `None` for chat. `past_table` is the table at an earlier comment. Commands come in
    /// order, so a single replay of the history serves all of them.
    fn verdict(
        self,
        table: Option<&AnyTable>,
        target: u64,
        context: &CommentContext,
        answers: &ThreadAnswers,
        past_table: &mut Option<AnyTable>,
    ) -> Option<Verdict> {
        if interpret(table, context) == Ok(None) {
            return None;
        }
        let (source, time) = (context.source, context.updated_at);
        // The previous round may have applied the command without an answer that says so.
        let is_of_earlier_round = table.is_some_and(|table| table.is_rematch_since(source, time));
        if let Some(table) = table.filter(|_| target == source.issue) {
            let has_changed = is_of_earlier_round || table.has_event_since(source, time);
            if has_changed && was_chat(table, context, is_of_earlier_round, past_table) {
                return None;
            }
            if table.newest_own_comment() > source.comment {
                // A newer comment was settled first.
                return Some(Verdict::Refuse(Refusal::Superseded));
            }
        }
        match judge(table, target, context, self.policy) {
            Verdict::Chat => None,
            Verdict::Accept(_) if is_of_earlier_round || was_passed_over(target, context, answers) => {
                Some(Verdict::Refuse(Refusal::Superseded))
            }
            verdict => Some(verdict),
        }
    }

    /// Whether the bot has already made the suggestion for this comment, or enough like it, to the author since the table's last
    /// event.
    fn is_repeated_suggestion(
        self,
        context: &CommentContext,
        table: Option<&AnyTable>,
        linked: Option<u64>,
        answers: &ThreadAnswers,
    ) -> bool {
        let Err(Refusal::Suggestion(suggestion)) = interpret(table, context) else { return false };
        let Source { issue, comment } = context.source;
        let Some(seen) = self.view.threads.get(&issue) else { return false };
        let target = resolve_table_number(&mut context.clone(), linked);
        let made = seen.thread.comments.iter().filter(|earlier| earlier.id < comment).filter(|earlier| {
            let source = Source { issue, comment: earlier.id };
            if !answers.has_answer(source) && !self.memory.knows(Fact::Done(source)) {
                return false;
            }
            match comment_context(earlier, source, seen, context.entropy) {
                // A comment before the table's last event gets no suggestion here.
                Some(mut earlier) if earlier.author.id == context.author.id => {
                    resolve_table_number(&mut earlier, linked) == target
                        && matches!(
                            interpret(table, &earlier),
                            Err(Refusal::Suggestion(earlier)) if suggestion.is_like(&earlier)
                        )
                }
                _ => false,
            }
        });
        made.count() >= suggestion.limit()
    }

    /// Returns the step for a table's last event, the only one that can lack its answer; `None` if it needs no step.
    fn step_for_last_event(self, issue: u64, table: &AnyTable, answers: &ThreadAnswers) -> Option<NextStep> {
        let memory = self.memory;
        let source = table.source_to_answer()?;
        // The answer about a moved game is given at its new table, once the record there can be read again.
        let is_unreadable = self.view.threads.get(&source.issue).is_some_and(|seen| seen.damage.is_some());
        if table.has_moved_away() && is_unreadable {
            return None;
        }
        let is_done = memory.knows(Fact::Done(source));
        let state = if source.issue == issue {
            answers.answer_state(source, issue)
        } else {
            // The answer is in the thread of the command.
            match self.answer_state_elsewhere(issue, source) {
                Ok(state) => state,
                Err(_) if is_done => return None,
                Err(step) => return Some(step),
            }
        };
        match state {
            // Another run refused the comment before an edit, while this commit was on its way.
            AnswerState::Refused(answer) => {
                Some(NextStep::Delete { answer: Source { issue: source.issue, comment: answer }, command: source })
            }
            AnswerState::Accepted => None,
            AnswerState::Missing if is_done => None,
            AnswerState::Missing if memory.may_answer(source) => Some(NextStep::Answer { table: issue, source }),
            AnswerState::Missing => Some(NextStep::Wait(Uncertainty::Claimed(source))),
        }
    }

    /// Returns the state of the answer to a command from another thread, or the step that reads it.
    fn answer_state_elsewhere(self, issue: u64, source: Source) -> Result<AnswerState, NextStep> {
        let Some(ThreadView { thread, table, .. }) = self.view.threads.get(&source.issue) else {
            if self.view.missing_issues.contains(&source.issue) {
                // A deleted issue takes no answer.
                return Ok(AnswerState::Accepted);
            }
            let newest = self.view.newest_issues.get(&source.issue).map_or(&[][..], Vec::as_slice);
            return match ThreadAnswers::from_comments(source.issue, newest).answer_state(source, issue) {
                AnswerState::Missing => Err(NextStep::ReadBackTo(source)),
                state => Ok(state),
            };
        };
        if table.as_ref().is_some_and(|table| table.has_event_from(source)) {
            // Moving a game is an event at both tables. The table in that thread answers it.
            return Ok(AnswerState::Accepted);
        }
        let is_read = thread.comments.first().is_none_or(|first| first.id <= source.comment);
        let shows_command = source.comment == 0 || is_read || thread.earlier_cursor.is_none();
        match ThreadAnswers::from_comments(source.issue, &thread.comments).answer_state(source, issue) {
            // The record came from another repository, where the command is.
            AnswerState::Missing if shows_command && self.view.is_moved_by_hand(issue, source) => {
                Ok(AnswerState::Accepted)
            }
            state if is_read || thread.earlier_cursor.is_none() => Ok(state),
            // The floor there doesn't prove that the command was answered: a command that is deleted before its answer doesn't
            // hold the floor down.
            _ if table.is_some() => Err(NextStep::ReadBackTo(source)),
            // Without a table, unread comments are older than the cutoff, so they were settled long ago.
            AnswerState::Missing => Ok(AnswerState::Accepted),
            state => Ok(state),
        }
    }

    /// Finds another table that a comment is for. An error is the step that comes first: a read, or a command in the table's own
    /// thread.
    fn resolve_other_table(self, issue: u64, target: u64) -> Result<OtherTable<'a>, NextStep> {
        let Some(other) = self.view.threads.get(&target) else {
            let is_missing = self.view.missing_issues.contains(&target);
            return if is_missing {
                Ok((None, None))
            } else {
                Err(NextStep::ReadThread { issue: target, ignored: Vec::new() })
            };
        };
        if let Some(why) = &other.damage {
            return Ok((None, Some(RecordFault::Damaged(why.clone()))));
        }
        match self.next_step(target, Scope::OwnTable) {
            NextStep::Idle => Ok((other.table.as_ref(), None)),
            NextStep::Restore(gone, commit) if gone == target && gone != issue => {
                Ok((None, Some(RecordFault::Missing(commit))))
            }
            step => Err(step),
        }
    }

    /// Whether a comment without a command is chat because it is about a table in another issue that is gone or has changed since.
    ///
    /// Later runs read the comment again, and what was chat when it was written must not become a move.
    fn is_outdated_elsewhere(self, target: u64, context: &CommentContext) -> bool {
        let is_read = self.view.threads.contains_key(&target) || self.view.missing_issues.contains(&target);
        // GitHub's times are whole seconds. Within a second, the ids of comments in the same issue tell which came first.
        let (source, time) = (context.source, context.updated_at);
        let is_current = |table: &AnyTable| table.last_event_time() <= time && !table.has_event_since(source, time);
        let is_current = self.view.table(target).is_some_and(is_current);
        matches!(context.parsed, ParsedComment::Plain(..)) && is_read && !is_current
    }
}
