//! Records of any game as JSON values. Because all games share this form, the code that reads and writes a record is
//! compiled once instead of once per game.

use game::contract::Game;
use game::seat::Seat;
use serde::{Deserialize, Serialize};
use serde_json::{Error, Value};

use crate::history::{Consequence, Event, EventKind, Reply, seat_name};

/// Parses a JSON value.
///
/// # Errors
/// Returns an error if the value has another shape.
pub fn from_value<T: for<'a> Deserialize<'a>>(value: &Value) -> Result<T, Error> {
    T::deserialize(value)
}

/// Converts something to a JSON value. If that fails, the value is a text with the reason, and the record can't be loaded.
pub fn to_value<T: Serialize>(written: &T) -> Value {
    serde_json::to_value(written).unwrap_or_else(|error| format!("can't be written: {error}").into())
}

/// Parses an event of one game from an event in JSON.
///
/// # Errors
/// Returns an error if the game doesn't have such a move or seat.
pub fn parse_event<G: Game>(event: &Event<Value, Value>) -> Result<Event<G::Move>, Error> {
    let kind = match &event.kind {
        EventKind::Move { notation, mv } => EventKind::Move { notation: notation.clone(), mv: from_value(mv)? },
        // All other kinds have the same JSON in every game.
        other => from_value(&to_value(other))?,
    };
    let seat = event.seat.as_ref().map(read_seat::<G>).transpose()?;
    let then = event.consequences.iter().map(|next| match next {
        Consequence::Reply(Reply { notation, mv, engine }) => {
            Ok(Consequence::Reply(Reply { notation: notation.clone(), mv: from_value(mv)?, engine: *engine }))
        }
        other => from_value(&to_value(other)),
    });
    let then = then.collect::<Result<_, Error>>()?;
    let Event { offers_draw, author, source, timestamp, time_away, clock_start, ref key, .. } = *event;
    let key = key.clone();
    Ok(Event { kind, offers_draw, seat, author, source, timestamp, time_away, clock_start, consequences: then, key })
}

fn read_seat<G: Game>(name: &Value) -> Result<Seat, Error> {
    let name: String = from_value(name)?;
    Seat::BOTH.into_iter().find(|seat| seat_name::<G>(*seat) == name).ok_or_else(|| {
        let [first, second] = G::INFO.seats;
        serde::de::Error::custom(format!("no seat has that name (the seats are {first} and {second})"))
    })
}

/// Returns an event as JSON.
pub fn event_to_value<G: Game>(event: &Event<G::Move>) -> Value {
    let Event { kind, offers_draw, seat, author, source, timestamp, time_away, clock_start, consequences: then, key } =
        event.clone();
    let seat = seat.map(seat_name::<G>);
    to_value(&Event {
        kind,
        offers_draw,
        seat,
        author,
        source,
        timestamp,
        time_away,
        clock_start,
        consequences: then,
        key,
    })
}
