//! Move notation.

use game::cell::{self, CellRef, OUT_OF_RANGE_CODE};
use game::contract::Notation;
use game::notation::strip_decoration;
use game::rule::ParseMoveError;

use crate::connect_four::bitboards::{MAX_SIDE, Shape};
use crate::connect_four::game::{ConnectFour, Move};

impl Notation for ConnectFour {
    fn notation(&self, mv: &Move) -> String {
        match ('a'..='z').nth(mv.column as usize) {
            Some(letter) => letter.to_string(),
            None => (mv.column + 1).to_string(),
        }
    }

    /// Parses a column by its letter or number. A cell isn't a move, because the disc drops to the lowest free one.
    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let text = strip_decoration(text).to_ascii_lowercase();
        let column = match (text.as_bytes(), cell::parse_cell_ref(&text)) {
            // Letters past the widest board, like "k", are chat.
            ([letter], None) => Some(usize::from(letter.wrapping_sub(b'a'))).filter(|column| *column < MAX_SIDE),
            (_, Some(CellRef::Index(number))) if number < 100 => Some(number.wrapping_sub(1)),
            (_, Some(CellRef::Coordinate { column, .. })) if column < MAX_SIDE => {
                let message = format!(
                    "Write just the column, {}, because the disc drops to the lowest free cell",
                    column_range(self)
                );
                return Err(ParseMoveError::out_of_range(OUT_OF_RANGE_CODE, message));
            }
            _ => None,
        };
        match column.ok_or(ParseMoveError::NotAMove)? {
            column if column < self.shape.columns => Ok(Move { column: column as u32 }),
            _ => {
                let message = out_of_range_message(self, &text);
                Err(ParseMoveError::outside_board(OUT_OF_RANGE_CODE, message, &column_range(self)))
            }
        }
    }

    /// Returns an empty heading, so that the move list isn't grouped by row.
    fn move_list_heading(&self, _mv: &Move) -> Option<String> {
        Some(String::new())
    }
}

/// Returns the error message for a column that isn't on the board.
pub(super) fn out_of_range_message(game: &ConnectFour, column: &str) -> String {
    let Shape { columns, rows, .. } = game.shape;
    format!("Invalid column: {column}. Valid range: {} for {columns}x{rows} board", column_range(game))
}

/// Returns the range of columns, like `a-g`.
fn column_range(game: &ConnectFour) -> String {
    format!("a-{}", game.notation(&Move { column: game.shape.columns as u32 - 1 }))
}
