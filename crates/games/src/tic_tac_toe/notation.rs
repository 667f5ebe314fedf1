//! Move notation, and explanations of illegal moves.

use game::cell;
use game::contract::{Explain, Notation};
use game::notation::strip_decoration;
use game::phrase::{Phrase, code, phrase};
use game::rule::{ParseMoveError, RuleError};
use serde_json::json;

use crate::marks::{game_over_message, status_and_winner};
use crate::tic_tac_toe::game::{Move, TicTacToe};

impl Notation for TicTacToe {
    fn notation(&self, mv: &Move) -> String {
        cell::name(mv.position as usize, self.size, self.size)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let named = if self.size == 3 { parse_cell_name(text) } else { None };
        let index = named.map_or_else(|| cell::parse(text, self.size, self.size), Ok)?;
        Ok(Move { position: index as u32 })
    }
}

/// Parses the name of a cell on a 3x3 board: `center`, `top left`. `None` for any other text.
fn parse_cell_name(text: &str) -> Option<usize> {
    let words = text.to_lowercase().replace('-', " ");
    let words: Vec<&str> = strip_decoration(&words).split_whitespace().filter(|word| *word != "the").collect();
    let find = |names: [&[&str]; 3]| {
        let named = |names: &[&str]| words.iter().any(|word| names.contains(word));
        names.iter().position(|names| named(names))
    };
    let row = find([&["top", "upper"], &["middle"], &["bottom", "lower"]]);
    let column = find([&["left"], &["middle"], &["right"]]);
    match (row, column, words.as_slice()) {
        (_, _, ["center" | "centre" | "middle"]) => Some(4),
        (Some(row), Some(column), [_, _]) => Some(row * 3 + column),
        _ => None,
    }
}

impl Explain for TicTacToe {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        let position = mv.position;
        if let Some(outcome) = self.outcome {
            let (status, winner) = status_and_winner(outcome);
            let context = json!({ "position": position, "currentStatus": status, "winner": winner });
            return Some(RuleError::new("TERMINAL_STATE_MOVE", game_over_message(status, winner), context));
        }
        let legal_cells = || self.free_cells().collect::<Vec<_>>();
        if position as usize >= self.cell_count() {
            let message = cell::out_of_range_message(position, self.size, self.size);
            let context = json!({ "position": position, "legalMoves": legal_cells() });
            return Some(RuleError::new(cell::OUT_OF_RANGE_CODE, message, context));
        }
        let owner = self.mark(position as usize)?;
        let message = format!("Cannot move to occupied cell at position {position}. Cell contains: {}", owner.name());
        let context = json!({ "position": position, "cell": owner, "legalMoves": legal_cells() });
        Some(RuleError::new("OCCUPIED_CELL", message, context))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let index = mv.position as usize;
        if index >= self.cell_count() {
            return None;
        }
        let owner = self.mark(index)?;
        Some(phrase![owner.name(), " is already on ", code(self.notation(mv))])
    }
}
