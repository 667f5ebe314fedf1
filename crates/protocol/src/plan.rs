//! The plan for a thread: a pure function from one read to the next step.
//!
//! Commands are settled strictly in the order of their comments. Above the floor (`settled_through`) a command is applied if the
//! history names it, and answered if an answer of the bot carries its marker; a reaction of the bot alone is a claim to answer,
//! not an answer.

use answers::marker::Marker;
use answers::pages::markup::is_only_a_command;
use table::any_table::AnyTable;
use table::decisions::decide::{interpret, judge};
use table::decisions::host_policy::HostPolicy;
use table::decisions::refusal::Refusal;
use table::decisions::verdict::Verdict;
use table::talk::command::{self, Command, CommandError, ParsedComment, Remainder};
use table::talk::comment::{Millis, Source, is_login};
use table::talk::context::{CommentContext, Entropy};
use table::talk::thread::{Comment, Oid};

use crate::memory::{Fact, RunMemory};
use crate::thread_answers::{AnswerState, ThreadAnswers};
use crate::view::{RecordFault, ThreadView, Uncertainty, View};

/// The one thing to do next.
#[derive(Debug)]
#[must_use]
pub enum NextStep {
    /// The end: everything is settled.
    Idle,
    /// Read again together with this thread and its record.
    ReadThread(u64),
    /// Read the thread of this comment, too, back to the comment: its answer is looked for.
    ReadBackTo(Source),
    /// Wait a little and read again.
    Wait(Uncertainty),
    /// Make up for what should have gone with an answer: nothing else is left to do.
    UpdateIssue(IssueUpdate),
    /// The record is gone: the host has to restore this commit.
    Restore(u64, Oid),
    /// Delete this answer: it is the second one to one command.
    Delete(Source),
    /// The last event of this table lacks its answer.
    Answer {
        /// The table.
        table: u64,
        /// The comment that asked for the event.
        source: Source,
    },
    /// A command is to be settled.
    Settle(Box<PendingCommand>),
}

/// A command that is to be settled, and the verdict on it.
#[derive(Debug)]
pub struct PendingCommand {
    /// The table it is meant for.
    pub table: u64,
    /// The comment.
    pub context: CommentContext,
    /// The verdict. It is carried out once the command is being settled, since the computer may have to search.
    pub verdict: Verdict,
    /// The record is older than the answers in its thread, which the answer should mention.
    pub is_record_stale: bool,
    /// The fault of the table's record that the host should hear of.
    pub record_fault: Option<RecordFault>,
}

/// A thing that goes with an answer and was lost on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueUpdate {
    /// The label of an issue that holds a table.
    Label,
    /// The closing of an issue that held one command for another table, or whose game is over.
    Close,
    /// The opening of an issue whose table plays again.
    Reopen,
}

/// The time for which its author may still edit a comment into a command: five minutes.
const EDIT_WINDOW: Millis = 5 * 60 * 1000;

/// Returns the floor of a thread: nothing up to this comment is looked at again. `None` without a table.
pub fn settled_through(table: Option<&AnyTable>) -> Option<u64> {
    table.map(AnyTable::settled_through)
}

/// Returns the next step for a thread.
pub fn plan(view: &View, issue: u64, memory: &RunMemory, house: &HostPolicy) -> NextStep {
    let planner = Planner { view, memory, policy: house };
    match planner.next_step(issue, Scope::AllCommands) {
        NextStep::Idle => planner.missing_issue_update(issue).map_or(NextStep::Idle, NextStep::UpdateIssue),
        step => step,
    }
}

/// Returns the floor of a table that hears nobody: it is beyond every comment of its thread, also beyond this one, which is the
/// newest and a command that nobody has settled. `None` for any other.
pub fn unreachable_floor(view: &View, source: Source) -> Option<u64> {
    let ThreadView { thread, table, .. } = view.threads.get(&source.issue)?;
    let (floor, newest) = (settled_through(table.as_ref())?, thread.comments.last()?);
    // No comment in the history has raised the floor that far, or the newest one is later than all of the history.
    let beyond = |table: &AnyTable| floor > table.newest_own_comment() || newest.created_at > table.last_event_time();
    let newer = newest.id == source.comment && floor > newest.id && table.as_ref().is_some_and(beyond);
    let unheard = matches!(command::parse_comment(&newest.text), ParsedComment::Command(..));
    let answers = ThreadAnswers::from_comments(source.issue, &thread.comments);
    (newer && unheard && !newest.by_us && !answers.has_answer(source)).then_some(floor)
}

/// The commands of a thread that are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All of them.
    AllCommands,
    /// Those for the table in the thread itself: it is settled only so that another thread's command can be decided here.
    OwnTable,
}

/// The table that a command is for.
enum TargetTable<'a> {
    /// It can be decided at; `None` if there is no table.
    Usable(Option<&'a AnyTable>),
    /// Its record can't be used, which is a fault for this command alone.
    Faulty(RecordFault),
    /// Something comes first: a read, or a command in the table's own thread.
    Blocked(NextStep),
}

/// The arguments of [`plan`].
#[derive(Clone, Copy)]
struct Planner<'a> {
    view: &'a View,
    memory: &'a RunMemory,
    policy: &'a HostPolicy,
}

impl<'a> Planner<'a> {
    fn next_step(self, issue: u64, reach: Scope) -> NextStep {
        let Some(seen) = self.view.threads.get(&issue) else { return NextStep::Idle };
        let answers = ThreadAnswers::from_comments(issue, &seen.thread.comments);
        if let Some(step) = self.step_before_commands(issue, seen.table.as_ref(), &answers) {
            return step;
        }
        self.next_command(issue, seen, &answers, reach)
    }

    /// Returns the step that has to be done before any command of a thread; `None` if its commands can go on.
    fn step_before_commands(self, issue: u64, table: Option<&AnyTable>, answers: &ThreadAnswers) -> Option<NextStep> {
        if let Some(second) = answers.find_duplicate(issue, table) {
            return Some(NextStep::Delete(second));
        }
        if self.memory.is_ahead(issue, table) && !self.memory.knows(Fact::Confirmed(Uncertainty::StaleRecord(issue))) {
            return Some(NextStep::Wait(Uncertainty::StaleRecord(issue)));
        }
        if let Some(table) = table {
            return self.step_for_last_event(issue, table, answers);
        }
        let commit = answers.last_commit(issue)?;
        let doubt = Uncertainty::MissingRecord(issue);
        Some(match self.memory.knows(Fact::Confirmed(doubt)) {
            true => NextStep::Restore(issue, commit),
            false => NextStep::Wait(doubt),
        })
    }

    /// Returns the first command that is not settled, or the step that stands in its way.
    fn next_command(self, issue: u64, seen: &'a ThreadView, answers: &ThreadAnswers, reach: Scope) -> NextStep {
        let Planner { view, memory, .. } = self;
        let settled_through = settled_through(seen.table.as_ref());
        let tried = first_attempt_to_open(seen);
        let mut skipped = None;
        // The table as it was at the comment that is looked at; `None` until that matters.
        let mut early = None;
        for comment in std::iter::once(&seen.thread.body).chain(&seen.thread.comments) {
            let source = Source { issue, comment: comment.id };
            let settled = settled_through
                .map_or(comment.updated_at < view.cutoff, |settled_through| comment.id <= settled_through);
            let transferred = answers.transferred_through.is_some_and(|through| comment.id <= through);
            if settled || transferred || answers.has_answer(source) || memory.knows(Fact::Done(source)) {
                continue;
            }
            let Some(mut said) = comment_context(comment, source, seen, view.entropy) else { continue };
            said.attempted_new = tried.is_some_and(|tried| tried < comment.id);
            let target = said.parsed.table_number().unwrap_or(issue);
            if target != issue && reach == Scope::OwnTable {
                if seen.table.is_none() && matches!(said.parsed, ParsedComment::Command(Command::Continue, _)) {
                    // It is about to bring a table here, and what comes after it is said at that table.
                    break;
                }
                skipped = skipped.or(Some(comment.id));
                continue;
            }
            if memory.knows(Fact::Deferred(said.author.id)) {
                skipped = skipped.or(Some(comment.id));
                continue;
            }
            // The floor may not rise above a command that has been left for later.
            said.settles_through = skipped.map_or(comment.id, |id: u64| id.saturating_sub(1));
            let target_table = if target == issue {
                TargetTable::Usable(seen.table.as_ref())
            } else {
                self.resolve_other_table(issue, target)
            };
            let (table, fault) = match target_table {
                TargetTable::Usable(table) => (table, None),
                TargetTable::Faulty(fault) => (None, Some(fault)),
                TargetTable::Blocked(step) => return step,
            };
            // Another table than the one it is for now may name it: it can have been edited since.
            if view.threads.values().any(|seen| seen.table.as_ref().is_some_and(|table| table.has_event_from(source))) {
                continue;
            }
            let verdict = match fault {
                Some(_) => Some(Verdict::Refuse(Refusal::UnreadableRecord(target))),
                None => self.verdict(table, target, &said, &mut early),
            };
            let Some(verdict) = verdict else { continue };
            if self.is_repeated_suggestion(&verdict, &said, seen, answers) {
                continue;
            }
            let waits = memory.is_at_limit(&said.author) && !matches!(verdict, Verdict::Accept(_));
            if waits {
                skipped = skipped.or(Some(comment.id));
                continue;
            }
            // Eyes are no sign that somebody is about to refuse the comment, and other workflows put them on comments, too.
            let is_claimed =
                if matches!(verdict, Verdict::Show(_)) { comment.claims.show } else { comment.claims.refusal };
            if is_claimed && !memory.may_answer(source) {
                // Where no answer is taken nobody is about to give one, and other threads wait for their turn.
                match memory.knows(Fact::Unanswerable(issue)) {
                    true => continue,
                    false => return NextStep::Wait(Uncertainty::Claimed(source)),
                }
            }
            let older = table.is_some_and(|table| self.is_record_stale(target, table, answers));
            if older && !memory.knows(Fact::Confirmed(Uncertainty::StaleRecord(target))) {
                return NextStep::Wait(Uncertainty::StaleRecord(target));
            }
            return NextStep::Settle(Box::new(PendingCommand {
                table: target,
                context: said,
                verdict,
                is_record_stale: older,
                record_fault: fault,
            }));
        }
        NextStep::Idle
    }

    /// Tests if an answer that was read, wherever it stands, names a commit that the record of a table lacks.
    fn is_record_stale(self, target: u64, table: &AnyTable, here: &ThreadAnswers) -> bool {
        let at_table = self.view.threads.get(&target).map(|seen| (target, seen.thread.comments.as_slice()));
        let newest = self.view.newest_issues.iter().map(|(issue, comments)| (*issue, comments.as_slice()));
        let elsewhere = at_table.into_iter().chain(newest);
        let others: Vec<ThreadAnswers> =
            elsewhere.map(|(issue, comments)| ThreadAnswers::from_comments(issue, comments)).collect();
        let all = || others.iter().chain([here]);
        // What is done at a table is answered in its order, though not in the order in which it was written.
        let answered = all().filter_map(|answers| answers.last_answer_time(table)).max().unwrap_or_default();
        all().any(|answers| answers.has_lost_event(table, answered))
    }

    /// Returns what an answer should have brought with it and did not; `None` if nothing is missing.
    fn missing_issue_update(self, issue: u64) -> Option<IssueUpdate> {
        let ThreadView { thread, table, .. } = self.view.threads.get(&issue)?;
        if thread.is_locked || self.memory.knows(Fact::IssueUpdated(issue)) {
            return None;
        }
        let answers = ThreadAnswers::from_comments(issue, &thread.comments);
        let Some(table) = table else {
            let body = Source { issue, comment: 0 };
            let done = answers.is_answered_for_other_table(body) && is_only_a_command(&thread.body.text);
            return (done && !thread.is_closed && !thread.was_reopened).then_some(IssueUpdate::Close);
        };
        let answered = table.last_source().is_some_and(|source| source.issue != issue || answers.has_answer(source));
        match answered {
            true if table.is_fresh_rematch() && thread.is_closed => Some(IssueUpdate::Reopen),
            true if table.is_over() && self.policy.close_finished && !thread.is_closed && !thread.was_reopened => {
                Some(IssueUpdate::Close)
            }
            true if table.is_playing() && !thread.has_label => Some(IssueUpdate::Label),
            _ => None,
        }
    }

    /// Returns the verdict on a command; `None` for chat. `early` is the table as it was at an earlier comment: commands come
    /// in order, so one replay of the history serves them all.
    fn verdict(
        self,
        table: Option<&AnyTable>,
        target: u64,
        said: &CommentContext,
        early: &mut Option<AnyTable>,
    ) -> Option<Verdict> {
        if interpret(table, said) == Ok(None) {
            return None;
        }
        let Source { issue, comment } = said.source;
        let Some(table) = table.filter(|table| target == issue && table.newest_own_comment() > comment) else {
            return Some(judge(table, target, said, self.policy)).filter(|verdict| *verdict != Verdict::Chat);
        };
        // It was left for later once, and the game has moved on, so it is never played. What was chat when it was written
        // stays chat, even if its author has taken a seat since.
        *early = early.take().or_else(|| table.without_events()).and_then(|early| early.replay_up_to(table, comment));
        let then = early.as_ref().filter(|early| early.last_source().is_some());
        let was_chat = match then {
            None if table.round() > 1 => {
                // The comment is about an earlier round, which this record doesn't hold. A bare move may have been chat then.
                matches!(said.parsed, ParsedComment::Plain(..))
            }
            _ => interpret(then, said) == Ok(None),
        };
        if was_chat { None } else { Some(Verdict::Refuse(Refusal::Superseded)) }
    }

    /// Tests for a hint that its author has had since the table's last event: once a turn will do.
    fn is_repeated_suggestion(
        self,
        verdict: &Verdict,
        said: &CommentContext,
        seen: &ThreadView,
        answers: &ThreadAnswers,
    ) -> bool {
        let Verdict::Refuse(Refusal::Suggestion(hint)) = verdict else { return false };
        let Source { issue, comment } = said.source;
        seen.thread.comments.iter().filter(|earlier| earlier.id < comment).any(|earlier| {
            let source = Source { issue, comment: earlier.id };
            if !answers.has_answer(source) && !self.memory.knows(Fact::Done(source)) {
                return false;
            }
            let earlier = comment_context(earlier, source, seen, said.entropy)
                .filter(|earlier| earlier.author.id == said.author.id);
            // The table is as it was then: what was said before its last event is no hint any more.
            let had = earlier.map(|earlier| interpret(seen.table.as_ref(), &earlier));
            matches!(had, Some(Err(Refusal::Suggestion(had))) if hint.is_covered_by(&had))
        })
    }

    /// Returns what the last event of a history needs, the only one that can lack its answer; `None` if it has one.
    fn step_for_last_event(self, issue: u64, table: &AnyTable, answers: &ThreadAnswers) -> Option<NextStep> {
        let memory = self.memory;
        let source = table.last_source()?;
        // That a game goes on is told at the table where it does, once the record there can be read again.
        let unreadable = self.view.threads.get(&source.issue).is_some_and(|seen| seen.damage.is_some());
        if table.has_moved_away() && unreadable {
            return None;
        }
        let done = memory.knows(Fact::Done(source));
        let state = match source.issue == issue {
            true => answers.answer_state(source, issue),
            // It was written in another thread, and so is its answer.
            false => match self.answer_state_elsewhere(issue, source) {
                Ok(state) => state,
                Err(_) if done => return None,
                Err(step) => return Some(step),
            },
        };
        match state {
            // Its commit came so late that somebody has refused the comment meanwhile, which was edited in between.
            AnswerState::Refused(answer) => Some(NextStep::Delete(Source { issue: source.issue, comment: answer })),
            AnswerState::Accepted => None,
            AnswerState::Missing if done => None,
            AnswerState::Missing if memory.may_answer(source) => Some(NextStep::Answer { table: issue, source }),
            AnswerState::Missing => Some(NextStep::Wait(Uncertainty::Claimed(source))),
        }
    }

    /// Returns the state of the answer to a command from another thread, or the step that reads it.
    fn answer_state_elsewhere(self, issue: u64, source: Source) -> Result<AnswerState, NextStep> {
        let Some(ThreadView { thread, table, .. }) = self.view.threads.get(&source.issue) else {
            if self.view.missing_issues.contains(&source.issue) {
                // Nobody can answer where nothing is.
                return Ok(AnswerState::Accepted);
            }
            let newest = self.view.newest_issues.get(&source.issue).map_or(&[][..], Vec::as_slice);
            return match ThreadAnswers::from_comments(source.issue, newest).answer_state(source, issue) {
                AnswerState::Missing => Err(NextStep::ReadBackTo(source)),
                state => Ok(state),
            };
        };
        if table.as_ref().is_some_and(|table| table.has_event_from(source)) {
            // A game that was taken there is an event at both tables, and its answer is given at the one there.
            return Ok(AnswerState::Accepted);
        }
        let read = thread.comments.first().is_none_or(|first| first.id <= source.comment);
        match ThreadAnswers::from_comments(source.issue, &thread.comments).answer_state(source, issue) {
            state if read || thread.earlier_cursor.is_none() => Ok(state),
            // It is below the floor there, which says too little: a command that was deleted before it had its answer does
            // not hold a floor down.
            _ if table.is_some() => Err(NextStep::ReadBackTo(source)),
            // Without a table, what was not read is older than the horizon, and settled long ago.
            AnswerState::Missing => Ok(AnswerState::Accepted),
            state => Ok(state),
        }
    }

    /// Returns another table that a command names.
    fn resolve_other_table(self, issue: u64, target: u64) -> TargetTable<'a> {
        let Some(other) = self.view.threads.get(&target) else {
            return match self.view.missing_issues.contains(&target) {
                true => TargetTable::Usable(None),
                false => TargetTable::Blocked(NextStep::ReadThread(target)),
            };
        };
        if let Some(why) = &other.damage {
            return TargetTable::Faulty(RecordFault::Damaged(why.clone()));
        }
        match self.next_step(target, Scope::OwnTable) {
            NextStep::Idle => TargetTable::Usable(other.table.as_ref()),
            NextStep::Restore(gone, commit) if gone == target && gone != issue => {
                TargetTable::Faulty(RecordFault::Missing(commit))
            }
            step => TargetTable::Blocked(step),
        }
    }
}

/// Returns the first comment of a thread without a table in which the author of the issue has tried to open one. What a
/// passer-by tries makes the bot no more talkative in somebody else's issue.
fn first_attempt_to_open(ThreadView { thread, table, .. }: &ThreadView) -> Option<u64> {
    let tries = |comment: &&Comment| {
        let reading = if comment.id == 0 {
            command::parse_issue_body(&comment.text)
        } else {
            command::parse_comment(&comment.text)
        };
        let is_new = match reading {
            ParsedComment::Command(Command::New(_), _) => true,
            ParsedComment::Invalid(CommandError::TwoCommands(word, _) | CommandError::Question(word), _) => {
                word == "/new"
            }
            ParsedComment::Plain(_, Remainder::Command(word)) => comment.id == 0 && word == "/new",
            _ => false,
        };
        let ids = [comment, &&thread.body].map(|comment| comment.author.as_ref().map(|author| author.id));
        is_new && ids[0].is_some() && ids[0] == ids[1] && comment.author.as_ref().is_some_and(|author| !author.is_bot)
    };
    let mut comments = std::iter::once(&thread.body).chain(&thread.comments).filter(|_| table.is_none());
    comments.find(tries).map(|comment| comment.id)
}

/// Reads a comment as an utterance; `None` if it cannot hold a command: not written by a person, or an answer of the bot.
fn comment_context(
    comment: &Comment,
    source: Source,
    ThreadView { thread, table, .. }: &ThreadView,
    luck: Entropy,
) -> Option<CommentContext> {
    // Logins end up in records and answers, so an account that is called otherwise than accounts are is nobody.
    let author = comment.author.as_ref().filter(|author| !author.is_bot && is_login(&author.login))?;
    // An answer of any account that the bot has had; whoever else types a marker has only silenced themselves.
    if Marker::parse(&comment.text).is_some() {
        return None;
    }
    // What somebody else has put into their mouth is not their word; what they say late would be heard by nobody else.
    if comment.edited_by_other || comment.updated_at.saturating_sub(comment.created_at) > EDIT_WINDOW {
        return None;
    }
    let reading =
        if comment.id == 0 { command::parse_issue_body(&comment.text) } else { command::parse_comment(&comment.text) };
    if reading == ParsedComment::Chat {
        return None;
    }
    let opener = thread.body.author.as_ref().is_some_and(|opener| opener.id == author.id);
    Some(CommentContext {
        parsed: reading,
        author: author.clone(),
        by_maintainer: comment.by_maintainer,
        by_issue_author: opener,
        source,
        issue_has_table: table.is_some(),
        attempted_new: false,
        updated_at: comment.updated_at,
        settles_through: comment.id,
        entropy: luck,
    })
}
