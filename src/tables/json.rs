//! A record of any game in JSON. Files are read and written in this form, so that the program has what reads and writes the
//! fields of a record once, and not once a game.

use serde::{Deserialize, Serialize};
use serde_json::{Error, Value};

use crate::tables::history::{Consequence, Content, Event, EventKind, Reply};

/// Stands for any game: whatever belongs to a game is a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Json;

impl Content for Json {
    type Config = Value;
    type Move = Value;
    type Position = Value;
    type Seat = Value;
}

/// Returns what a value stands for.
///
/// # Errors
/// If it is no such thing.
pub fn read<T: for<'a> Deserialize<'a>>(value: &Value) -> Result<T, Error> {
    T::deserialize(value)
}

/// Returns the value that stands for something in a record.
pub fn value<T: Serialize>(written: &T) -> Value {
    serde_json::to_value(written).unwrap_or_default()
}

/// Returns the event of a game that this one stands for.
///
/// # Errors
/// If a move or a seat in it is none of that game.
pub fn read_event<G: Content>(event: &Event<Json>) -> Result<Event<G>, Error> {
    converted(event, read, read)
}

/// Returns the event that stands for one of a game.
pub fn event<G: Content>(event: &Event<G>) -> Event<Json> {
    let Ok(event) = converted::<_, _, Never>(event, |mv| Ok(value(mv)), |seat| Ok(value(seat)));
    event
}

/// What can't go wrong.
enum Never {}

type Convert<A, B, E> = fn(&A) -> Result<B, E>;

fn converted<A: Content, B: Content, E>(
    event: &Event<A>,
    mv: Convert<A::Move, B::Move, E>,
    seat: Convert<A::Seat, B::Seat, E>,
) -> Result<Event<B>, E> {
    Ok(Event {
        kind: converted_kind(&event.kind, mv)?,
        seat: event.seat.as_ref().map(seat).transpose()?,
        by: event.by,
        source: event.source,
        timestamp: event.timestamp,
        then: event.then.iter().map(|followed| converted_consequence(followed, mv)).collect::<Result<_, E>>()?,
        key: event.key.clone(),
    })
}

fn converted_consequence<A: Content, B: Content, E>(
    followed: &Consequence<A>,
    mv: Convert<A::Move, B::Move, E>,
) -> Result<Consequence<B>, E> {
    Ok(match followed {
        Consequence::Throw(throw) => Consequence::Throw(*throw),
        Consequence::Forced(notation) => Consequence::Forced(notation.clone()),
        Consequence::Reply(reply) => {
            Consequence::Reply(Reply { notation: reply.notation.clone(), mv: mv(&reply.mv)?, engine: reply.engine })
        }
        Consequence::Draw(agrees) => Consequence::Draw(*agrees),
        Consequence::Resignation(agrees) => Consequence::Resignation(*agrees),
    })
}

fn converted_kind<A: Content, B: Content, E>(
    kind: &EventKind<A>,
    mv: Convert<A::Move, B::Move, E>,
) -> Result<EventKind<B>, E> {
    Ok(match kind {
        EventKind::New { opponent, commitment } => {
            EventKind::New { opponent: opponent.clone(), commitment: *commitment }
        }
        EventKind::Join => EventKind::Join,
        EventKind::Move { notation, mv: played } => EventKind::Move { notation: notation.clone(), mv: mv(played)? },
        EventKind::OfferDraw => EventKind::OfferDraw,
        EventKind::AcceptDraw => EventKind::AcceptDraw,
        EventKind::ClaimDraw => EventKind::ClaimDraw,
        EventKind::Decline => EventKind::Decline,
        EventKind::AskUndo => EventKind::AskUndo,
        EventKind::Hint => EventKind::Hint,
        EventKind::Undo { plies } => EventKind::Undo { plies: *plies },
        EventKind::Resign => EventKind::Resign,
        EventKind::OfferResign => EventKind::OfferResign,
        EventKind::AcceptResign => EventKind::AcceptResign,
        EventKind::ResignFor { cost } => EventKind::ResignFor { cost: cost.clone() },
        EventKind::Abort => EventKind::Abort,
        EventKind::MovedHere { from } => EventKind::MovedHere { from: *from },
        EventKind::MovedAway { to } => EventKind::MovedAway { to: *to },
        EventKind::Claim => EventKind::Claim,
        EventKind::ImportedEnd { result, reason } => EventKind::ImportedEnd { result: *result, reason: *reason },
        EventKind::SeatComputer { level } => EventKind::SeatComputer { level: *level },
        EventKind::AskComputer { level } => EventKind::AskComputer { level: *level },
    })
}
