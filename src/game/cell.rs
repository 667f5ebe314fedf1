//! "b2": the coordinates that all games on a grid share.
//!
//! Columns are letters from the left, rows are numbers from the bottom, so a1 is at the bottom left. Inside, a cell is
//! its index from 0 at the top left, row by row, and people may write that number instead.
//!
//! Reading forgives what people put around a move (spaces, punctuation, emphasis, emoji) and never a word: `b2!` is a
//! move, `b2 or c3?` is talk. It tells apart what is no cell at all from a cell that this board does not have.

use std::fmt::Display;

use crate::game::notation::bare;
use crate::game::rule::Unread;

/// The most columns that a board can have: one for each letter.
pub const MOST_COLUMNS: usize = 26;

/// The machine code for a cell that the board does not have.
pub const OFF_BOARD: &str = "INVALID_MOVE_POSITION";

/// A cell as somebody wrote it, on this board or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// `b2`: the column from 0 at the left, the row from 1 at the bottom; up to z and 99.
    Coordinate {
        /// The column, 0 to 25.
        column: usize,
        /// The row, 1 to 99.
        row: usize,
    },
    /// `4`: the index, 0 to 999.
    Number(usize),
}

/// The coordinate of a cell. A cell that the board does not have goes by its number.
///
/// ```
/// use play_by_commit::game::cell;
///
/// // On three columns and three rows, cell 4 is the middle one.
/// assert_eq!(cell::name(4, 3, 3), "b2");
/// assert_eq!(cell::name(9, 3, 3), "9");
/// ```
#[must_use]
pub fn name(index: usize, columns: usize, rows: usize) -> String {
    let on_board = columns <= MOST_COLUMNS && index < columns * rows;
    let letter = index.checked_rem(columns).and_then(|column| ('a'..='z').nth(column));
    match letter {
        Some(letter) if on_board => format!("{letter}{}", rows - index / columns),
        _ => index.to_string(),
    }
}

/// Reads a cell of this board, as a coordinate or as a number.
///
/// ```
/// use play_by_commit::game::cell;
/// use play_by_commit::game::rule::Unread;
///
/// assert_eq!(cell::read("**B2**!", 3, 3), Ok(4));
/// assert_eq!(cell::read("b2 or c3?", 3, 3), Err(Unread::Strange));
/// assert!(matches!(cell::read("d4", 3, 3), Err(Unread::OffBoard(_))));
/// ```
///
/// # Errors
/// `Strange` for what is no cell at all, `OffBoard` for a cell that this board does not have.
pub fn read(text: &str, columns: usize, rows: usize) -> Result<usize, Unread> {
    match written(text).ok_or(Unread::Strange)? {
        Written::Number(index) if index < columns * rows => Ok(index),
        Written::Coordinate { column, row } if column < columns && row <= rows => Ok((rows - row) * columns + column),
        Written::Number(index) => Err(Unread::OffBoard((OFF_BOARD, off_board(index, columns, rows)))),
        Written::Coordinate { column, row } => {
            let letter = ('a'..='z').nth(column).unwrap_or('?');
            let last = name(columns.saturating_sub(1), columns, rows);
            let sentence = outside(format!("{letter}{row}"), format!("a1-{last}"), columns, rows);
            Err(Unread::OffBoard((OFF_BOARD, sentence)))
        }
    }
}

/// Reads a cell of any board. `None` if the text is not a cell and only a cell.
#[must_use]
pub fn written(text: &str) -> Option<Written> {
    let text = bare(text);
    let Some(letter) = text.chars().next().filter(char::is_ascii_alphabetic) else {
        return digits(text, 3).map(Written::Number);
    };
    let column = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
    let row = digits(text[1..].trim_start_matches(|c: char| c.is_whitespace() && c != '\n'), 2)?;
    // No board has a row 0, and nobody writes b02 for b2.
    (!text[1..].trim_start().starts_with('0')).then_some(Written::Coordinate { column, row })
}

/// The sentence about a position that the board does not have.
#[must_use]
pub fn off_board(position: impl Display, columns: usize, rows: usize) -> String {
    outside(position, format!("0-{}", (columns * rows).saturating_sub(1)), columns, rows)
}

fn outside(what: impl Display, range: impl Display, columns: usize, rows: usize) -> String {
    format!("Invalid move position: {what}. Valid range: {range} for {columns}x{rows} board")
}

fn digits(text: &str, most: usize) -> Option<usize> {
    let number = (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Result<usize, Unread>) {
        assert_eq!(&read(text, 3, 3), expected, "{text:?} on 3x3");
    }

    #[test]
    fn a_cell_is_read_as_people_type_it() {
        for text in [
            "b2",
            "B2",
            " b2 ",
            "b 2",
            "b\u{a0}2",
            "b2!",
            "b2.",
            "b2?",
            "b2…",
            "b2 🎉",
            "🎉b2",
            "b2 👍🏽",
            "b2 ❤️",
            "(b2)",
            "**b2**",
            "_b2_",
            "`b2`",
            "\"b2\"",
            "“b2”",
            "b2\r\n",
            "\u{feff}b2",
            "b2 :)",
            "b2 :-)",
            "b2 :tada:",
            "b2 :+1: :100:",
            "→ b2",
            "4",
            "4.",
            "4!",
            "4️⃣",
            "04",
            "004",
            "(4)",
            "4 🎉",
            "* b2",
            "b2 👩‍💻",
        ] {
            check(text, &Ok(4));
        }
    }

    #[test]
    fn words_and_signs_are_no_cell() {
        for text in [
            "",
            " ",
            "!",
            "🎉",
            "ok",
            "a",
            "A.",
            "b2 or c3?",
            "1st",
            "a1 sauce",
            "b2b3",
            "b2 c3",
            "bb2",
            "2b",
            "b",
            "b0",
            "b02",
            "b100",
            "1000",
            "0004",
            "-1",
            "−1",
            "– 1",
            "+4",
            "#4",
            "@b2",
            "/b2",
            ">b2",
            "~~b2~~",
            "b-2",
            "b\n2",
            "1 2",
            "1.5",
            "4%",
            "$4",
            "10:30",
            "10:30:",
            "b2 :D",
            ":tada:",
            "½",
            "٤",
            "b٢",
            "ｂ2",
            "🅰1",
            "b2 gg",
            "gg b2",
            "4=4",
            "<b2>",
            "ß2",
            "İ2",
        ] {
            check(text, &Err(Unread::Strange));
        }
    }

    #[test]
    fn a_cell_of_a_bigger_board_is_off_this_one() {
        for (text, what, range) in [
            ("9", "9", "0-8"),
            ("999", "999", "0-8"),
            ("D4!", "d4", "a1-c3"),
            ("a4", "a4", "a1-c3"),
            ("d1", "d1", "a1-c3"),
            ("z 99", "z99", "a1-c3"),
        ] {
            let sentence = format!("Invalid move position: {what}. Valid range: {range} for 3x3 board");
            check(text, &Err(Unread::OffBoard((OFF_BOARD, sentence))));
        }
    }

    #[test]
    fn a1_is_at_the_bottom_left() {
        for (name_, index, columns, rows) in [
            ("a3", 0, 3, 3),
            ("c3", 2, 3, 3),
            ("b2", 4, 3, 3),
            ("a1", 6, 3, 3),
            ("c1", 8, 3, 3),
            ("a6", 0, 7, 6),
            ("g1", 41, 7, 6),
            ("s19", 18, 19, 19),
            ("z26", 25, 26, 26),
        ] {
            assert_eq!(name(index, columns, rows), name_);
            assert_eq!(read(name_, columns, rows), Ok(index), "{name_}");
        }
    }

    #[test]
    fn every_cell_reads_back_from_its_name_and_its_number() {
        for (columns, rows) in [(1, 1), (3, 3), (7, 6), (6, 7), (19, 19), (26, 26)] {
            for index in 0..columns * rows {
                assert_eq!(read(&name(index, columns, rows), columns, rows), Ok(index));
                assert_eq!(read(&index.to_string(), columns, rows), Ok(index));
            }
        }
    }

    #[test]
    fn what_is_not_on_the_board_has_no_coordinate() {
        assert_eq!(name(9, 3, 3), "9");
        assert_eq!(name(0, 0, 0), "0");
        assert_eq!(name(30, 30, 2), "30");
        assert!(read("a1", 0, 0).is_err());
        assert!(read("0", 0, 0).is_err());
    }
}
