//! Spellings of moves that every game accepts: with emphasis, a move number, separators within a coordinate, or
//! look-alike letters.

use game::characters;
use game::contract::Game;
use game::rule::ParseMoveError;

/// The maximum number of digits in a move number or a coordinate.
const MAX_DIGITS: usize = 3;

/// Parses a move, in the game's own notation or in another spelling of it.
///
/// # Errors
/// Returns an error if the text isn't a move, matches several, or is out of range.
pub(super) fn parse_move<G: Game>(game: &G, text: &str) -> Result<G::Move, ParseMoveError> {
    if is_emoticon(text) {
        return Err(ParseMoveError::NotAMove);
    }
    let mut parsed = game.parse_move(text);
    let mut spelling = text.to_owned();
    for respell in [without_emphasis, with_latin_letters::<G>, without_move_number, with_joined_coordinate, with_dash] {
        if !matches!(parsed, Err(ParseMoveError::NotAMove)) {
            break;
        }
        if let Some(next) = respell(&spelling) {
            parsed = game.parse_move(&next);
            spelling = next;
        }
    }
    parsed
}

/// Whether a text is a legal move.
pub(super) fn is_legal_move<G: Game>(game: &G, text: &str) -> bool {
    parse_move(game, text).is_ok_and(|mv| game.is_legal(&mv))
}

/// Returns a text without emphasis, quotes and stops around it; `None` if it has none of them.
fn without_emphasis(text: &str) -> Option<String> {
    let plain = text.trim_matches(['*', '_', '`', '"', '\'', '.', '!', ' ']);
    let plain = plain.strip_prefix('(').and_then(|plain| plain.strip_suffix(')')).unwrap_or(plain);
    if plain == text { None } else { Some(plain.to_owned()) }
}

/// Returns a text with Latin letters for those that look like them; `None` if there are none, or if the game reads other alphabets
/// itself.
fn with_latin_letters<G: Game>(text: &str) -> Option<String> {
    let latin = characters::with_latin_letters(text);
    if G::READS_OTHER_ALPHABETS || latin == text { None } else { Some(latin) }
}

/// Returns the move after its number: `1. e4` is `e4`, and so is `12... e4`. `None` without a number.
fn without_move_number(text: &str) -> Option<String> {
    let (number, rest) = split_digits(text.trim())?;
    let rest = rest.strip_prefix('.')?.trim_start_matches(['.', '…']);
    // `22.18` is a move of its own.
    let is_separate = rest.starts_with(|c: char| c.is_whitespace() || c.is_alphabetic());
    let rest = rest.trim_start();
    if number.len() <= MAX_DIGITS && is_separate && !rest.is_empty() { Some(rest.to_owned()) } else { None }
}

/// Returns a coordinate without its separators, and with its letter first: `h-8`, `h/8` and `8h` are `h8`. `None` for any
/// other text.
fn with_joined_coordinate(text: &str) -> Option<String> {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, '-' | '.' | '/' | ',' | ':' | '_' | '|');
    let text = text.trim().trim_end_matches(|c: char| is_separator(c) || c == '!');
    let first = text.chars().next()?;
    let (letter, digits) = if first.is_ascii_alphabetic() {
        (first, text[1..].trim_start_matches(is_separator))
    } else {
        let (digits, rest) = split_digits(text)?;
        let mut letters = rest.trim_start_matches(is_separator).chars();
        (letters.next().filter(|_| letters.next().is_none())?, digits)
    };
    let is_coordinate = letter.is_ascii_alphabetic()
        && (1..=MAX_DIGITS).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    if is_coordinate { Some(format!("{letter}{digits}")) } else { None }
}

/// Returns two numbers with a dash between them: `11/15` is `11-15`. `None` for any other text.
fn with_dash(text: &str) -> Option<String> {
    let (from, to) = text.trim().split_once(['/', '>', ' ', '.'])?;
    let is_number =
        |text: &str| (1..=MAX_DIGITS).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
    if is_number(from) && is_number(to) { Some(format!("{from}-{to}")) } else { None }
}

/// Splits a text after its first digits; `None` if it begins with none.
fn split_digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if end > 0 { Some(text.split_at(end)) } else { None }
}

/// Whether a text is an emoticon that could be taken for a cell, such as `8)`, `B-)` or `D:`.
pub(super) fn is_emoticon(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['!', '.']);
    let is_mouth = |c: char| matches!(c, ')' | '(' | ']' | '[' | '}' | '{' | '|');
    let is_eye = |c: char| matches!(c, '8' | 'B' | 'x' | 'X' | ':' | ';' | '=' | '%');
    let mut chars = text.chars().filter(|c| !matches!(c, '-' | '^' | '\'' | '~')).peekable();
    // Eyes and a mouth that may be repeated, as in `8-)))`, or a mouth with a letter's or digit's shape before or after `:`.
    match (chars.next(), chars.next()) {
        (Some(eye), Some(mouth)) if is_eye(eye) && is_mouth(mouth) => chars.all(|c| c == mouth),
        (Some(mouth), Some(eye)) if is_mouth(mouth) && is_eye(eye) => chars.next().is_none(),
        (Some(':' | ';' | '='), Some(mouth)) => chars.next().is_none() && mouth.is_ascii_alphanumeric(),
        (Some('D' | 'C' | 'c'), Some(':' | ';' | '=')) => chars.next().is_none(),
        _ => false,
    }
}
