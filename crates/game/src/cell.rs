//! "b2": the coordinates that all games on a grid share.
//!
//! Columns are letters from the left, rows are numbers from the bottom, so a1 is at the bottom left; in some games they are
//! numbers from the top ([`RowOne`]). Inside, a cell is its index from 0 at the top left, row by row, and people may write that
//! number instead.
//!
//! Reading forgives what people put around a move (spaces, punctuation, emphasis, emoji) and never a word: `b2!` is a
//! move, `b2 or c3?` is talk. It tells apart what is no cell at all from a cell that this board does not have.

use std::fmt::Display;

use crate::notation::strip_decoration;
use crate::rule::ParseMoveError;

/// The most columns that a board can have: one for each letter.
pub const MAX_COLUMNS: usize = 26;

/// The machine code for a cell that the board does not have.
pub const OUT_OF_RANGE_CODE: &str = "INVALID_MOVE_POSITION";

/// The edge of a board at which its row 1 lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOrigin {
    /// The bottom, as in most games.
    #[default]
    Bottom,
    /// The top, as in Othello.
    Top,
}

/// A cell as somebody wrote it, on this board or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellRef {
    /// `b2`: the column from 0 at the left, the row from 1 at the bottom; up to z and 99.
    Coordinate {
        /// The column, 0 to 25.
        column: usize,
        /// The row, 1 to 99.
        row: usize,
    },
    /// `4`: the index, 0 to 999.
    Index(usize),
}

/// Returns the coordinate of a cell. A cell that the board does not have goes by its number.
///
/// ```
/// use game::cell;
///
/// // On three columns and three rows, cell 4 is the middle one.
/// assert_eq!(cell::name(4, 3, 3), "b2");
/// assert_eq!(cell::name(9, 3, 3), "9");
/// ```
pub fn name(index: usize, columns: usize, rows: usize) -> String {
    name_with_origin(RowOrigin::Bottom, index, columns, rows)
}

/// Returns the same on a board whose row 1 lies at this edge.
///
/// ```
/// use game::cell::{RowOne, name_from};
///
/// assert_eq!(name_from(RowOne::Top, 2, 3, 3), "c1");
/// ```
pub fn name_with_origin(row_one: RowOrigin, index: usize, columns: usize, rows: usize) -> String {
    let on_board = columns <= MAX_COLUMNS && index < columns * rows;
    let letter = index.checked_rem(columns).and_then(|column| ('a'..='z').nth(column));
    match letter {
        Some(letter) if on_board => format!("{letter}{}", row_one.row_number(index / columns, rows)),
        _ => index.to_string(),
    }
}

/// Reads a cell of this board, as a coordinate or as a number.
///
/// ```
/// use game::cell;
/// use game::rule::Unread;
///
/// assert_eq!(cell::read("**B2**!", 3, 3), Ok(4));
/// assert_eq!(cell::read("b2 or c3?", 3, 3), Err(Unread::Strange));
/// assert!(matches!(cell::read("d4", 3, 3), Err(Unread::OffBoard(_))));
/// ```
///
/// # Errors
/// `Strange` for what is no cell at all, `OffBoard` for a cell that this board does not have.
pub fn parse(text: &str, columns: usize, rows: usize) -> Result<usize, ParseMoveError> {
    parse_with_origin(RowOrigin::Bottom, text, columns, rows)
}

/// Reads the same on a board whose row 1 lies at this edge.
///
/// # Errors
/// Those of [`read`].
pub fn parse_with_origin(row_one: RowOrigin, text: &str, columns: usize, rows: usize) -> Result<usize, ParseMoveError> {
    match parse_cell_ref(text).ok_or(ParseMoveError::NotAMove)? {
        CellRef::Index(index) if index < columns * rows => Ok(index),
        CellRef::Coordinate { column, row } if column < columns && (1..=rows).contains(&row) => {
            Ok(row_one.row_index(row, rows) * columns + column)
        }
        CellRef::Index(index) => {
            Err(ParseMoveError::OutOfRange((OUT_OF_RANGE_CODE, out_of_range_message(index, columns, rows))))
        }
        CellRef::Coordinate { column, row } => {
            let letter = ('a'..='z').nth(column).unwrap_or('?');
            let last = name_with_origin(RowOrigin::Top, (columns * rows).saturating_sub(1), columns, rows);
            let sentence = range_message(format!("{letter}{row}"), format!("a1-{last}"), columns, rows);
            Err(ParseMoveError::OutOfRange((OUT_OF_RANGE_CODE, sentence)))
        }
    }
}

impl RowOrigin {
    /// Returns the number of a row that is so far down from the top.
    pub fn row_number(self, down: usize, rows: usize) -> usize {
        if self == RowOrigin::Top { down + 1 } else { rows - down }
    }

    /// Returns how far down from the top the row of this number is.
    fn row_index(self, row: usize, rows: usize) -> usize {
        if self == RowOrigin::Top { row - 1 } else { rows - row }
    }
}

/// Reads a cell of any board. `None` if the text is not a cell and only a cell.
pub fn parse_cell_ref(text: &str) -> Option<CellRef> {
    let text = strip_decoration(text);
    let Some(letter) = text.chars().next().filter(char::is_ascii_alphabetic) else {
        return parse_digits(text, 3).map(CellRef::Index);
    };
    let column = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
    let row = parse_digits(text[1..].trim_start_matches(|c: char| c.is_whitespace() && c != '\n'), 2)?;
    // No board has a row 0, and nobody writes b02 for b2.
    (!text[1..].trim_start().starts_with('0')).then_some(CellRef::Coordinate { column, row })
}

/// Returns the sentence about a position that the board does not have.
pub fn out_of_range_message(position: impl Display, columns: usize, rows: usize) -> String {
    range_message(position, format!("0-{}", (columns * rows).saturating_sub(1)), columns, rows)
}

fn range_message(what: impl Display, range: impl Display, columns: usize, rows: usize) -> String {
    format!("Invalid move position: {what}. Valid range: {range} for {columns}x{rows} board")
}

fn parse_digits(text: &str, most: usize) -> Option<usize> {
    let number = (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    number.then(|| text.parse().ok()).flatten()
}
