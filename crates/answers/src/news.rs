//! Who an answer notifies: the player to move, and an opponent who learns something about their game.

use game::contract::Game;
use game::phrase::{Phrase, Span};
use table::game_state::TableStatus;
use table::history::{Event, EventKind, Occupant};
use table::table::Table;

/// Whether the answer notifies the player to move. An answer never notifies its own author.
pub(super) fn mentions_next_player<G: Game>(table: &Table<G>, event: &Event<G::Move>) -> bool {
    // The announcement of an offer already names the opponent, and automatic rolls are nobody else's concern.
    let is_quiet = matches!(
        event.kind,
        EventKind::OfferDraw | EventKind::AskUndo | EventKind::OfferResign | EventKind::AutoRoll { .. }
    );
    // After the computer's reply, the player to move is the one who just commented.
    let against_computer = table.occupants().computer().is_some();
    let next = table.occupant(table.player_to_move());
    !is_quiet && !against_computer && next.is_some_and(|next| next.id != Some(event.by))
}

/// Replaces the name of the opponent with a mention, if the event is news to them.
pub(super) fn tell_opponent<G: Game>(phrase: &Phrase, table: &Table<G>, event: &Event<G::Move>) -> Phrase {
    let told = opponent_to_tell(table, event).map(|occupant| occupant.login.as_str());
    let is_told = |span: &&Span| matches!(span, Span::Mention(login) if Some(login.as_str()) == told);
    if phrase.spans().iter().any(|span| is_told(&span)) {
        return phrase.clone();
    }
    let is_name = |span: &Span| matches!(span, Span::Person(login) if Some(login.as_str()) == told);
    let first = phrase.spans().iter().position(is_name);
    let mut result = Phrase::default();
    for (at, span) in phrase.spans().iter().enumerate() {
        result.push(match span {
            Span::Person(login) if Some(at) == first => Span::Mention(login.clone()),
            span => span.clone(),
        });
    }
    result
}

/// Returns the opponent, if the event answers them or ends the game without a move of theirs; `None` for a seat without a person.
fn opponent_to_tell<'a, G: Game>(table: &'a Table<G>, event: &Event<G::Move>) -> Option<&'a Occupant> {
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
    if opponent.id.is_some_and(|id| id != event.by) { Some(opponent) } else { None }
}
