//! Draw offers: who may make one, and how soon after a declined one.

use game::contract::Game;
use game::seat::Seat;

use crate::history::{Event, EventKind};
use crate::refusal::TableRefusal;
use crate::table::Table;

/// How often both players have to move before a player may repeat a draw offer that was declined.
const MOVES_AFTER_DECLINE: usize = 2;

/// Checks that a player may offer a draw: they have an opponent, and after a declined offer both have moved twice.
///
/// # Errors
/// Returns an error that says why not.
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
    let since_offer = history.iter().rposition(is_offer).map_or(&[][..], |at| &history[at..]);
    let declined = since_offer.iter().position(|event| event.kind == EventKind::Decline && event.seat == other);
    let since = declined.map_or(&[][..], |at| &since_offer[at..]);
    let moves = since.iter().filter(|event| matches!(event.kind, EventKind::Move { .. }));
    let movers: Vec<Option<Seat>> = moves.map(|event| event.seat).collect();
    let count = |seat| movers.iter().filter(|mover| **mover == Some(seat)).count();
    let has_waited = Seat::BOTH.into_iter().all(|seat| count(seat) >= MOVES_AFTER_DECLINE);
    if declined.is_some() && !has_waited { Err(TableRefusal::DrawDeclined) } else { Ok(()) }
}
