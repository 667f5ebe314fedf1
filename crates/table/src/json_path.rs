//! Where in a JSON text a parser stopped, in words: `position.board[1]`.
//!
//! A parser that tells the path of an error by itself has to follow each type that it reads, and that would be in the program
//! once for each part of each game.

use serde_json::Error;

/// An object or a list that the place is in.
enum Container<'a> {
    /// The key before the place, as it is written; none before the first one.
    Object(Option<&'a str>),
    /// The index of the element at the place; none before the first one.
    List(Option<usize>),
}

/// Returns the path of the value that a parser of this text has stopped at or in; an empty text for the whole.
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

/// Returns what is open where the text has been read to, the outermost first.
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

/// Returns the index behind the closing quote of a text whose first character is at this index.
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
