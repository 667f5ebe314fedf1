//! The run of one thread: read, decide, commit, answer, until nothing is left to settle.
//!
//! The event only says where to look; the run decides on what it reads. If anything goes wrong (a lost race, a lost reply, a
//! stale read, another run at the same comment), the run reads and plans again. It never repeats a write without a read in
//! between.

use std::rc::Rc;
use std::time::Duration;

use answers::{announce, commit_message};
use table::absence::AwayRequest;
use table::any_table::{AnyTable, with_table};
use table::comments::comment::{Author, CommentRef};
use table::comments::context::CommentContext;
use table::decisions::decision::{Decision, Query};
use table::decisions::refusal::Refusal;
use table::decisions::verdict::Verdict;
use table::history::EventKind;
use table::ids::IssueNumber;
use table::oid::Oid;
use table::state_file;
use table::timestamp::Timestamp;
use tracing::info;

use self::away::AwayCheck;
use crate::announcement::announcement;
use crate::answer::AnswerText;
use crate::backoff::Backoff;
use crate::commit_files::CommitFiles;
use crate::forge::{Change, CommitOutcome, Fault, FileContent, Forge, Head, Reaction};
use crate::host_note::HostNote;
use crate::invited_account::refuse_invitation;
use crate::ledger::Ledger;
use crate::memory::{Fact, RunMemory};
use crate::overtime::ClockDuty;
use crate::own_games_query::GamesInProgress;
use crate::plan::{NextStep, PendingCommand, plan, unreachable_floor};
use crate::reader::Reader;
use crate::recent_issues::RecentIssues;
use crate::repo_config::RepoConfig;
use crate::search_cache::SearchCache;
use crate::settle_error::{PassError, SettleError};
use crate::standings_query::standings_text;
use crate::view::{RecordFault, Uncertainty, View};

mod answering;
mod away;
mod clock_duty;

/// The maximum age of a read that a run answers from without a commit. Only a commit would notice changes
/// since the read.
const MAX_READ_AGE: Duration = Duration::from_secs(5);
/// The pause before the next read, while another run may be about to settle something.
const RECHECK_DELAY: Duration = Duration::from_secs(2);
/// The age of an uncertainty from which the pauses are twice as long.
const SLOW_RECHECK_AFTER: Duration = Duration::from_secs(6);
/// The number of commands that a sweep settles in one thread at least.
pub(super) const MIN_SHARE: u32 = 20;
/// The limit on the requests for a list of issues, before a player is out of time.
const MAX_LISTS: usize = 10;
/// The time that a sweep gives one thread: three minutes, enough for several uncertainties.
const SHARE_TIME: Duration = Duration::from_secs(180);

/// The notice above an answer if somebody has removed commits from the branch.
const STALE_RECORD_NOTICE: &str = "The record in this repository is older than this thread, so it lacks moves that were \
     answered here. The game continues from the record.";

/// Whether anything is left after one pass: a read, a plan and its steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Nothing is left to settle.
    Finished,
    /// There may be more to settle.
    Unfinished,
}

/// Whether the view is up to date after a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepOutcome {
    /// The view is up to date, so the run can plan again.
    Done,
    /// The view may be out of date, so the run has to read first.
    ReadAgain,
}

/// Whether this run may answer a command that changes nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AnswerClaim {
    /// It may.
    Ours,
    /// Another run may be answering, or nobody can.
    Denied,
}

/// The content of the answer to a command that changes nothing.
enum Content {
    Show(Query),
    Refuse(Refusal),
    Away(AwayRequest),
}

/// The limits of one thread in a sweep.
struct SweepBudget {
    /// The time since the start of the run at which the thread's share is used up.
    deadline: Duration,
    max_settled: u32,
    /// Whether the limit of the whole run doesn't count, so that a flood elsewhere holds up no clock.
    is_due: bool,
}

/// The outcome of looking for commands in other issues.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elsewhere {
    /// Nothing there would change the table.
    Nothing,
    /// Something was settled there, so the run has to read again.
    Settled,
    /// Something there is left for a later run.
    Unsettled,
}

/// The run of one thread.
pub(super) struct Run<'a> {
    forge: &'a dyn Forge,
    config: &'a RepoConfig,
    issue: IssueNumber,
    reader: Reader<'a>,
    memory: RunMemory,
    cache: SearchCache,
    /// The games that the last `/mine` listed.
    games_in_progress: Option<GamesInProgress>,
    backoff: Backoff,
    /// The limits of this thread in a sweep; `None` outside of a sweep.
    budget: Option<SweepBudget>,
    /// What to do about the clock of the thread's game when nothing is left to settle.
    clock_duty: Option<ClockDuty>,
    /// Whether another run waits for this one, which then doesn't wait for a third.
    is_awaited: bool,
    ledger: &'a mut Ledger,
}

impl<'a> Run<'a> {
    /// Creates the run of a thread. `trigger_comment` is the comment that started it; `other_table` is a table to read with it.
    pub(super) fn new(
        forge: &'a dyn Forge,
        config: &'a RepoConfig,
        issue: IssueNumber,
        trigger_comment: Option<CommentRef>,
        other_table: Option<IssueNumber>,
        ledger: &'a mut Ledger,
    ) -> Run<'a> {
        Run {
            forge,
            config,
            issue,
            reader: Reader::new(forge, config, issue, trigger_comment, other_table),
            memory: RunMemory::new(ledger.people.clone()),
            cache: SearchCache::default(),
            games_in_progress: None,
            backoff: Backoff::new(forge),
            budget: None,
            clock_duty: None,
            is_awaited: false,
            ledger,
        }
    }

    /// Limits the run to its share of a sweep: three minutes and `commands` commands.
    pub(super) fn with_share(mut self, commands: u32) -> Run<'a> {
        let (deadline, max_settled) = (self.forge.elapsed() + SHARE_TIME, self.ledger.settled_commands() + commands);
        self.budget = Some(SweepBudget { deadline, max_settled, is_due: false });
        self
    }

    /// Makes the run attend to the clock of the thread's game, too, whatever the sweep has done before.
    pub(super) fn with_clock_duty(mut self, duty: ClockDuty) -> Run<'a> {
        self = self.with_share(MIN_SHARE);
        self.clock_duty = Some(duty);
        self.budget.iter_mut().for_each(|budget| budget.is_due = true);
        self
    }

    /// Makes the run look back to this time in an issue without a table.
    pub(super) fn looking_back_to(mut self, cutoff: Timestamp) -> Run<'a> {
        self.reader.look_back_to(cutoff);
        self
    }

    /// Settles every pending command in the thread.
    pub(super) async fn settle_thread(mut self) -> Result<(), SettleError> {
        let outcome = self.run_passes().await;
        self.ledger.people = self.memory.into_people();
        outcome
    }

    async fn run_passes(&mut self) -> Result<(), SettleError> {
        while !self.is_limit_reached() {
            match self.run_pass().await {
                Ok(Pass::Finished) => return Ok(()),
                Ok(Pass::Unfinished) => {}
                Err(PassError::End(error)) => return Err(error),
                Err(PassError::Fault(Fault::TooLong(why))) if self.reader.shrink_page() => {
                    info!("{why} Asking for less at a time");
                }
                Err(PassError::Fault(fault)) => {
                    if matches!(fault, Fault::Lost(_)) {
                        self.reader.shrink_page();
                    }
                    self.backoff.after_fault(self.forge, fault).await?;
                }
            }
        }
        Ok(())
    }

    /// Whether the run has reached its limit.
    fn is_limit_reached(&mut self) -> bool {
        let Some(SweepBudget { deadline, max_settled, is_due }) = self.budget else {
            return self.ledger.is_limit_reached();
        };
        let is_share_used = self.forge.elapsed() >= deadline || self.ledger.settled_commands() >= max_settled;
        if is_share_used {
            self.ledger.note(HostNote::ShareUsed(self.issue));
        }
        is_share_used || !is_due && self.ledger.is_limit_reached()
    }

    /// Reads once and makes one step.
    async fn run_pass(&mut self) -> Result<Pass, PassError> {
        let mut view = self.reader.read_view().await?;
        self.record_view(&view).await?;
        if view.is_stale {
            return Ok(Pass::Unfinished);
        }
        if let Some(from) = self.find_missing_branch(&view).await? {
            self.forge.create_branch(&from).await?;
            return Ok(Pass::Unfinished);
        }
        view.start_clocks();
        let policy = &self.config.policy;
        let mut step = plan(&view, self.issue, &self.memory, policy);
        loop {
            match step {
                NextStep::ReadBackTo(source) => {
                    let read = self.reader.read_back_to(source, &view).await?;
                    self.record_view(&read).await?;
                    if read.is_stale {
                        return Ok(Pass::Unfinished);
                    }
                    if !view.merge(read) {
                        self.backoff.after_race(self.forge).await?;
                        return Ok(Pass::Unfinished);
                    }
                }
                NextStep::AskPermission(person) => {
                    let permission = self.forge.permission(&person).await?;
                    self.memory.note_permission(person.id, permission);
                }
                _ => break,
            }
            view.start_clocks();
            step = plan(&view, self.issue, &self.memory, policy);
        }
        let outcome = match step {
            NextStep::Idle => {
                if self.attend_clock(&mut view).await? {
                    return Ok(Pass::Unfinished);
                }
                self.warn_unreachable_floor(&view);
                self.repair_running_file(&view).await?;
                return Ok(Pass::Finished);
            }
            NextStep::UpdateIssue(updates) => {
                self.memory.note(Fact::IssueUpdated(self.issue));
                for update in updates {
                    self.make_update(update).await;
                }
                self.repair_running_file(&view).await?;
                return Ok(self.pass_after_last_step());
            }
            // The loop above has already made these steps.
            NextStep::ReadBackTo(_) | NextStep::AskPermission(_) => StepOutcome::ReadAgain,
            NextStep::ReadThread { issue, ignored } => {
                ignored.into_iter().for_each(|source| self.memory.note(Fact::Ignored(source)));
                self.reader.also_read(issue);
                StepOutcome::ReadAgain
            }
            NextStep::Wait(uncertainty) => {
                self.wait_for(uncertainty).await?;
                StepOutcome::ReadAgain
            }
            NextStep::Restore(issue, commit) => {
                return Err(self.config.record_problem(issue, RecordFault::Missing(commit)).into());
            }
            NextStep::Delete { answer, command } => {
                self.forge.delete(answer).await?;
                command.into_iter().for_each(|command| self.memory.forget_answer(command));
                StepOutcome::ReadAgain
            }
            NextStep::AnnounceFlag(issue) => self.announce_flag(&view, issue).await?,
            NextStep::Answer { table, source } => self.post_missing_answer(&mut view, table, source).await?,
            NextStep::Settle(command) => self.settle_command(&mut view, *command).await?,
        };
        // After a step that the view shows, the run need not read again to see that nothing is left.
        let is_finished =
            outcome == StepOutcome::Done && matches!(plan(&view, self.issue, &self.memory, policy), NextStep::Idle);
        Ok(if is_finished { self.pass_after_last_step() } else { Pass::Unfinished })
    }

    /// Returns whether the run is finished when nothing is left to settle. A clock needs a read of its own.
    fn pass_after_last_step(&self) -> Pass {
        if self.clock_duty.is_some() { Pass::Unfinished } else { Pass::Finished }
    }

    /// Records the tables of a read, and waits if the read is stale.
    async fn record_view(&mut self, view: &View) -> Result<(), PassError> {
        for table in view.threads.values().filter_map(|seen| seen.table.as_ref()) {
            self.ledger.record_table(table);
        }
        if view.is_stale {
            self.backoff.wait(self.forge, RECHECK_DELAY).await?;
        }
        Ok(())
    }

    /// Returns the commit to create the games' branch from; `None` if there is no branch to create.
    ///
    /// After the host sets the input `branch`, the records are still on the default branch.
    async fn find_missing_branch(&mut self, view: &View) -> Result<Option<Oid>, PassError> {
        let Head::Missing { create_from: Some(from) } = &view.head else { return Ok(None) };
        let unknown: Vec<IssueNumber> =
            view.threads.keys().copied().filter(|issue| !self.memory.has(Fact::NotOnDefaultBranch(*issue))).collect();
        if unknown.is_empty() {
            return Ok(None);
        }
        let paths: Vec<String> = unknown.iter().map(|issue| self.config.record_path(*issue)).collect();
        let files = self.forge.read_files(from, &paths).await?;
        for (issue, path) in unknown.iter().zip(&paths) {
            let Some(seen) = view.threads.get(issue) else { continue };
            // If the game moved on after this record, the branch was deleted, and the host has to restore it.
            let is_current = |text: &str| {
                let table = state_file::load(text, *issue).ok();
                table.is_none_or(|table| !seen.answers.is_ahead_of(&table))
            };
            if files.get(path).and_then(FileContent::text).is_some_and(is_current) {
                info!("Creating the branch, because the game of issue {issue} is on the default branch.");
                return Ok(Some(from.clone()));
            }
            self.memory.note(Fact::NotOnDefaultBranch(*issue));
        }
        Ok(None)
    }

    /// Notes a record whose floor is above every comment of its thread.
    fn warn_unreachable_floor(&mut self, view: &View) {
        let Some(source) = self.reader.trigger_comment() else { return };
        let Some(floor) = unreachable_floor(view, source) else { return };
        self.ledger.note(HostNote::UnreachableFloor { path: self.config.record_path(source.issue), floor, source });
    }

    /// Waits for an uncertainty to resolve. If it has lasted long enough, confirms it instead.
    async fn wait_for(&mut self, uncertainty: Uncertainty) -> Result<(), PassError> {
        let Some(age) = self.memory.note_uncertainty(uncertainty, self.forge.now()) else { return Ok(()) };
        // After six seconds, the other run has probably died.
        let pause = if age < SLOW_RECHECK_AFTER { RECHECK_DELAY } else { 2 * RECHECK_DELAY };
        Ok(self.backoff.wait(self.forge, pause).await?)
    }

    /// Settles one command.
    async fn settle_command(&mut self, view: &mut View, command: PendingCommand) -> Result<StepOutcome, PassError> {
        let PendingCommand { table, context, verdict, is_record_stale, record_fault } = command;
        let was_accepted = matches!(verdict, Verdict::Accept(_));
        let notice = if is_record_stale { format!("{STALE_RECORD_NOTICE}\n\n") } else { String::new() };
        let content = match self.cache.resolve(verdict) {
            Decision::Apply { table: next, previous } => {
                let away = match next.depends_on_silence() {
                    true => self.check_time_away(view, table, Some(context.author.id)).await?,
                    false => AwayCheck::Complete,
                };
                match (refuse_invitation(self.forge, &mut self.memory, &next).await, away) {
                    (_, AwayCheck::Restored) => return Ok(StepOutcome::ReadAgain),
                    (_, AwayCheck::Damaged(person)) => Some(Content::Refuse(Refusal::UnreadableAway(person))),
                    (Some(refusal), AwayCheck::Complete) => Some(Content::Refuse(refusal)),
                    (None, AwayCheck::Complete) => {
                        if takes_overdue_seat(&next) {
                            match self.settle_elsewhere(view, table).await? {
                                Elsewhere::Nothing => {}
                                Elsewhere::Settled => return Ok(StepOutcome::ReadAgain),
                                Elsewhere::Unsettled => {
                                    self.memory.note(Fact::Ignored(context.source));
                                    return Ok(StepOutcome::ReadAgain);
                                }
                            }
                        }
                        let tables = (*next, previous.map(|before| *before));
                        return self.apply(view, table, &context, tables, &notice).await;
                    }
                }
            }
            Decision::Chat => None,
            Decision::Refuse(refusal) => Some(Content::Refuse(refusal)),
            Decision::Show(query) => Some(Content::Show(query)),
            Decision::Away(request) => Some(Content::Away(request)),
        };
        let source = context.source;
        if was_accepted && self.memory.is_at_limit(&context.author) {
            self.memory.note(Fact::Deferred(context.author.id));
            return Ok(StepOutcome::ReadAgain);
        }
        let (config, before, head) = (self.config, view.table(table), view.head_commit());
        let standings = match &content {
            Some(Content::Show(query)) => standings_text(self.forge, &config.state_dir, head, query, before).await?,
            _ => None,
        };
        if self.forge.now().since(view.read_at) > MAX_READ_AGE {
            info!(
                "Reading again: the last read is too old to answer comment {} of issue {}.",
                source.comment, source.issue
            );
            self.backoff.after_slow_read()?;
            return Ok(StepOutcome::ReadAgain);
        }
        let Some(content) = content else { return Ok(StepOutcome::Done) };
        if let Content::Refuse(refusal) = &content {
            self.note_refusal(table, source, refusal, record_fault);
        }
        let reaction = match &content {
            Content::Show(_) | Content::Away(_) => Reaction::Eyes,
            Content::Refuse(_) => Reaction::Confused,
        };
        if self.claim(source, reaction).await? == AnswerClaim::Denied {
            return Ok(StepOutcome::ReadAgain);
        }
        let mut is_view_current = true;
        let text = match (&content, standings) {
            (Content::Away(request), _) => match self.set_time_away(view, &context, *request).await? {
                Some((text, has_changed)) => {
                    is_view_current = !has_changed;
                    text
                }
                None => return Ok(StepOutcome::ReadAgain),
            },
            (Content::Show(_), Some(text)) => text,
            (Content::Show(query), None) => self.show_text(view, &context, query, before).await?,
            (Content::Refuse(refusal), _) => {
                config.render_answer(head, |format| announce::refuse(refusal, &context.author, before, format))
            }
        };
        self.ledger.record_unchanged(table, reaction);
        self.memory.count_answer_without_change(&context.author);
        let text = &format!("{notice}{text}");
        let outcome = self.post_answer(view, AnswerText { source, table, commit: None, text }).await?;
        Ok(if is_view_current { outcome } else { StepOutcome::ReadAgain })
    }

    /// Settles the comments in other issues that were written before the player to move ran out of time, and would change the
    /// table. Their own runs may have failed.
    async fn settle_elsewhere(&mut self, view: &mut View, table: IssueNumber) -> Result<Elsewhere, PassError> {
        // The player may have moved before the bot told them of their turn.
        let turn = view.table(table).and_then(|table| {
            with_table!(table, table => {
                let event = table.history().get(table.state().turn_event())?;
                Some((event.timestamp, table.state().turn_clock()?.deadline()))
            })
        });
        let Some((since, until)) = turn.filter(|(_, deadline)| *deadline <= self.forge.now()) else {
            return Ok(Elsewhere::Nothing);
        };
        if self.is_awaited {
            return Ok(Elsewhere::Unsettled);
        }
        let recent = self.recent_issues(since, until).await?;
        view.cutoff = view.cutoff.min(since);
        let is_settled = |issue| self.memory.has(Fact::SettledElsewhere(issue));
        let Some(issue) = recent.find_command(view, table, until, &self.config.policy, is_settled) else {
            return Ok(Elsewhere::Nothing);
        };
        info!("Settling issue {issue} first, because a comment there is about the game of issue {table}.");
        self.memory.note(Fact::SettledElsewhere(issue));
        let run = Run::new(self.forge, self.config, issue, None, None, self.ledger);
        let run = Run { is_awaited: true, ..run.with_share(MIN_SHARE).looking_back_to(since) };
        Box::pin(run.settle_thread()).await?;
        let is_left = self.ledger.notes.iter().any(|note| match note {
            HostNote::ShareUsed(left) => *left == issue,
            note => *note == HostNote::CommandLimit,
        });
        Ok(if is_left { Elsewhere::Unsettled } else { Elsewhere::Settled })
    }

    /// Returns the issues that were updated between two times.
    async fn recent_issues(&mut self, since: Timestamp, until: Timestamp) -> Result<Rc<RecentIssues>, SettleError> {
        let known = self.ledger.recent.clone();
        if let Some(recent) = known.as_ref().filter(|recent| recent.since <= since && until <= recent.until) {
            return Ok(recent.clone());
        }
        let since = known.map_or(since, |recent| recent.since.min(since));
        let recent = Rc::new(RecentIssues::list(self.forge, self.config, since, MAX_LISTS).await?);
        self.ledger.recent = Some(recent.clone());
        Ok(recent)
    }

    /// Commits the outcome of a command and answers it.
    async fn apply(
        &mut self,
        view: &mut View,
        table: IssueNumber,
        context: &CommentContext,
        (next, previous): (AnyTable, Option<AnyTable>),
        notice: &str,
    ) -> Result<StepOutcome, PassError> {
        let next = view.bind(next, context.source);
        if previous.is_some() {
            self.unassign_former_players(view, table).await;
        }
        let Some((next, commit)) =
            self.commit(view, next, previous.as_ref(), (&context.author, context.updated_at)).await?
        else {
            return Ok(StepOutcome::ReadAgain);
        };
        let (source, issue) = (context.source, next.issue());
        // `/continue` changes two tables: the old one, and the one in this issue.
        for number in [table, issue] {
            self.memory.note_applied(number, next.round(), source);
        }
        self.ledger.record_applied(&next, &commit);
        let text = self.config.render_answer(Some(&commit), |format| announcement(&next, self.config, format));
        let tables: Vec<AnyTable> = previous.into_iter().chain([next]).collect();
        for table in &tables {
            self.ledger.record_table(table);
        }
        view.apply_commit(commit.clone(), tables);
        view.start_new_turn(issue, self.forge.now());
        let text = &format!("{notice}{text}");
        self.post_answer(view, AnswerText { source, table: issue, commit: Some(commit), text }).await
    }

    /// Commits a table on the head of the view, with this author and time.
    ///
    /// Returns the table as committed, and the commit; `None` if the run has to decide again.
    async fn commit(
        &mut self,
        view: &View,
        table: AnyTable,
        previous: Option<&AnyTable>,
        (author, time): (&Author, Timestamp),
    ) -> Result<Option<(AnyTable, Oid)>, PassError> {
        let parent = match &view.head {
            Head::Commit(oid) => Some(oid.clone()),
            Head::Missing { create_from: None } => None,
            Head::Missing { create_from: Some(from) } => {
                self.forge.create_branch(from).await?;
                return Ok(None);
            }
        };
        let table = table.announced_at(self.forge.now());
        let commit_files =
            CommitFiles::collect(self.forge, self.config, parent.as_ref(), table, previous, view).await?;
        let (headline, body) = commit_message::commit_message(
            &commit_files.table,
            author,
            &self.config.noreply_domain,
            self.config.skip_ci,
        );
        info!("Committing: {headline}");
        let CommitFiles { table, files, deleted, page_problems, failure } = commit_files;
        let author = author.clone();
        let change = Change { parent, files, deleted, headline, body, author, time };
        match self.forge.commit(&change).await? {
            CommitOutcome::Landed(commit) => {
                for (path, problems) in page_problems {
                    self.ledger.record_page(&path, problems);
                }
                failure.into_iter().for_each(|failure| self.ledger.note(failure));
                Ok(Some((table, commit)))
            }
            CommitOutcome::Stale => {
                info!(
                    "Somebody else committed first, or GitHub doesn't show the last commit yet. Reading and deciding again."
                );
                self.backoff.after_race(self.forge).await?;
                Ok(None)
            }
        }
    }
}

/// Whether the last event of a table takes something from a player who was out of time.
fn takes_overdue_seat(table: &AnyTable) -> bool {
    with_table!(table, table => {
        let last = table.history().last();
        last.is_some_and(|event| matches!(event.kind, EventKind::Claim | EventKind::SeatComputer { .. }))
    })
}
