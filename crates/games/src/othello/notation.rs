//! Move notation.

use game::cell::{self, RowOrigin};
use game::contract::Notation;
use game::rule::ParseMoveError;

use crate::othello::bitboards::SIZE;
use crate::othello::game::{Move, Othello};

impl Notation for Othello {
    fn notation(&self, mv: &Move) -> String {
        cell::name_with_origin(RowOrigin::Top, mv.position as usize, SIZE, SIZE)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        cell::parse_with_origin(RowOrigin::Top, text, SIZE, SIZE).map(|index| Move { position: index as u32 })
    }
}
