//! Move notation.

use game::cell::{self, RowOrigin};
use game::contract::Notation;
use game::notation::normalize;
use game::rule::ParseMoveError;

use crate::hex::game::{Hex, Move};

/// The notation of the swap move.
pub(super) const SWAP_WORD: &str = "swap";

impl Notation for Hex {
    fn notation(&self, mv: &Move) -> String {
        if mv.swap { SWAP_WORD.to_owned() } else { cell_name(self, mv.position as usize) }
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        if normalize(text) == SWAP_WORD {
            return Ok(self.swap_move().unwrap_or(Move { position: 0, swap: true }));
        }
        let cell = cell::parse_with_origin(RowOrigin::Top, text, self.size, self.size)?;
        Ok(Move { position: cell as u32, swap: false })
    }

    fn move_list_heading(&self, mv: &Move) -> Option<String> {
        if mv.swap { Some("Instead of a stone".to_owned()) } else { None }
    }

    fn action_phrase(mv: &Move) -> Option<&'static str> {
        if mv.swap { Some("swapped") } else { None }
    }
}

pub(super) fn cell_name(game: &Hex, cell: usize) -> String {
    cell::name_with_origin(RowOrigin::Top, cell, game.size, game.size)
}
