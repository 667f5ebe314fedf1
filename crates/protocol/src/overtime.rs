//! Time limits in a sweep: which games need their thread read because a flag falls or a player has to be reminded.
//!
//! A flag falls on a read that shows nothing unsettled, at least two hours after the deadline. So a comment in time always counts,
//! even if its run failed.

use std::time::Duration;

use table::any_table::{AnyTable, with_table};
use table::ids::IssueNumber;
use table::running_game::RunningGame;
use table::talk::turn::Turn;
use table::timestamp::Timestamp;

use crate::forge::Forge;
use crate::ledger::Ledger;
use crate::repo_config::RepoConfig;
use crate::run::Run;
use crate::settle_error::SettleError;
use crate::sweep::rotate_start;

/// The time after a deadline before a flag may fall: two hours. Comments in time are visible by then, even if the runner's clock is
/// wrong.
pub const GRACE: Duration = Duration::from_secs(2 * 60 * 60);
/// The shortest time for a move of which the bot reminds players: four days.
const MIN_REMINDED: Duration = Duration::from_secs(4 * 24 * 60 * 60);
/// The maximum number of games to read in one sweep because of their clocks. The next sweep starts elsewhere.
const MAX_GAMES: usize = 50;

/// What a sweep may do about clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockDuty {
    /// When the sweep began. Everything that was written before has been settled.
    pub(super) began_at: Timestamp,
    /// Whether flags may fall: the sweep has settled everything.
    pub(super) flags_may_fall: bool,
}

/// What a game's clock needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClockStep {
    /// The game ends, because the player to move is out of time.
    Flag,
    /// The player to move is reminded of this turn.
    Reminder(Turn),
}

impl ClockDuty {
    /// Returns what the clock of a table needs; `None` if it needs nothing.
    pub(super) fn step(self, table: &AnyTable, now: Timestamp) -> Option<ClockStep> {
        with_table!(table, table => {
            let seat = table.player_to_move();
            let clock = table.state().turn_clock().filter(|_| table.is_playing() && table.has_ever_moved(seat))?;
            table.occupant(seat)?.id?;
            if self.is_overdue(clock.deadline()) {
                let may_fall = self.flags_may_fall && table.state().has_falling_flags();
                return may_fall.then_some(ClockStep::Flag);
            }
            let left = clock.left(now);
            let is_short = !left.is_zero() && left < (clock.per_move + clock.bank) / 4;
            let is_reminded = is_short && clock.per_move >= MIN_REMINDED && clock.away_until(now).is_none();
            is_reminded.then(|| ClockStep::Reminder(table.turn()))
        })
    }

    /// Whether the player to move has had the time for a move since the bot told them. After an outage, it tells them late.
    pub(super) fn has_had_time(self, table: &AnyTable, told_at: Option<Timestamp>) -> bool {
        let per_move = with_table!(table, table => table.terms().per_move).unwrap_or_default();
        told_at.is_none_or(|told_at| told_at + per_move <= self.began_at)
    }

    fn is_overdue(self, deadline: Timestamp) -> bool {
        deadline + GRACE <= self.began_at
    }

    /// Whether the short file of a game says that its clock may need something.
    fn concerns(self, game: &RunningGame, now: Timestamp) -> bool {
        // Before anyone has moved, nobody can be late.
        let Some(end) = game.runs_out_at().filter(|_| game.moves > 0) else { return false };
        let total = game.deadline.unwrap_or_default().since(game.since);
        self.flags_may_fall && self.is_overdue(end) || total >= MIN_REMINDED && now < end && end.since(now) < total / 4
    }
}

/// Lets the flags of overdue games fall, and reminds the players whose time runs out soon.
///
/// # Errors
/// Returns the first error that ends the whole sweep. `collect_failure` gets the errors of single games.
pub(super) async fn watch_clocks(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
    games: &[RunningGame],
    duty: ClockDuty,
    collect_failure: &mut dyn FnMut(Option<IssueNumber>, Result<(), SettleError>) -> Result<(), SettleError>,
) -> Result<(), SettleError> {
    let now = forge.now();
    let issues = games.iter().filter(|game| duty.concerns(game, now)).map(|game| game.issue).collect();
    for issue in rotate_start(issues, now).into_iter().take(MAX_GAMES) {
        let run = Run::new(forge, config, issue, None, None, ledger).with_clock_duty(duty);
        collect_failure(Some(issue), run.settle_thread().await)?;
    }
    Ok(())
}
