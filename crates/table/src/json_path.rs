//! Finds the path at which a JSON parser stopped: `position.board[1]`.
//!
//! Parsers that track paths have to wrap every type they read. The program would contain that code once for each type of
//! each game.

use serde_json::Error;

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
