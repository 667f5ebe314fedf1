//! Move notation.

use game::cell;
use game::contract::Notation;
use game::notation::strip_decoration;
use game::rule::ParseMoveError;

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
