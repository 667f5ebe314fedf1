//! The run of one thread: read, decide, commit, answer, until nothing is left to settle.
//!
//! [`settle`] is the entry point. The event only says where to look; the run decides on what it reads. If anything goes wrong (a
//! lost race, a lost reply, a stale read, another run at the same comment), the run reads and plans again. It never repeats a
//! write without a read in between.

use std::time::Duration;

use table::{CommentRef, IssueNumber, Oid, Timestamp, state_file};
use tracing::info;

use self::command::FinishedSearches;
use crate::clock::Backoff;
use crate::ledger::PassError;
use crate::memory::{RunMemory, RunNote};
use crate::own_games_query::GamesInProgress;
use crate::plan::{NextStep, plan, too_high_settled_through};
use crate::reader::{Reader, RecordFault, RepoState, Uncertainty};
use crate::settle::clock_check::ClockCheck;
use crate::sweep::{catch_up, sweep};
use crate::{FileContent, Forge, Head, HostNote, Ledger, RepoConfig, Report, RequestError, SettleError, Trigger};

mod answering;
mod away;
pub mod clock_check;
mod command;
mod voting;

/// The pause before the next read, while another run may be about to settle something.
const RECHECK_DELAY: Duration = Duration::from_secs(2);
/// The age of an uncertainty from which the pauses are twice as long.
const SLOW_RECHECK_AFTER: Duration = Duration::from_secs(6);
/// The number of commands that a sweep settles in one thread at least.
pub(super) const MIN_SHARE: u32 = 20;
/// The time that a sweep gives one thread: three minutes, enough for several uncertainties.
const SHARE_TIME: Duration = Duration::from_secs(180);
/// The difference between the clocks of the machine and of the forge from which the summary names it.
const MAX_CLOCK_ERROR: Duration = Duration::from_secs(60);

/// Settles every pending command in the thread that the trigger names, or in all recent games.
///
/// # Errors
/// Returns an error if the host has to act, or if the forge stays unreachable.
pub async fn settle(forge: &dyn Forge, config: &RepoConfig, trigger: Trigger) -> Result<Report, SettleError> {
    settle_with_ledger(forge, config, trigger, &mut Ledger::default()).await
}

/// Does what [`settle`] does, and records the work and the notes in `ledger` even if the run fails.
///
/// # Errors
/// Returns an error if [`settle`] would.
pub async fn settle_with_ledger(
    forge: &dyn Forge,
    config: &RepoConfig,
    trigger: Trigger,
    ledger: &mut Ledger,
) -> Result<Report, SettleError> {
    let outcome = match trigger {
        Trigger::Comment { source, table } => {
            Run::new(forge, config, source.issue, Some(source), table, ledger)
                .with_settings_check()
                .settle_thread()
                .await
        }
        Trigger::Issue(issue) => {
            Run::new(forge, config, issue, None, None, ledger).with_settings_check().settle_thread().await
        }
        Trigger::Votes(issue) => {
            let run = Run::new(forge, config, issue, None, None, ledger).with_settings_check();
            run.with_clock_check(ClockCheck { began_at: forge.now() }).settle_thread().await
        }
        Trigger::Recent(since) => catch_up(forge, config, since, ledger).await,
        Trigger::Sweep => sweep(forge, config, ledger).await,
    };
    note_wrong_clock(forge, ledger);
    let has_current_settings = !matches!(outcome, Err(SettleError::SettingsChanged(_)));
    if let Some(source) = config.settings.as_ref().filter(|source| has_current_settings && !source.mistakes.is_empty())
    {
        ledger.note(HostNote::Settings(source.clone()));
    }
    outcome.map(|()| ledger.report())
}

/// Notes that the machine's clock is wrong.
fn note_wrong_clock(forge: &dyn Forge, ledger: &mut Ledger) {
    let (machine, right) = (forge.machine_time(), forge.now());
    let by = machine.since(right).max(right.since(machine));
    if by > MAX_CLOCK_ERROR {
        let minutes = (by.as_secs() + 30) / 60;
        ledger.note(HostNote::WrongClock { by: Duration::from_secs(60 * minutes), is_ahead: machine > right });
    }
}

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

/// The limits of one thread in a sweep.
struct SweepBudget {
    /// The time since the start of the run at which the thread's share is used up.
    deadline: Duration,
    max_settled: u32,
    /// Whether the limit of the whole run doesn't count, so that a flood elsewhere holds up no clock.
    is_due: bool,
}

/// The run of one thread.
pub(super) struct Run<'a> {
    forge: &'a dyn Forge,
    config: &'a RepoConfig,
    issue: IssueNumber,
    reader: Reader<'a>,
    memory: RunMemory,
    searches: FinishedSearches,
    /// The games that the last `/mine` listed.
    games_in_progress: Option<GamesInProgress>,
    backoff: Backoff,
    /// The limits of this thread in a sweep; `None` outside of a sweep.
    budget: Option<SweepBudget>,
    /// What to do about the clock of the thread's game when nothing is left to settle.
    clock_check: Option<ClockCheck>,
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
            searches: FinishedSearches::default(),
            games_in_progress: None,
            backoff: Backoff::new(forge),
            budget: None,
            clock_check: None,
            is_awaited: false,
            ledger,
        }
    }

    /// Makes the run check the settings file with its first read, because nothing has been read before.
    fn with_settings_check(mut self) -> Run<'a> {
        self.reader.check_settings(self.ledger.first_read.take());
        self
    }

    /// Limits the run to its share of a sweep: three minutes and `commands` commands.
    pub(super) fn with_share(mut self, commands: u32) -> Run<'a> {
        let (deadline, max_settled) = (self.forge.elapsed() + SHARE_TIME, self.ledger.settled_commands() + commands);
        self.budget = Some(SweepBudget { deadline, max_settled, is_due: false });
        self
    }

    /// Makes the run attend to the clock of the thread's game, too, whatever the sweep has done before.
    pub(super) fn with_clock_check(mut self, duty: ClockCheck) -> Run<'a> {
        self = self.with_share(MIN_SHARE);
        self.clock_check = Some(duty);
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
                Err(PassError::RequestError(RequestError::TooLong(why))) if self.reader.shrink_page() => {
                    info!("{why} Asking for less at a time");
                }
                Err(PassError::RequestError(error)) => {
                    if matches!(error, RequestError::Lost(_)) {
                        self.reader.shrink_page();
                    }
                    self.backoff.after_error(self.forge, error).await?;
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
        if let Some(read) = view.other_settings.take() {
            return Err(SettleError::SettingsChanged(read).into());
        }
        self.record_view(&view).await?;
        if view.is_stale {
            return Ok(Pass::Unfinished);
        }
        if let Some(from) = self.find_missing_branch(&view).await? {
            self.forge.create_branch(&from).await?;
            return Ok(Pass::Unfinished);
        }
        view.start_clocks();
        self.record_tables(&view);
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
            self.record_tables(&view);
            step = plan(&view, self.issue, &self.memory, policy);
        }
        let step = match step {
            NextStep::Settle(command) if !command.changes_table() && self.are_votes_due(&view) => NextStep::Idle,
            step => step,
        };
        let outcome = match step {
            NextStep::Idle => {
                if self.attend_clock(&mut view).await? {
                    return Ok(Pass::Unfinished);
                }
                self.warn_too_high_settled_through(&view);
                self.repair_running_file(&view).await?;
                return Ok(Pass::Finished);
            }
            NextStep::UpdateIssue(updates) => {
                self.memory.note(RunNote::IssueUpdated(self.issue));
                for update in updates {
                    self.make_update(update).await;
                }
                self.repair_running_file(&view).await?;
                return Ok(self.pass_after_last_step());
            }
            // The loop above has already made these steps.
            NextStep::ReadBackTo(_) | NextStep::AskPermission(_) => StepOutcome::ReadAgain,
            NextStep::ReadThread { issue, ignored } => {
                ignored.into_iter().for_each(|source| self.memory.note(RunNote::Ignored(source)));
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
            NextStep::PostBallot(issue) => self.post_ballot(&mut view, issue).await?,
            NextStep::Answer { table, source } => self.post_missing_answer(&mut view, table, source).await?,
            NextStep::Settle(command) => self.settle_command(&mut view, *command).await?,
        };
        // After a step that the view shows, the run need not read again to see that nothing is left.
        let is_finished =
            outcome == StepOutcome::Done && matches!(plan(&view, self.issue, &self.memory, policy), NextStep::Idle);
        if !is_finished {
            return Ok(Pass::Unfinished);
        }
        // The bot may have posted a ballot late.
        self.record_tables(&view);
        Ok(self.pass_after_last_step())
    }

    /// Returns whether the run is finished when nothing is left to settle. A clock needs a read of its own.
    fn pass_after_last_step(&self) -> Pass {
        if self.clock_check.is_some() { Pass::Unfinished } else { Pass::Finished }
    }

    /// Records the tables of a read, and waits if the read is stale.
    async fn record_view(&mut self, view: &RepoState) -> Result<(), PassError> {
        self.record_tables(view);
        if view.is_stale {
            self.backoff.wait(self.forge, RECHECK_DELAY).await?;
        }
        Ok(())
    }

    fn record_tables(&mut self, view: &RepoState) {
        for seen in view.threads.values() {
            let Some(table) = &seen.table else { continue };
            self.ledger.record_table(table);
            if seen.thread.is_locked {
                self.ledger.suspend_votes(table.issue());
            }
        }
    }

    /// Returns the commit to create the games' branch from; `None` if there is no branch to create.
    ///
    /// After the host sets the input `branch`, the records are still on the default branch.
    async fn find_missing_branch(&mut self, view: &RepoState) -> Result<Option<Oid>, PassError> {
        let Head::Missing { create_from: Some(from) } = &view.head else { return Ok(None) };
        let unknown: Vec<IssueNumber> = view
            .threads
            .keys()
            .copied()
            .filter(|issue| !self.memory.has(RunNote::NotOnDefaultBranch(*issue)))
            .collect();
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
            self.memory.note(RunNote::NotOnDefaultBranch(*issue));
        }
        Ok(None)
    }

    /// Notes a record whose `through` is above every comment of its thread.
    fn warn_too_high_settled_through(&mut self, view: &RepoState) {
        let Some(source) = self.reader.trigger_comment() else { return };
        let Some(settled_through) = too_high_settled_through(view, source) else { return };
        self.ledger.note(HostNote::ThroughIsTooHigh {
            path: self.config.record_path(source.issue),
            settled_through,
            source,
        });
    }

    /// Waits for an uncertainty to resolve. If it has lasted long enough, confirms it instead.
    async fn wait_for(&mut self, uncertainty: Uncertainty) -> Result<(), PassError> {
        let Some(age) = self.memory.note_uncertainty(uncertainty, self.forge.now()) else { return Ok(()) };
        // After six seconds, the other run has probably died.
        let pause = if age < SLOW_RECHECK_AFTER { RECHECK_DELAY } else { 2 * RECHECK_DELAY };
        Ok(self.backoff.wait(self.forge, pause).await?)
    }
}
