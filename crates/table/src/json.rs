//! Records of any game as JSON values. Because all games share this form, the code that reads and writes a record is
//! compiled once instead of once per game.

use std::fmt::Write;

use game::Seat;
use games::{AnyMove, AnyPosition};
use serde::{Deserialize, Serialize};
use serde_json::{Error, Value};

use crate::{Effect, Event, EventKind};

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

/// Reads an event of a game that comes from a file.
///
/// # Errors
/// Returns an error if the game doesn't have such a move or seat.
pub fn read_event(event: Event<AnyMove, Value>, game: &AnyPosition) -> Result<Event, Error> {
    let seat = event.seat.as_ref().map(|name| read_seat(name, game)).transpose()?;
    let mut event = with_seat(event, seat);
    if let EventKind::Move { mv, .. } = &mut event.kind {
        *mv = game.read_move(mv)?;
    }
    for effect in &mut event.effects {
        if let Effect::Reply(reply) = effect {
            reply.mv = game.read_move(&reply.mv)?;
        }
    }
    Ok(event)
}

fn read_seat(name: &Value, game: &AnyPosition) -> Result<Seat, Error> {
    let name: String = from_value(name)?;
    Seat::BOTH.into_iter().find(|seat| game.info().seat_name(*seat) == name).ok_or_else(|| {
        let [first, second] = game.info().seats;
        serde::de::Error::custom(format!("no seat has that name (the seats are {first} and {second})"))
    })
}

/// Returns an event of a game as JSON.
pub fn event_to_value(event: &Event, game: &AnyPosition) -> Value {
    let seat = event.seat.map(|seat| game.info().seat_name(seat));
    to_value(&with_seat(event.clone(), seat))
}

/// Returns an event with another form of its seat.
fn with_seat<S, T>(event: Event<AnyMove, S>, seat: Option<T>) -> Event<AnyMove, T> {
    let Event { kind, offers_draw, votes, author, source, timestamp, time_away, clock_start, effects, key, .. } = event;
    Event { kind, offers_draw, votes, seat, author, source, timestamp, time_away, clock_start, effects, key }
}

// Finds the path at which a JSON parser stopped: `position.board[1]`.
//
// Parsers that track paths have to wrap every type they read. The program would contain that code once for each type of
// each game.

/// An object or a list that encloses the current place.
enum Container<'a> {
    /// The raw key of the current value; empty before the first one.
    Object(Option<&'a str>),
    /// The index of the current element; empty before the first one.
    List(Option<usize>),
}

/// Returns the path of the value where the parser stopped; an empty text for the whole document.
pub fn error_path(json: &str, error: &Error) -> String {
    let line_start: usize = json.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let read = json.as_bytes().get(..line_start + error.column()).unwrap_or(json.as_bytes());
    let mut path = String::new();
    for step in open_containers(json, read) {
        match step {
            Container::Object(Some(key)) if path.is_empty() => path.push_str(key),
            Container::Object(Some(key)) => path.extend([".", key]),
            Container::List(Some(index)) => path.push_str(&format!("[{index}]")),
            Container::Object(None) | Container::List(None) => {}
        }
    }
    path
}

/// Returns the containers that are open at the end of the text, outermost first.
fn open_containers<'a>(json: &'a str, read: &[u8]) -> Vec<Container<'a>> {
    let mut open = Vec::new();
    let mut is_key = false;
    let mut at = 0;
    while let Some(byte) = read.get(at) {
        let begin = at;
        at += 1;
        let begins = !matches!(byte, b']' | b'}' | b',' | b':') && !byte.is_ascii_whitespace();
        if let (true, Some(Container::List(index @ None))) = (begins, open.last_mut()) {
            *index = Some(0);
        }
        match byte {
            b'"' => {
                at = end_of_string(json.as_bytes(), at);
                if let (true, Some(Container::Object(key))) = (is_key, open.last_mut()) {
                    *key = json.get(begin + 1..at - 1);
                }
            }
            b'{' => open.push(Container::Object(None)),
            b'[' => open.push(Container::List(None)),
            b'}' | b']' => _ = open.pop(),
            b',' => {
                if let Some(Container::List(Some(index))) = open.last_mut() {
                    *index += 1;
                }
            }
            _ => {}
        }
        is_key = match byte {
            b'{' | b',' => true,
            byte => is_key && byte.is_ascii_whitespace(),
        };
    }
    open
}

/// Returns the index after the closing quote of the string that starts at this index.
fn end_of_string(json: &[u8], mut at: usize) -> usize {
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len().max(1)
}

// JSON formatted the way a person would: a short value stays on one line, and a square board is printed as a square.

/// The longest line before its value is split, in bytes.
const WIDTH: usize = 170;
/// The longest quoted value, in characters.
const MAX_QUOTED_CHARS: usize = 60;
/// The longest quoted parser message, in characters.
const MAX_MESSAGE_CHARS: usize = 200;

/// Returns a value as formatted JSON with a newline at the end.
pub fn to_text<T: Serialize>(value: &T) -> String {
    let mut text = String::new();
    write_value(&to_value(value), 0, 0, &mut text);
    text.push('\n');
    text
}

/// Returns a value on one line, truncated, in a code span that it can't close.
pub fn code_span(value: &Value) -> String {
    let clean: String = value.to_string().chars().filter(|c| !c.is_control() && *c != '`').collect();
    match clean.char_indices().nth(MAX_QUOTED_CHARS) {
        None => format!("`{clean}`"),
        Some((end, _)) => format!("`{}...`", &clean[..end]),
    }
}

/// Returns a parser's message for use in a sentence. It quotes the file, so it is truncated and kept on one line.
pub fn error_message(error: &serde_json::Error) -> String {
    error.to_string().chars().filter(|c| !c.is_control()).take(MAX_MESSAGE_CHARS).collect()
}

/// Writes a value that starts at byte `column` of its line, in a block with this `indent`.
fn write_value(value: &Value, indent: usize, column: usize, text: &mut String) {
    let start = text.len();
    let end = (start + WIDTH).saturating_sub(column);
    if indent > 0 && write_line(value, end, text) {
        return;
    }
    text.truncate(start);
    match value {
        Value::Array(items) if !items.is_empty() => {
            let row = board_side(items).unwrap_or(1);
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at == 0 { "[" } else { "," });
                if at % row == 0 {
                    begin_line(indent + 2, text);
                } else {
                    text.push(' ');
                }
                write_value(item, indent + 2, indent + 2, text);
            }
            begin_line(indent, text);
            text.push(']');
        }
        Value::Object(fields) if !fields.is_empty() => {
            for (at, (key, value)) in fields.iter().enumerate() {
                text.push_str(if at == 0 { "{" } else { "," });
                begin_line(indent + 2, text);
                let before = text.len();
                write_string(key, text);
                text.push_str(": ");
                write_value(value, indent + 2, indent + 2 + text.len() - before, text);
            }
            begin_line(indent, text);
            text.push('}');
        }
        _ => write_scalar(value, text),
    }
}

/// Writes a value on one line. Stops and returns `false` if the text becomes longer than `end`, or at a square board.
fn write_line(value: &Value, end: usize, text: &mut String) -> bool {
    match value {
        Value::Array(items) if !items.is_empty() => {
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at == 0 { "[" } else { ", " });
                if !write_line(item, end, text) {
                    return false;
                }
            }
            text.push(']');
        }
        Value::Object(fields) if !fields.is_empty() => {
            for (at, (key, value)) in fields.iter().enumerate() {
                text.push_str(if at == 0 { "{ " } else { ", " });
                write_string(key, text);
                text.push_str(": ");
                if !write_line(value, end, text) {
                    return false;
                }
            }
            text.push_str(" }");
        }
        _ => write_scalar(value, text),
    }
    text.len() <= end && value.as_array().is_none_or(|items| board_side(items).is_none())
}

/// Writes a value that contains no other values.
fn write_scalar(value: &Value, text: &mut String) {
    match value {
        Value::String(string) => write_string(string, text),
        _ => _ = write!(text, "{value}"),
    }
}

/// Writes a string in quotes. Most strings need no escaping.
fn write_string(string: &str, text: &mut String) {
    if string.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        text.push('"');
        text.push_str(string);
        text.push('"');
    } else {
        _ = write!(text, "{}", Value::from(string));
    }
}

/// Returns the width of a square board: at least three by three cells, each a mark or null. Returns `None` for any other
/// array.
fn board_side(items: &[Value]) -> Option<usize> {
    let side = items.len().isqrt();
    let cells = || items.iter().all(|item| item.is_string() || item.is_null());
    (side >= 3 && side * side == items.len() && cells()).then_some(side)
}

fn begin_line(indent: usize, text: &mut String) {
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
}
