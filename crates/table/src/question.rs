//! Questions that wait for a player's answer.

use game::contract::Game;
use game::seat::Seat;

use crate::comments::comment::{Author, CommentRef};
use crate::history::{Event, EventKind};
use crate::offers::Offer;
use crate::table::Table;

/// A question to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether they accept a draw.
    Draw,
    /// Whether the opponent may take back a move.
    Takeback,
    /// Whether they accept a resignation at the lowest cost.
    Resignation,
    /// Whether they play at all: the seat is reserved for them.
    Invitation,
}

/// Returns the questions that wait for an answer by the player at a seat.
pub fn open_questions<G: Game>(table: &Table<G>, seat: Seat) -> Vec<Question> {
    if !table.is_playing() {
        return Vec::new();
    }
    if table.occupant(seat).is_some_and(|occupant| occupant.is_reserved()) {
        return vec![Question::Invitation];
    }
    let offers = [
        (Offer::Draw, Question::Draw),
        (Offer::Takeback, Question::Takeback),
        (Offer::Resignation, Question::Resignation),
    ];
    let is_open = |(offer, _): &(Offer, Question)| table.state().offers().is_made_to(seat, *offer);
    offers.into_iter().filter(is_open).map(|(_, question)| question).collect()
}

/// Returns the event that asked the newest of the open questions; `None` without questions.
pub fn newest_question<G: Game>(table: &Table<G>, seat: Seat) -> Option<&Event<G::Move>> {
    let questions = open_questions(table, seat);
    let asks = |event: &&Event<G::Move>| match event.kind {
        EventKind::New { .. } => questions.contains(&Question::Invitation),
        EventKind::OfferDraw | EventKind::AskUndo | EventKind::OfferResign => event.seat == Some(seat.other()),
        EventKind::Move { .. } => event.offers_draw && event.seat == Some(seat.other()),
        _ => false,
    };
    if questions.is_empty() { None } else { table.history().iter().rev().find(asks) }
}

/// Returns the newest of a person's open questions if the bot's answer to an event asks it; `None` if the answer doesn't.
///
/// The answer to the event that asked the question contains it, and the answers to all later events repeat it.
pub fn asked_question<G: Game>(table: &Table<G>, author: &Author, event: CommentRef) -> Option<Question> {
    let seat = table.occupants().seat_of_author(author)?;
    let asking = newest_question(table, seat)?;
    let mut since = table.history().iter().map(|event| event.source).skip_while(|source| *source != asking.source);
    since.find(|source| *source == event)?;
    Some(match asking.kind {
        EventKind::OfferDraw | EventKind::Move { .. } => Question::Draw,
        EventKind::AskUndo => Question::Takeback,
        EventKind::OfferResign => Question::Resignation,
        _ => Question::Invitation,
    })
}
