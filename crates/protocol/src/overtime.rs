//! Finds the games where a flag falls or a player needs a reminder, during a sweep.
//!
//! A flag falls at least two hours after the deadline, on a read that shows nothing unsettled, and only after a look for
//! commands in other issues. So a comment before the deadline always counts, even if its run failed.

use std::time::Duration;

use table::any_table::{AnyTable, with_table};
use table::comments::turn::Turn;
use table::running_game::RunningGame;
use table::timestamp::Timestamp;

/// The time between a deadline and the fall of a flag: two hours. By then, comments from before the deadline are
/// visible, even if the runner's clock is wrong.
pub const GRACE: Duration = Duration::from_secs(2 * 60 * 60);
/// The time before a deadline from which a player is reminded, if a quarter of their time isn't more: a day and a half. So one of the
/// daily runs comes in it, even if one is late.
const REMINDED_BEFORE: Duration = Duration::from_secs(36 * 60 * 60);
/// The shortest `per-move` with reminders: four days.
const MIN_REMINDED: Duration = Duration::from_secs(4 * 24 * 60 * 60);

/// What a sweep knows when it attends to clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockDuty {
    /// When the sweep began.
    pub(super) began_at: Timestamp,
}

/// An action that a game's clock needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClockStep {
    /// The game ends, because the player to move is out of time.
    Flag,
    /// The player to move is reminded of this turn.
    Reminder(Turn),
}

impl ClockDuty {
    /// Returns the action that a table's clock needs; `None` if it needs none.
    pub(super) fn step(self, table: &AnyTable, now: Timestamp) -> Option<ClockStep> {
        with_table!(table, table => {
            let seat = table.player_to_move();
            let clock = table.state().turn_clock().filter(|_| table.is_playing() && table.has_ever_moved(seat))?;
            table.occupant(seat)?.id?;
            if self.is_overdue(clock.deadline()) {
                // The clock of an imported game may have run out long before the import, so only a claim ends it.
                return table.imported().is_none().then_some(ClockStep::Flag);
            }
            let is_short = |at: Timestamp| clock.left(at) < reminded_before(clock.per_move + clock.bank);
            // The answer that moved the table here told the player how much time was left.
            let was_told = table.turn_moved_at().is_some_and(is_short);
            let is_running = !clock.left(now).is_zero() && clock.away_until(now).is_none();
            let is_reminded = is_running && is_short(now) && !was_told && clock.per_move >= MIN_REMINDED;
            is_reminded.then(|| ClockStep::Reminder(table.turn()))
        })
    }

    fn is_overdue(self, deadline: Timestamp) -> bool {
        deadline + GRACE <= self.began_at
    }

    /// Whether the short file of a game says that its clock may need something.
    pub(super) fn concerns(self, game: &RunningGame, now: Timestamp) -> bool {
        // Somebody who hasn't moved yet can't be late.
        let may_be_late = game.moves > 0 && !game.is_first_turn && game.waits_for().is_some();
        let Some(end) = game.runs_out_at().filter(|_| may_be_late) else { return false };
        let total = game.deadline.unwrap_or_default().since(game.since);
        self.is_overdue(end) || total >= MIN_REMINDED && now < end && end.since(now) < reminded_before(total)
    }
}

/// Returns the time before the deadline from which a player is reminded, if they have this much time.
fn reminded_before(total: Duration) -> Duration {
    REMINDED_BEFORE.max(total / 4)
}
