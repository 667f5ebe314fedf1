//! JSON as a person would write it down: what fits on a line stands on one, and a square board stands as a square.

use serde_json::Value;

/// How long a line may get before what is on it is broken up.
const WIDTH: usize = 170;
/// How much of a value a sentence quotes.
const BRIEF: usize = 60;
/// How much is told of what a parser says, in characters.
const REASON: usize = 200;

/// A JSON text with a newline at the end.
#[must_use]
pub fn print(value: &Value) -> String {
    let mut text = String::new();
    put(value, 0, 0, &mut text);
    text.push('\n');
    text
}

/// A value on one line, cut where it gets long, in a code span that it cannot end.
#[must_use]
pub fn brief(value: &Value) -> String {
    let clean: String = value.to_string().chars().filter(|c| !c.is_control() && *c != '`').collect();
    match clean.char_indices().nth(BRIEF) {
        None => format!("`{clean}`"),
        Some((end, _)) => format!("`{}...`", &clean[..end]),
    }
}

/// What a parser says, for a sentence: it quotes the file, so it is cut and keeps to its line.
#[must_use]
pub fn reason(error: &serde_json::Error) -> String {
    error.to_string().chars().filter(|c| !c.is_control()).take(REASON).collect()
}

/// Writes a value that starts `column` characters into its line, in a block that is indented by `indent`.
fn put(value: &Value, indent: usize, column: usize, text: &mut String) {
    let line = line(value);
    let whole = indent > 0 && column + line.len() <= WIDTH && !holds_square(value);
    match value {
        Value::Array(items) if square(items).is_some() => {
            let side = square(items).unwrap_or(1);
            let rows = items.chunks(side).map(|row| row.iter().map(self::line).collect::<Vec<_>>().join(", "));
            block('[', rows, indent, ']', text);
        }
        Value::Array(items) if !whole && !items.is_empty() => {
            let items = items.iter().map(|item| nested(item, indent + 2, indent + 2));
            block('[', items, indent, ']', text);
        }
        Value::Object(fields) if !whole && !fields.is_empty() => {
            let fields = fields.iter().map(|(key, value)| {
                let key = Value::from(key.as_str()).to_string();
                let column = indent + 2 + key.len() + 2;
                format!("{key}: {}", nested(value, indent + 2, column))
            });
            block('{', fields, indent, '}', text);
        }
        _ => text.push_str(&line),
    }
}

fn nested(value: &Value, indent: usize, column: usize) -> String {
    let mut text = String::new();
    put(value, indent, column, &mut text);
    text
}

fn block(open: char, items: impl Iterator<Item = String>, indent: usize, close: char, text: &mut String) {
    text.push(open);
    for (at, item) in items.enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        text.push_str(&" ".repeat(indent + 2));
        text.push_str(&item);
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
}

/// A value on one line, with a space after each colon and comma.
fn line(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(line).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), line(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn holds_square(value: &Value) -> bool {
    match value {
        Value::Array(items) => square(items).is_some() || items.iter().any(holds_square),
        Value::Object(fields) => fields.values().any(holds_square),
        _ => false,
    }
}

/// The side of a square board: at least three by three cells, each a mark or nothing.
fn square(items: &[Value]) -> Option<usize> {
    let side = items.len().isqrt();
    let cells = items.iter().all(|item| item.is_null() || item.is_string());
    (side >= 3 && side * side == items.len() && cells).then_some(side)
}
