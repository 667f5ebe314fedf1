//! The people that an answer notifies: the player to move, and an opponent whose offer was answered or whose game has ended.

use game::contract::Game;
use game::phrase::Phrase;
use table::game_state::TableStatus;
use table::history::{Event, EventKind, Occupant};
use table::table::Table;

/// Whether the answer to an event mentions the player to move. It never mentions the author of the command.
pub(super) fn mentions_next_player<G: Game>(table: &Table<G>, event: &Event<G::Move>) -> bool {
    // The announcement of an offer already mentions the opponent, and automatic rolls and conditional moves don't concern them.
    // The opponent of a player who leaves was mentioned when that player joined.
    let is_quiet = matches!(
        event.kind,
        EventKind::Leave
            | EventKind::OfferDraw
            | EventKind::AskUndo
            | EventKind::OfferResign
            | EventKind::AutoRoll { .. }
            | EventKind::If { .. }
    );
    // After the computer's reply, the player to move is the one who just commented.
    let against_computer = table.occupants().computer().is_some();
    let next = table.occupant(table.player_to_move());
    !is_quiet
        && !against_computer
        && next.is_some_and(|next| next.id != Some(event.author) && !was_mentioned(table, event, next))
}

/// Whether a person was mentioned for the same reason before and has done nothing since: the author of this event, the last one,
/// joined and left before, or somebody moved the game to another issue once more.
fn was_mentioned<G: Game>(table: &Table<G>, event: &Event<G::Move>, person: &Occupant) -> bool {
    let before = table.history().iter().rev().skip(1);
    let mut since = before.take_while(|earlier| Some(earlier.author) != person.id);
    match event.kind {
        EventKind::Join | EventKind::Move { .. } => {
            since.any(|earlier| earlier.kind == EventKind::Leave && earlier.author == event.author)
        }
        EventKind::MovedHere { .. } => since.any(|earlier| matches!(earlier.kind, EventKind::MovedHere { .. })),
        _ => false,
    }
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
    if opponent.id.is_some_and(|id| id != event.author) && !was_mentioned(table, event, opponent) {
        Some(opponent)
    } else {
        None
    }
}
