//! JSON formatted the way a person would: a short value stays on one line, and a square board is printed as a square.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

use crate::json;

/// The longest line before its value is split, in bytes.
const WIDTH: usize = 170;
/// The longest quoted value, in characters.
const MAX_QUOTED_CHARS: usize = 60;
/// The longest quoted parser message, in characters.
const MAX_MESSAGE_CHARS: usize = 200;

/// Returns a value as formatted JSON with a newline at the end.
pub fn to_text<T: Serialize>(value: &T) -> String {
    let mut text = String::new();
    write_value(&json::to_value(value), 0, 0, &mut text);
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
