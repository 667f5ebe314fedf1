//! Explains illegal moves and swaps.

use game::cell::{self, OUT_OF_RANGE_CODE};
use game::contract::{Explain, Game, Notation};
use game::phrase::{Phrase, code, phrase};
use game::rule::RuleError;
use game::seat::Seat;
use serde_json::json;

use crate::hex::game::{Hex, Move};
use crate::hex::notation::{SWAP_WORD, cell_name};

impl Explain for Hex {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        let position = mv.position;
        let size = self.size;
        let owner = self.stone(position as usize).map(|seat| Self::INFO.seats[seat.index()]);
        let (code, message) = match (self.winner, owner) {
            (Some(winner), _) => {
                let winner = Self::INFO.seats[winner.index()];
                let message = format!("Cannot apply move to terminal game. Game status: won, Winner: {winner}");
                ("TERMINAL_STATE_MOVE", message)
            }
            _ if mv.swap && self.swap_move() == Some(*mv) => return None,
            _ if mv.swap => ("NO_SWAP", "Only blue's first move can swap".to_owned()),
            _ if position as usize >= size * size => {
                (OUT_OF_RANGE_CODE, cell::out_of_range_message(position, size, size))
            }
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
            return Some(if self.can_swap {
                phrase!["You can only ", code(SWAP_WORD), " on Blue's first move"]
            } else {
                phrase!["You can't ", code(SWAP_WORD), " in this game"]
            });
        }
        let owner = self.stone(mv.position as usize)?;
        Some(phrase![Self::INFO.side_name(owner), " already has a stone on ", code(self.notation(mv))])
    }

    fn turn_hint(&self) -> Option<Phrase> {
        self.swap_move()?;
        Some(phrase!["Instead of placing a stone, Blue can take over Red's: write ", code("/swap"), "."])
    }

    fn commentary(&self) -> Option<Phrase> {
        if !self.was_swapped {
            return None;
        }
        let cell = (0..self.size * self.size).find(|cell| self.stone(*cell) == Some(Seat::Second))?;
        Some(phrase!["Red's stone is now Blue's, mirrored to ", code(cell_name(self, cell)), "."])
    }
}
