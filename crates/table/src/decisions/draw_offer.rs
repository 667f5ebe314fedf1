//! Checks draw offers, for example that a player doesn't repeat a declined one too soon.

use game::contract::Game;
use game::seat::Seat;

use crate::history::{Event, EventKind};
use crate::refusal::{OfferRefusal, TableRefusal};
use crate::table::Table;

/// The number of moves that each player has to make before one of them may repeat a draw offer that was declined.
const MOVES_AFTER_DECLINE: usize = 2;

/// Checks that a player may offer a draw: they have an opponent, and both have moved twice since their last offer was declined.
///
/// # Errors
/// Returns the rule that forbids the offer.
pub(super) fn check_draw_offer<G: Game>(table: &Table<G>, seat: Seat) -> Result<(), TableRefusal> {
    if table.terms().open.is_some() {
        return Err(TableRefusal::NotAtOpenTable);
    }
    if !table.occupants().is_occupied(seat.other()) {
        return Err(table.occupants().no_opponent_refusal(seat));
    }
    let (history, other) = (table.history(), Some(seat.other()));
    let is_offer =
        |event: &Event<G::Move>| (event.kind == EventKind::OfferDraw || event.offers_draw) && event.seat == Some(seat);
    let is_decline = |event: &Event<G::Move>| event.kind == EventKind::Decline && event.seat == other;
    let offered = history.iter().rposition(is_offer).unwrap_or(history.len());
    let declined = history[offered..].iter().position(is_decline).map(|later| offered + later);
    let has_waited = |declined: usize| {
        let count = |seat| table.timeline().movers_since(declined).filter(|mover| *mover == seat).count();
        Seat::BOTH.into_iter().all(|seat| count(seat) >= MOVES_AFTER_DECLINE)
    };
    if declined.is_none_or(has_waited) { Ok(()) } else { Err(OfferRefusal::DrawDeclined.into()) }
}
