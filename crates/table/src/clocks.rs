//! The clocks of both players, as the events of a game move them.

use std::time::Duration;

use game::seat::Seat;

use crate::terms::Terms;
use crate::timestamp::Timestamp;

/// The clocks of both players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clocks {
    /// When the current turn began.
    turn_started_at: Timestamp,
    /// When the clock of the player to move began to run, as far as an event says.
    clock_start: Option<Timestamp>,
    /// The part of the bank that each player has used.
    bank_used: [Duration; 2],
    /// How long the player to move had been away in their turn when the current event happened.
    time_away: Duration,
}

impl Clocks {
    /// Returns the time at which the clock of the player to move began to run, as far as the record says.
    pub(super) fn started_at(&self) -> Timestamp {
        self.clock_start.unwrap_or(self.turn_started_at)
    }

    /// Whether an event says when the clock began to run in this turn.
    pub(super) fn has_start(&self) -> bool {
        self.clock_start.is_some()
    }

    /// Notes when the clock began to run in this turn, if the current event says so.
    pub(super) fn note_start(&mut self, at: Option<Timestamp>) {
        self.clock_start = at.or(self.clock_start);
    }

    /// Returns the time that a player has left in the bank.
    pub(super) fn bank(&self, seat: Seat, terms: &Terms) -> Duration {
        terms.bank.unwrap_or_default().saturating_sub(self.bank_used[seat.index()])
    }

    /// Returns the time that the player to move has left at the current event, including the bank; `None` without a limit.
    pub(super) fn left(&self, seat: Seat, terms: &Terms, at: Timestamp) -> Option<Duration> {
        let time = terms.per_move? + self.bank(seat, terms);
        Some(time.saturating_sub(self.time_used(at)))
    }

    /// Notes how long the player to move has been away in their turn, as the current event says.
    pub(super) fn note_time_away(&mut self, away: Duration) {
        self.time_away = away;
    }

    /// Starts a turn without charging anyone for the last one.
    pub(super) fn restart(&mut self, at: Timestamp) {
        self.turn_started_at = at;
        self.clock_start = None;
        self.time_away = Duration::ZERO;
    }

    /// Takes the time beyond `per-move` out of the bank of the player whose turn ends.
    pub(super) fn charge(&mut self, seat: Seat, terms: &Terms, at: Timestamp) {
        let (Some(per_move), Some(bank)) = (terms.per_move, terms.bank) else { return };
        let beyond = self.time_used(at).saturating_sub(per_move);
        let used = &mut self.bank_used[seat.index()];
        *used = (*used + beyond).min(bank);
    }

    /// Refills the bank of a seat for its next player.
    pub(super) fn refill_bank(&mut self, seat: Seat) {
        self.bank_used[seat.index()] = Duration::ZERO;
    }

    fn time_used(&self, at: Timestamp) -> Duration {
        at.since(self.started_at()).saturating_sub(self.time_away)
    }
}
