//! Cell coordinates such as `b2`, shared by all games on a grid.
//!
//! Columns are letters from the left. Rows are numbers from the bottom, or from the top in some games ([`RowOrigin`]).
//! Internally, a cell is an index that counts from 0 at the top left, row by row. People may type that number instead.
//!
//! Parsing ignores spaces, punctuation, emphasis and emoji around a cell, but no extra words: `b2!` is a move, and
//! `b2 or c3?` is chat. A place such as `top left` is a cell, too.

use std::fmt::Display;

use crate::ParseMoveError;
use crate::notation::strip_decoration;
use crate::notation::words::parse_place;

/// The maximum number of columns of a board: one for each letter.
pub const MAX_COLUMNS: usize = 26;

/// The machine code for a cell that isn't on the board.
pub const OUT_OF_RANGE_CODE: &str = "INVALID_MOVE_POSITION";

/// The edge of the board where row 1 is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOrigin {
    /// The bottom, as in most games.
    #[default]
    Bottom,
    /// The top, as in Othello.
    Top,
}

/// A cell as typed. It may be off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellRef {
    /// A coordinate such as `b2`, from a1 to z99.
    Coordinate {
        /// The column from the left, 0 to 25.
        column: usize,
        /// The row number, 1 to 99.
        row: usize,
    },
    /// An index, 0 to 999.
    Index(usize),
}

/// Returns the coordinate of a cell. Cells off the board are formatted as their index.
///
/// ```
/// use game::cell;
///
/// // On a 3x3 board, cell 4 is the center.
/// assert_eq!(cell::name(4, 3, 3), "b2");
/// assert_eq!(cell::name(9, 3, 3), "9");
/// ```
pub fn name(index: usize, columns: usize, rows: usize) -> String {
    name_with_origin(RowOrigin::Bottom, index, columns, rows)
}

/// Returns the coordinate of a cell on a board with this row origin.
///
/// ```
/// use game::RowOrigin;
/// use game::cell::name_with_origin;
///
/// assert_eq!(name_with_origin(RowOrigin::Top, 2, 3, 3), "c1");
/// ```
pub fn name_with_origin(row_origin: RowOrigin, index: usize, columns: usize, rows: usize) -> String {
    let on_board = columns <= MAX_COLUMNS && index < columns * rows;
    let letter = index.checked_rem(columns).and_then(|column| ('a'..='z').nth(column));
    match letter {
        Some(letter) if on_board => format!("{letter}{}", row_origin.row_number(index / columns, rows)),
        _ => index.to_string(),
    }
}

/// Parses a cell of this board, given as a coordinate or an index.
///
/// ```
/// use game::{ParseMoveError, cell};
///
/// assert_eq!(cell::parse("**B2**!", 3, 3), Ok(4));
/// assert_eq!(cell::parse("b2 or c3?", 3, 3), Err(ParseMoveError::NotAMove));
/// assert!(matches!(cell::parse("d4", 3, 3), Err(ParseMoveError::OutOfRange(_))));
/// ```
///
/// # Errors
/// Returns `NotAMove` if the text isn't a cell, `OutOfRange` if the cell isn't on this board, and `Ambiguous` for two
/// numbers or a place that can mean several cells.
pub fn parse(text: &str, columns: usize, rows: usize) -> Result<usize, ParseMoveError> {
    parse_with_origin(RowOrigin::Bottom, text, columns, rows)
}

/// Parses a cell on a board with this row origin.
///
/// # Errors
/// Returns the same errors as [`parse`].
pub fn parse_with_origin(
    row_origin: RowOrigin,
    text: &str,
    columns: usize,
    rows: usize,
) -> Result<usize, ParseMoveError> {
    if let Some(pair) = parse_pair(text) {
        return cell_of_pair(row_origin, pair, columns, rows);
    }
    let Some(cell) = parse_cell_ref(text) else {
        return only_cell(row_origin, &parse_place(text, columns, rows), columns, rows);
    };
    match cell {
        CellRef::Index(index) if index < columns * rows => Ok(index),
        CellRef::Coordinate { column, row } if column < columns && (1..=rows).contains(&row) => {
            Ok(row_origin.row_index(row, rows) * columns + column)
        }
        CellRef::Index(index) => {
            let range = index_range(columns, rows);
            let message = range_message(index, &range, columns, rows);
            Err(ParseMoveError::outside_board(OUT_OF_RANGE_CODE, message, &range))
        }
        CellRef::Coordinate { column, row } => {
            let letter = ('a'..='z').nth(column).unwrap_or('?');
            let last = name_with_origin(RowOrigin::Top, (columns * rows).saturating_sub(1), columns, rows);
            let range = format!("a1-{last}");
            let message = range_message(format!("{letter}{row}"), &range, columns, rows);
            Err(ParseMoveError::outside_board(OUT_OF_RANGE_CODE, message, &range))
        }
    }
}

impl RowOrigin {
    /// Returns the number of the row with this index from the top.
    pub fn row_number(self, index: usize, rows: usize) -> usize {
        if self == RowOrigin::Top { index + 1 } else { rows - index }
    }

    /// Returns the index from the top of the row with this number.
    fn row_index(self, number: usize, rows: usize) -> usize {
        if self == RowOrigin::Top { number - 1 } else { rows - number }
    }
}

/// Parses a cell of any board. Returns `None` if the text isn't exactly one cell.
pub fn parse_cell_ref(text: &str) -> Option<CellRef> {
    let text = strip_decoration(text);
    let Some(letter) = text.chars().next().filter(char::is_ascii_alphabetic) else {
        return parse_digits(text, 3).map(CellRef::Index);
    };
    let column = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
    let digits = text[1..].trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
    // Rows start at 1, and `b02` isn't a cell.
    if digits.starts_with('0') {
        return None;
    }
    Some(CellRef::Coordinate { column, row: parse_digits(digits, 2)? })
}

/// Parses two numbers with a comma, a semicolon or a space between them: `8,9`. `None` for any other text.
fn parse_pair(text: &str) -> Option<(usize, usize)> {
    let (first, second) = strip_decoration(text).split_once([',', ';', ' '])?;
    Some((parse_digits(first.trim_end(), 2)?, parse_digits(second.trim_start(), 2)?))
}

/// Returns the cell that two numbers from 1 mean, whichever of them is the column.
///
/// # Errors
/// Returns `Ambiguous` if they can mean two cells of this board, and `NotAMove` if they mean none.
fn cell_of_pair(
    row_origin: RowOrigin,
    (first, second): (usize, usize),
    columns: usize,
    rows: usize,
) -> Result<usize, ParseMoveError> {
    let on_board = |(column, row): &(usize, usize)| (1..=columns).contains(column) && (1..=rows).contains(row);
    let cells = [(first, second), (second, first)].into_iter().filter(on_board);
    let mut cells: Vec<usize> =
        cells.map(|(column, row)| row_origin.row_index(row, rows) * columns + column - 1).collect();
    cells.dedup();
    only_cell(row_origin, &cells, columns, rows)
}

/// Returns the only one of the cells that a text can mean.
///
/// # Errors
/// Returns `Ambiguous` if there are several, and `NotAMove` if there is no cell.
fn only_cell(row_origin: RowOrigin, cells: &[usize], columns: usize, rows: usize) -> Result<usize, ParseMoveError> {
    match *cells {
        [] => Err(ParseMoveError::NotAMove),
        [only] => Ok(only),
        _ => {
            let name = |cell: &usize| name_with_origin(row_origin, *cell, columns, rows);
            Err(ParseMoveError::Ambiguous(cells.iter().map(name).collect()))
        }
    }
}

/// Returns the error message for an index that isn't on the board.
pub fn out_of_range_message(index: impl Display, columns: usize, rows: usize) -> String {
    range_message(index, &index_range(columns, rows), columns, rows)
}

/// Returns the range of the indices on a board.
fn index_range(columns: usize, rows: usize) -> String {
    format!("0-{}", (columns * rows).saturating_sub(1))
}

fn range_message(cell: impl Display, range: &str, columns: usize, rows: usize) -> String {
    format!("Invalid move position: {cell}. Valid range: {range} for {columns}x{rows} board")
}

/// Parses a number of 1 to `max_digits` digits.
fn parse_digits(text: &str, max_digits: usize) -> Option<usize> {
    let is_number = (1..=max_digits).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}
