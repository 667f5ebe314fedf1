//! Words for numbers and places: `D four`, `thirteen to nine`, `top left`.

use crate::notation::strip_decoration;

/// The longest text in which words are read, in bytes. A longer text is chat.
const MAX_TEXT: usize = 100;

/// The numbers from zero.
const NUMBERS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
/// The tens from twenty.
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// The ordinal numbers from first. No board needs more of them.
const ORDINALS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/// Returns a text with digits for its numbers in words; `None` if it has none.
///
/// ```
/// use game::notation::words::with_digits;
///
/// assert_eq!(with_digits("thirteen to twenty-one").as_deref(), Some("13 to 21"));
/// assert_eq!(with_digits("Third column").as_deref(), Some("3rd column"));
/// assert_eq!(with_digits("b2"), None);
/// ```
pub fn with_digits(text: &str) -> Option<String> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let (mut digits, mut rest, mut has_number) = (String::with_capacity(text.len()), text, false);
    while let Some(first) = rest.chars().next() {
        let (word, after) = split_word(rest);
        if word.is_empty() {
            digits.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        rest = after;
        match parse_number(word) {
            Some(tens) if tens >= 20 => {
                // `twenty-one` is one number, unlike `twenty-ten`.
                let (unit, after_unit) = split_word(after.trim_start_matches(['-', ' ']));
                let unit = parse_number(unit).filter(|unit| (1..10).contains(unit) && !after.starts_with("  "));
                if unit.is_some() {
                    rest = after_unit;
                }
                digits.push_str(&(tens + unit.unwrap_or(0)).to_string());
            }
            Some(number) => digits.push_str(&number.to_string()),
            None => match find(&ORDINALS, word) {
                Some(index) => {
                    let ending = ["st", "nd", "rd"].get(index).unwrap_or(&"th");
                    digits.push_str(&format!("{}{ending}", index + 1));
                }
                None => {
                    digits.push_str(word);
                    continue;
                }
            },
        }
        has_number = true;
    }
    has_number.then_some(digits)
}

/// Whether a text has a word for a number or a place, which can be a word of a sentence as well.
pub fn is_in_words(text: &str) -> bool {
    let is_known = |word: &str| {
        parse_number(word).is_some()
            || find(&ORDINALS, word).is_some()
            || parse_third(word).is_some()
            || parse_two_letters(word).is_some()
            || split_joined(word).is_some()
    };
    // The `Ne` of `Ne5` isn't a word.
    text.split(|c: char| !c.is_alphanumeric()).any(is_known)
}

/// Splits a text after its first letters.
fn split_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len()))
}

/// Parses a number that is a single word.
fn parse_number(word: &str) -> Option<usize> {
    find(&NUMBERS, word).or_else(|| find(&TENS, word).map(|index| 20 + 10 * index))
}

fn find(words: &[&str], word: &str) -> Option<usize> {
    words.iter().position(|known| known.eq_ignore_ascii_case(word))
}

// Places: the corners of a board, the middle of its edges, and its center.

/// The words in the names of places, for which typos are noticed.
pub const PLACE_WORDS: [&str; 8] = ["center", "middle", "upper", "bottom", "lower", "left", "right", "corner"];

/// A third of a side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Third {
    /// The first row or column, or the last one.
    Row(usize),
    Column(usize),
    Middle,
}

fn parse_third(word: &str) -> Option<Third> {
    Some(match word.to_ascii_lowercase().as_str() {
        "top" | "upper" => Third::Row(0),
        "bottom" | "lower" => Third::Row(2),
        "left" => Third::Column(0),
        "right" => Third::Column(2),
        "middle" | "center" | "centre" => Third::Middle,
        _ => return None,
    })
}

/// Parses two letters for a place: `TL`, `NW`.
fn parse_two_letters(word: &str) -> Option<(usize, usize)> {
    Some(match word.to_ascii_lowercase().as_str() {
        "tl" | "nw" => (0, 0),
        "tr" | "ne" => (0, 2),
        "bl" | "sw" => (2, 0),
        "br" | "se" => (2, 2),
        _ => return None,
    })
}

/// Returns the cells that the name of a place means on this board: their indices from the top left, row by row. Empty if the text
/// isn't a place, and several if the middle is between cells.
///
/// Single words for an edge, such as `left`, aren't places: they may be conversation.
///
/// ```
/// use game::notation::words::parse_place;
///
/// assert_eq!(parse_place("top-left corner", 8, 8), [0]);
/// assert_eq!(parse_place("center", 3, 3), [4]);
/// assert_eq!(parse_place("center", 4, 4), [5, 6, 9, 10]);
/// ```
pub fn parse_place(text: &str, columns: usize, rows: usize) -> Vec<usize> {
    let Some((row, column)) = parse_thirds(text, columns == 3 && rows == 3, false) else { return Vec::new() };
    let indices = |third, size: usize| match third {
        0 => 0..size.min(1),
        1 => size.saturating_sub(1) / 2..size / 2 + 1,
        _ => size.saturating_sub(1)..size,
    };
    indices(row, rows).flat_map(|row| indices(column, columns).map(move |column| row * columns + column)).collect()
}

/// Returns the board of three by three that the name of a place means, from the top left. Unlike a cell, `left` is enough.
pub fn parse_board_place(text: &str) -> Option<usize> {
    parse_thirds(text, true, true).map(|(row, column)| 3 * row + column)
}

/// Parses the name of a place as its row and column, each from 0 to 2. Letters and points of the compass count only on a board of
/// three by three.
fn parse_thirds(text: &str, is_three_by_three: bool, allows_edge: bool) -> Option<(usize, usize)> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let is_filler =
        |word: &str| find(&["the", "very", "cell", "square", "corner", "row", "side", "edge"], word).is_some();
    let words =
        strip_decoration(text).split([' ', ',', '-', '\u{a0}']).filter(|word| !word.is_empty() && !is_filler(word));
    let words: Vec<&str> = words.take(3).collect();
    if let ([word], true) = (&words[..], is_three_by_three)
        && let Some(place) = parse_two_letters(word)
    {
        return Some(place);
    }
    let thirds: Vec<Third> = match words[..] {
        [word] => match parse_third(word) {
            Some(third) => vec![third],
            None => split_joined(word)?.to_vec(),
        },
        [one, two] => match (parse_third(one), parse_third(two)) {
            (Some(one), Some(two)) => vec![one, two],
            _ => split_joined(&[one, two].concat())?.to_vec(),
        },
        _ => return None,
    };
    match thirds[..] {
        [Third::Middle] | [Third::Middle, Third::Middle] => Some((1, 1)),
        [Third::Row(row)] if allows_edge => Some((row, 1)),
        [Third::Column(column)] if allows_edge => Some((1, column)),
        [Third::Row(row), Third::Column(column)] | [Third::Column(column), Third::Row(row)] => Some((row, column)),
        [Third::Row(row), Third::Middle] | [Third::Middle, Third::Row(row)] => Some((row, 1)),
        [Third::Column(column), Third::Middle] | [Third::Middle, Third::Column(column)] => Some((1, column)),
        _ => None,
    }
}

/// Splits two words that are written as one: `topleft`, `northwest`.
fn split_joined(word: &str) -> Option<[Third; 2]> {
    let word = word.to_ascii_lowercase();
    let rows = [("top", 0), ("upper", 0), ("north", 0), ("bottom", 2), ("lower", 2), ("south", 2)];
    let (row, rest) = rows.iter().find_map(|(name, row)| Some((*row, word.strip_prefix(name)?)))?;
    let column = match rest {
        "left" | "west" => 0,
        "right" | "east" => 2,
        _ => return None,
    };
    Some([Third::Row(row), Third::Column(column)])
}
