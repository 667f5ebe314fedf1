//! Handles the clock of a game during a sweep, once its thread is settled.

use std::rc::Rc;
use std::time::Duration;

use answers::{Notice, NoticeKind, status};
use table::absence::time_away;
use table::{
    CommentId, EventKind, GameSummary, IssueNumber, LATE_AFTER, MENTION_INTERVAL, Table, Timestamp, Turn, let_flag_fall,
};
use tracing::info;

use crate::answer::notice;
use crate::commit_files::RunningFiles;
use crate::forge::bot_author;
use crate::ledger::PassError;
use crate::memory::RunNote;
use crate::plan::first_unsettled_command;
use crate::reader::RepoState;
use crate::recent_issues::RecentIssues;
use crate::settle::away::AwayCheck;
use crate::settle::{MIN_SHARE, Run, StepOutcome};
use crate::{Answer, HostNote, PostOutcome, SettleError, announcement};

/// The limit on the requests for a list of issues, before a player is out of time.
const MAX_LISTS: usize = 10;

/// The outcome of looking for commands in other issues.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Elsewhere {
    /// Nothing there would change the table.
    Nothing,
    /// Something was settled there, so the run has to read again.
    Settled,
    /// Something there is left for a later run.
    Unsettled,
}

impl Run<'_> {
    /// Lets the flag of the thread's game fall, or reminds the player to move. Returns false if the clock needs nothing.
    pub(super) async fn attend_clock(&mut self, view: &mut RepoState) -> Result<bool, PassError> {
        let Some(duty) = self.clock_check.take() else { return Ok(false) };
        let (issue, now) = (self.issue, self.forge.now());
        let Some((seen, table)) = view.threads.get(&issue).and_then(|seen| Some((seen, seen.table.as_ref()?))) else {
            return Ok(false);
        };
        let unsettled = first_unsettled_command(view, issue, &self.memory, &self.config.policy);
        // What is left at a crowd's turn can't change it.
        if seen.thread.is_locked || unsettled.is_some() && table.ballot().is_none() {
            return Ok(false);
        }
        match duty.step(table, now) {
            None => Ok(false),
            Some(ClockStep::Count) => self.count_votes(view, issue, unsettled).await,
            Some(ClockStep::Flag) => {
                if self.ledger.has_applied(issue) {
                    return Ok(false);
                }
                match self.settle_elsewhere(view, issue).await? {
                    Elsewhere::Nothing => match self.check_time_away(view, issue, None).await? {
                        AwayCheck::Complete => self.end_on_time(view, issue).await,
                        AwayCheck::Restored | AwayCheck::Damaged(_) => Ok(false),
                    },
                    Elsewhere::Settled => {
                        self.clock_check = Some(duty);
                        Ok(true)
                    }
                    Elsewhere::Unsettled => Ok(false),
                }
            }
            Some(ClockStep::Reminder(kind, Turn { round, number })) => {
                let notice = Notice { kind, table: issue, round, event: number, commit: None, settings: None };
                if seen.answers.has_notice(&notice) {
                    return Ok(false);
                }
                let Some(text) = status::reminder(table, kind, now) else { return Ok(false) };
                let text = self.config.render_answer(None, |format| format.render(&text));
                info!("Reminding the player to move in issue {issue}.");
                let answer = Answer { source: notice.place(), body: notice.prepend_to(&text), updates: Vec::new() };
                self.post_notice(&answer).await?;
                Ok(true)
            }
        }
    }

    /// Whether it's time to count the votes at the thread's table. Commands that change nothing don't hold that up.
    pub(super) fn are_votes_due(&self, view: &RepoState) -> bool {
        let due = view.table(self.issue).zip(self.clock_check);
        due.is_some_and(|(table, duty)| duty.step(table, self.forge.now()) == Some(ClockStep::Count))
    }

    /// In a sweep, commits the summary of the thread's game if it is missing, or if the game's issue was unlocked.
    pub(super) async fn repair_running_file(&self, view: &RepoState) -> Result<(), PassError> {
        let (Some(_), Some(seen), Some(head)) = (&self.budget, view.threads.get(&self.issue), view.head_commit())
        else {
            return Ok(());
        };
        let Some(table) = seen.table.as_ref().filter(|_| !seen.thread.is_locked) else { return Ok(()) };
        // A file that is less than a minute off is fine.
        let filed = view.game_summary(self.issue).map(|game| game.since).unwrap_or_default();
        let is_close = filed.since(table.turn_started_at()).max(table.turn_started_at().since(filed)) < LATE_AFTER;
        let table = if is_close { table.clone().with_clock_start(filed) } else { table.clone() };
        let files = RunningFiles::updates(view, &self.config.state_dir, [&table]);
        if let Some(change) = files.into_change(head, self.issue, self.config.skip_ci, self.forge.now()) {
            // After a lost race, the next sweep tries again.
            self.forge.commit(&change).await?;
        }
        Ok(())
    }

    /// Ends the game, because the player to move is out of time. The next pass announces it.
    async fn end_on_time(&mut self, view: &RepoState, issue: IssueNumber) -> Result<bool, PassError> {
        let now = self.forge.now();
        let ended = view.table(issue).and_then(|table| let_flag_fall(table, &self.config.policy));
        let Some(ended) = ended else { return Ok(false) };
        if let Some((ended, commit)) = self.commit(view, ended, None, (&bot_author(), now)).await? {
            self.memory.note(RunNote::MadeNews(ended.issue()));
            self.ledger.record_applied(&ended, &commit);
        }
        Ok(true)
    }

    /// Announces a flag that has fallen.
    pub(super) async fn announce_flag(
        &mut self,
        view: &RepoState,
        issue: IssueNumber,
    ) -> Result<StepOutcome, PassError> {
        let (Some(table), Some(head)) = (view.table(issue), view.head_commit()) else {
            return Ok(StepOutcome::ReadAgain);
        };
        let Some((round, event)) = table.fallen_flag() else { return Ok(StepOutcome::ReadAgain) };
        let text = self.config.render_answer(Some(head), |format| announcement(table, self.config, format));
        let kind =
            Notice { kind: NoticeKind::Flag, table: issue, round, event, commit: Some(head.clone()), settings: None };
        let answer = notice(self.config, view, &kind, &text);
        Ok(self.post_notice(&answer).await?.0)
    }

    /// Settles the comments in other issues that were written before the player to move ran out of time, and would change the
    /// table. Their own runs may have failed.
    pub(super) async fn settle_elsewhere(
        &mut self,
        view: &mut RepoState,
        table: IssueNumber,
    ) -> Result<Elsewhere, PassError> {
        // The player may have moved before the bot told them of their turn.
        let turn = view.table(table).and_then(|table| {
            let event = table.history().get(table.state().turn_event())?;
            Some((event.timestamp, table.state().turn_clock()?.deadline()))
        });
        let Some((since, until)) = turn.filter(|(_, deadline)| *deadline <= self.forge.now()) else {
            return Ok(Elsewhere::Nothing);
        };
        if self.is_awaited {
            return Ok(Elsewhere::Unsettled);
        }
        let recent = self.recent_issues(since, until).await?;
        view.cutoff = view.cutoff.min(since);
        let is_settled = |issue| self.memory.has(RunNote::SettledElsewhere(issue));
        let Some(issue) = recent.find_command(view, table, until, &self.config.policy, is_settled) else {
            return Ok(Elsewhere::Nothing);
        };
        info!("Settling issue {issue} first, because a comment there is about the game of issue {table}.");
        self.memory.note(RunNote::SettledElsewhere(issue));
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

    /// Posts a comment that no command asked for. Returns its ID, too, if the forge says it.
    pub(super) async fn post_notice(&mut self, answer: &Answer) -> Result<(StepOutcome, Option<CommentId>), PassError> {
        let (source, issue) = (answer.source, answer.source.issue);
        let mut answer = answer.clone();
        if self.memory.has(RunNote::AnswersAlone(source)) {
            answer.updates.clear();
        }
        let outcome = self.forge.answer(&answer).await?;
        match outcome.comment {
            PostOutcome::Done => {
                self.note_failed_updates(&outcome.failed_updates);
            }
            PostOutcome::Refused(why) => self.ledger.note(HostNote::Unanswerable(issue, why)),
            PostOutcome::Failed(why) => {
                info!("The notice in issue {issue} wasn't posted: {why}");
                self.memory.note(RunNote::AnswersAlone(source));
                return Ok((StepOutcome::ReadAgain, None));
            }
        }
        self.memory.note(RunNote::Noticed(issue));
        Ok((StepOutcome::Done, outcome.posted))
    }
}

// Finds the games where a flag falls or a player needs a reminder, during a sweep.
//
// A flag falls at least two hours after the deadline, on a read that shows nothing unsettled, and only after a look for
// commands in other issues. So a comment before the deadline always counts, even if its run failed.

/// The time between a deadline and the fall of a flag: two hours. By then, comments from before the deadline are
/// visible, even if the runner's clock is wrong.
pub const GRACE: Duration = Duration::from_secs(2 * 60 * 60);
/// The time before a deadline in which the last reminder is due: a day and a half, so that a daily run falls into it even if it's
/// late.
const LAST_REMINDER: Duration = Duration::from_secs(36 * 60 * 60);
/// The shortest time for a turn with reminders: two days.
const MIN_REMINDED: Duration = Duration::from_secs(2 * 24 * 60 * 60);
/// The length of a turn without a clock after which the player is reminded: a week.
const SILENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The length of a turn without a clock after which reminders stop: two weeks. Otherwise each daily run would read each
/// abandoned game.
const LONG_SILENCE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// What a sweep knows when it attends to clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockCheck {
    /// When the sweep began.
    pub(crate) began_at: Timestamp,
}

/// An action that a game's clock needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockStep {
    /// The game ends, because the player to move is out of time.
    Flag,
    /// The votes of the open ballot are counted.
    Count,
    /// The player to move is reminded of this turn.
    Reminder(NoticeKind, Turn),
}

impl ClockCheck {
    /// Returns the action that a table's clock needs; `None` if it needs none.
    pub(crate) fn step(self, table: &Table, now: Timestamp) -> Option<ClockStep> {
        if let Some(end) = table.votes_end() {
            return (end <= now).then_some(ClockStep::Count);
        }
        let seat = table.player_to_move();
        table.player(seat)?.id().filter(|_| table.is_playing() && table.has_ever_moved(seat))?;
        let (state, clock) = (table.state(), table.state().turn_clock());
        if clock.as_ref().is_some_and(|clock| self.is_overdue(clock.deadline())) {
            // The clock of an imported game may have run out long before the import, so only a claim ends it.
            return table.imported().is_none().then_some(ClockStep::Flag);
        }
        let reminder_at = |at: Timestamp| match &clock {
            Some(clock) => reminder_at(clock.per_move + clock.bank, clock.left(at)),
            // The computer doesn't wait for anybody.
            None if !table.players().has_person(seat.other()) => None,
            None => {
                let since = table.turn_started_at();
                silence_reminder_at(at.since(since).saturating_sub(state.time_away(seat, since, at)))
            }
        };
        let kind = reminder_at(now)?;
        // The answer that moved the table here has told the player as much.
        let was_told = table.turn_moved_at().is_some_and(|at| reminder_at(at) == Some(kind));
        let was_mentioned = state.last_mention().is_some_and(|at| now.since(at) < MENTION_INTERVAL);
        let is_away = state.away_until(seat, now).is_some();
        // After more time from the opponent, the player may need another reminder.
        let gifts = table.history().iter().filter(|event| matches!(event.kind, EventKind::Extend { .. })).count();
        let Turn { round, number } = table.turn();
        let turn = Turn { round, number: number + gifts };
        (!was_told && !was_mentioned && !is_away).then_some(ClockStep::Reminder(kind, turn))
    }

    fn is_overdue(self, deadline: Timestamp) -> bool {
        deadline + GRACE <= self.began_at
    }

    /// Whether the summary of a game says that its clock may need something.
    pub(crate) fn concerns(self, game: &GameSummary, now: Timestamp) -> bool {
        if let Some(end) = game.votes_end {
            return are_votes_due(end, now);
        }
        // Somebody who hasn't moved yet can't be late.
        if game.moves == 0 || game.is_first_turn || game.waits_for().is_none() {
            return false;
        }
        let Some(end) = game.runs_out_at() else {
            let away = game.absences();
            let away = game.waits_for().map(|id| time_away(away.by_person(id), game.since, now)).unwrap_or_default();
            return silence_reminder_at(now.since(game.since).saturating_sub(away)).is_some();
        };
        let total = game.deadline.unwrap_or_default().since(game.since);
        self.is_overdue(end) || reminder_at(total, end.since(now)).is_some()
    }
}

/// Whether a daily run counts votes. If too few people have voted for weeks, it looks once a week, because each look costs requests.
fn are_votes_due(end: Timestamp, now: Timestamp) -> bool {
    let days = now.since(end).as_secs() / MENTION_INTERVAL.as_secs();
    end <= now && (now.since(end) < LONG_SILENCE || days.is_multiple_of(7))
}

/// Returns the reminder for a player who has some time left of a total; `None` if none is due. A player with enough time gets one
/// after half of it, at least a day before the last one.
fn reminder_at(total: Duration, left: Duration) -> Option<NoticeKind> {
    match left {
        _ if total < MIN_REMINDED || left.is_zero() => None,
        _ if left < LAST_REMINDER => Some(NoticeKind::Reminder),
        _ if left < total / 2 && left >= LAST_REMINDER + MENTION_INTERVAL => Some(NoticeKind::HalfTime),
        _ => None,
    }
}

/// Returns the reminder for a player without a clock who has been silent for some time; `None` if none is due.
fn silence_reminder_at(silent: Duration) -> Option<NoticeKind> {
    (SILENCE..LONG_SILENCE).contains(&silent).then_some(NoticeKind::Silence)
}
