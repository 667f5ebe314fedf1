//! Boards as rows of symbols, in the JSON of positions: `["B.W", "..."]`.

use game::{InvalidState, Seat};

/// The symbol of a free cell.
const FREE: char = '.';

/// The size of a board, and the symbols of each seat's pieces.
pub(crate) struct Rows {
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
    /// The symbols, by seat.
    pub symbols: [char; 2],
}

impl Rows {
    /// Returns the owners of the pieces, row by row from the top left; `None` for a free cell.
    ///
    /// # Errors
    /// Returns an error if the board has another size or a row has another symbol.
    pub(crate) fn parse(&self, board: &[String]) -> Result<Vec<Option<Seat>>, InvalidState> {
        let Rows { columns, rows, symbols: [first, second] } = *self;
        if board.len() != rows {
            return Err(InvalidState::unexpected("board.length", board.len(), &format!("{rows} rows")));
        }
        let mut cells = Vec::with_capacity(columns * rows);
        for (row, text) in board.iter().enumerate() {
            if text.chars().count() != columns {
                return Err(invalid_row(board, row, &format!("{columns} characters")));
            }
            for symbol in text.chars() {
                cells.push(match symbol {
                    FREE => None,
                    _ if symbol == first => Some(Seat::First),
                    _ if symbol == second => Some(Seat::Second),
                    _ => return Err(invalid_row(board, row, &format!("only {first}, {second} and {FREE}"))),
                });
            }
        }
        Ok(cells)
    }

    /// Returns the rows of a board with these owners.
    pub(crate) fn format(&self, owner: impl Fn(usize) -> Option<Seat>) -> Vec<String> {
        let symbol = |cell| owner(cell).map_or(FREE, |seat| self.symbols[seat.index()]);
        let row = |row: usize| (row * self.columns..(row + 1) * self.columns).map(symbol).collect();
        (0..self.rows).map(row).collect()
    }
}

/// Returns the error for a row that isn't as expected.
pub(crate) fn invalid_row(board: &[String], row: usize, expected: &str) -> InvalidState {
    InvalidState::unexpected(&format!("board[{row}]"), board[row].as_str(), expected)
}
