//! The rules for announcing conditional moves, and the move that follows from them.

use game::contract::Game;
use game::seat::Seat;

use crate::conditional_moves::{Branch, MAX_LINES_PER_TURN};
use crate::game_state::GameState;
use crate::history::{Event, EventKind};
use crate::offers::Offer;
use crate::refusal::{ConditionalRefusal, SeatRefusal, TableRefusal};

impl<G: Game> GameState<G> {
    /// Checks that a player may announce conditional moves now. Without a seat, it checks only the table.
    ///
    /// # Errors
    /// Returns an error if the table doesn't allow conditional moves, if it's the player's own turn, or if there is no
    /// opponent.
    pub fn check_conditional_moves(&self, seat: Option<Seat>) -> Result<(), TableRefusal> {
        match seat {
            _ if G::HAS_DICE => Err(ConditionalRefusal::Dice.into()),
            _ if self.terms().open.is_some() => Err(ConditionalRefusal::OpenTable.into()),
            _ if self.occupants().computer().is_some() => Err(ConditionalRefusal::Computer.into()),
            Some(seat) if seat == self.timeline().game().side_to_move() => Err(ConditionalRefusal::OwnTurn.into()),
            Some(seat) if self.occupants().occupant(seat.other()).is_none() => Err(SeatRefusal::NoOpponent.into()),
            _ => Ok(()),
        }
    }

    /// Checks that a player may write another line this turn. They can always drop their lines.
    ///
    /// # Errors
    /// Returns an error if they can't announce conditional moves, or have written too many lines this turn.
    pub(crate) fn check_line(&self, seat: Seat, line: &[String]) -> Result<(), TableRefusal> {
        self.check_conditional_moves(Some(seat))?;
        let events = self.timeline().events().iter().rev();
        let this_turn = events.take_while(|event| !matches!(event.kind, EventKind::Move { .. }));
        let own = this_turn.filter(|event| matches!(event.kind, EventKind::If { .. }) && event.seat == Some(seat));
        let is_one_too_many = !line.is_empty() && own.count() >= MAX_LINES_PER_TURN;
        if is_one_too_many { Err(ConditionalRefusal::TooManyLines.into()) } else { Ok(()) }
    }

    /// Returns the announced reply of the player to move, if the event is the move that it answers. Returns `None`
    /// if an offer to them is open, because they have to answer it themselves.
    pub(crate) fn conditional_move(&self, event: &Event<G::Move>) -> Option<&Branch<G::Move>> {
        let seat = self.timeline().game().side_to_move();
        let is_asked = |offer| self.offers().is_made_to(seat, offer);
        let is_due = matches!(event.kind, EventKind::Move { .. })
            && ![Offer::Draw, Offer::Takeback, Offer::Resignation].into_iter().any(is_asked);
        self.conditional_moves().tree_of(seat).first().filter(|_| is_due)
    }
}
