//! Move notation, and explanations of illegal moves.

use game::cell::{self, CellRef, OUT_OF_RANGE_CODE};
use game::contract::{Explain, Game, Notation, Outcome, Rules};
use game::notation::strip_decoration;
use game::phrase::{Phrase, code, phrase};
use game::rule::{ParseMoveError, RuleError};
use serde_json::json;

use crate::connect_four::discs::{MAX_SIDE, Shape};
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
            _ => Err(ParseMoveError::out_of_range(OUT_OF_RANGE_CODE, out_of_range_message(self, &text))),
        }
    }

    /// Returns an empty heading, so that the move list isn't grouped by row.
    fn move_list_heading(&self, _mv: &Move) -> Option<String> {
        Some(String::new())
    }
}

impl Explain for ConnectFour {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        let column = mv.column as usize;
        let name = self.notation(mv);
        let (code, message) = match self.outcome {
            Some(outcome) => {
                let ended = match outcome {
                    Outcome::Won(seat) => format!("won, Winner: {}", Self::INFO.seats[seat.index()]),
                    Outcome::Draw => "draw, Winner: null".to_owned(),
                };
                ("TERMINAL_STATE_MOVE", format!("Cannot apply move to terminal game. Game status: {ended}"))
            }
            None if column >= self.shape.columns => (OUT_OF_RANGE_CODE, out_of_range_message(self, &name)),
            None if self.landing_cell(column).is_none() => ("COLUMN_FULL", format!("Column {name} is full")),
            None => return None,
        };
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.notation(mv)).collect();
        Some(RuleError::new(code, message, json!({ "column": mv.column, "legalMoves": legal })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        if self.outcome.is_some() || mv.column as usize >= self.shape.columns {
            return None;
        }
        Some(phrase!["Column ", code(self.notation(mv)), " is full"])
    }
}

/// Returns the error message for a column that isn't on the board.
fn out_of_range_message(game: &ConnectFour, column: &str) -> String {
    let Shape { columns, rows, .. } = game.shape;
    format!("Invalid column: {column}. Valid range: {} for {columns}x{rows} board", column_range(game))
}

/// Returns the range of columns, like `a-g`.
fn column_range(game: &ConnectFour) -> String {
    format!("a-{}", game.notation(&Move { column: game.shape.columns as u32 - 1 }))
}
