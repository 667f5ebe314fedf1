//! The notation of moves, and the sentences about them.

use game::cell::{self, OFF_BOARD, RowOne};
use game::contract::{Explain, Game, Notation};
use game::notation::fold;
use game::phrase::{Phrase, code, phrase};
use game::rule::{RuleError, Unread};
use serde_json::json;

use crate::hex::game::{Hex, Move};

/// The word for taking the first stone over.
pub(super) const SWAPS: &str = "swap";

impl Notation for Hex {
    fn notation(&self, mv: &Move) -> String {
        if mv.swap { SWAPS.to_owned() } else { cell_name(self, mv.position as usize) }
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        if fold(text) == SWAPS {
            return Ok(self.swap().unwrap_or(Move { position: 0, swap: true }));
        }
        let cell = cell::read_from(RowOne::Top, text, self.size, self.size)?;
        Ok(Move { position: cell as u32, swap: false })
    }

    fn group(&self, mv: &Move) -> Option<String> {
        mv.swap.then(|| "Instead of a stone".to_owned())
    }

    fn deed(mv: &Move) -> Option<&'static str> {
        mv.swap.then_some("swapped")
    }
}

impl Explain for Hex {
    fn objection(&self, mv: &Move) -> Option<RuleError> {
        let position = mv.position;
        let side = self.size;
        let owner = self.stone(position as usize).map(|seat| Self::INFO.seats[seat.index()]);
        let (code, message) = match (self.winner, owner) {
            (Some(winner), _) => {
                let winner = Self::INFO.seats[winner.index()];
                let message = format!("Cannot apply move to terminal game. Game status: won, Winner: {winner}");
                ("TERMINAL_STATE_MOVE", message)
            }
            _ if mv.swap && self.swap() == Some(*mv) => return None,
            _ if mv.swap => ("NO_SWAP", "Only blue's first move can swap".to_owned()),
            _ if position as usize >= side * side => (OFF_BOARD, cell::off_board(position, side, side)),
            (_, Some(owner)) => (
                "OCCUPIED_CELL",
                format!("Cannot move to occupied cell at position {position}. Cell contains: {owner}"),
            ),
            _ => return None,
        };
        Some(RuleError::new(code, message, json!({ "position": position, "swap": mv.swap })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        if self.winner.is_some() {
            return None;
        }
        if mv.swap {
            let why = if self.can_swap { " on Blue's first move" } else { " in this game" };
            let can = if self.can_swap { "You can only " } else { "You can't " };
            return Some(phrase![can, code(SWAPS), why]);
        }
        let owner = self.stone(mv.position as usize)?;
        Some(phrase![Self::INFO.side(owner), " already has a stone on ", code(self.notation(mv))])
    }

    fn turn_hint(&self) -> Option<Phrase> {
        self.swap().map(|_| phrase!["Instead of placing a stone, Blue can take over Red's: write ", code("/swap"), "."])
    }

    fn news(&self) -> Option<Phrase> {
        let stone = self.stones[1].0.iter().zip(0..).find(|(cells, _)| **cells != 0).filter(|_| self.swapped)?;
        let cell = stone.1 * self.size + stone.0.trailing_zeros() as usize;
        Some(phrase!["Red's stone is now Blue's, mirrored to ", code(cell_name(self, cell)), "."])
    }
}

fn cell_name(game: &Hex, cell: usize) -> String {
    cell::name_from(RowOne::Top, cell, game.size, game.size)
}
