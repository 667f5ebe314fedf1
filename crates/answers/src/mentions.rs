//! The people that an answer notifies: the player to move, and an opponent whose offer was answered or whose game has ended.

use game::contract::Game;
use game::phrase::Phrase;
use table::game_state::TableStatus;
use table::history::{Event, EventKind, Occupant};
use table::table::Table;

/// Whether the answer to an event mentions the player to move. It never mentions the author of the command.
pub(super) fn mentions_next_player<G: Game>(table: &Table<G>, event: &Event<G::Move>) -> bool {
    // The announcement of an offer already mentions the opponent, and automatic rolls and conditional moves don't concern them.
    let is_quiet = matches!(
        event.kind,
        EventKind::OfferDraw
            | EventKind::AskUndo
            | EventKind::OfferResign
            | EventKind::AutoRoll { .. }
            | EventKind::If { .. }
    );
    // After the computer's reply, the player to move is the one who just commented.
    let against_computer = table.occupants().computer().is_some();
    let next = table.occupant(table.player_to_move());
    !is_quiet && !against_computer && next.is_some_and(|next| next.id != Some(event.author))
}

/// Turns the first name of the opponent into a mention, if the event concerns them and nothing mentions them yet.
pub(super) fn mention_opponent<G: Game>(mut phrase: Phrase, table: &Table<G>, event: &Event<G::Move>) -> Phrase {
    if let Some(opponent) = concerned_opponent(table, event) {
        phrase.mention(&opponent.login);
    }
    phrase
}

/// Returns the opponent if the event answers them, or ends the game without a move of theirs; `None` if they aren't a person.
fn concerned_opponent<'a, G: Game>(table: &'a Table<G>, event: &Event<G::Move>) -> Option<&'a Occupant> {
    let seat = event.seat?;
    let is_answer = matches!(
        event.kind,
        EventKind::Join
            | EventKind::AcceptDraw
            | EventKind::AcceptResign
            | EventKind::Decline
            | EventKind::Undo { .. }
            | EventKind::Claim
    );
    let has_given_up = event.resignation_text().is_some() || table.status() == TableStatus::Won(seat.other());
    let opponent = table.occupant(seat.other()).filter(|_| is_answer || has_given_up)?;
    if opponent.id.is_some_and(|id| id != event.author) { Some(opponent) } else { None }
}
