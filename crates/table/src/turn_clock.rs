//! The clock of the player to move.
//!
//! A turn first uses the time for a move, then the player's bank. While the player is away, neither runs.

use std::time::Duration;

use crate::absence::{Absence, run_out, time_away};
use crate::timestamp::Timestamp;

/// The clock of the player to move, since their turn began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnClock {
    /// When the turn began for the player.
    pub started_at: Timestamp,
    /// The time for a move.
    pub per_move: Duration,
    /// The time that the player had in the bank when the turn began; zero without a bank.
    pub bank: Duration,
    /// The player's absences, in order.
    pub absences: Vec<Absence>,
}

impl TurnClock {
    /// Returns when the player runs out of time.
    pub fn deadline(&self) -> Timestamp {
        run_out(&self.absences, self.started_at, self.per_move + self.bank)
    }

    /// Returns the time at which the bank begins to run, because the time for the move is used up.
    pub fn bank_starts_at(&self) -> Timestamp {
        run_out(&self.absences, self.started_at, self.per_move)
    }

    /// Returns the time that the player has left, including the bank.
    pub fn left(&self, at: Timestamp) -> Duration {
        (self.per_move + self.bank).saturating_sub(self.time_used(at))
    }

    /// Returns the time that the player has left in the bank.
    pub fn bank_left(&self, at: Timestamp) -> Duration {
        self.bank.saturating_sub(self.time_used(at).saturating_sub(self.per_move))
    }

    /// Returns how long the player has been away in this turn, before the clock ran out.
    pub fn time_away(&self, at: Timestamp) -> Duration {
        time_away(&self.absences, self.started_at, at.min(self.deadline()))
    }

    /// Returns when the player is back, if they are away and have time left. A time before they learned of their turn counts as the
    /// time when they did.
    pub fn away_until(&self, at: Timestamp) -> Option<Timestamp> {
        let at = at.max(self.started_at);
        let current = self.absences.iter().find(|absence| absence.covers(at));
        current.filter(|_| at < self.deadline()).map(|absence| absence.until)
    }

    fn time_used(&self, at: Timestamp) -> Duration {
        at.since(self.started_at).saturating_sub(self.time_away(at))
    }
}
