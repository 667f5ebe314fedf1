//! Explains illegal moves and swaps.

use game::cell::{self, OUT_OF_RANGE_CODE};
use game::contract::{Explain, Game, Outcome, game_over};
use game::phrase::{Phrase, code, phrase};
use game::rule::IllegalMove;
use game::seat::Seat;
use serde_json::json;

use crate::hex::game::{Hex, Move};
use crate::hex::notation::{SWAP_WORD, cell_name};

impl Explain for Hex {
    fn illegality(&self, mv: &Move) -> IllegalMove {
        let (position, size) = (mv.position, self.size);
        let context = json!({ "position": position, "swap": mv.swap });
        if let Some(winner) = self.winner {
            return IllegalMove { context, ..game_over::<Self>(Outcome::Won(winner)) };
        }
        if mv.swap {
            let explanation = if self.can_swap {
                phrase!["You can only ", code(SWAP_WORD), " on Blue's first move"]
            } else {
                phrase!["You can't ", code(SWAP_WORD), " in this game"]
            };
            return IllegalMove::new("NO_SWAP", "Only blue's first move can swap", context).explained(explanation);
        }
        let Some(owner) = self.stone(position as usize) else {
            let message = cell::out_of_range_message(position, size, size);
            return IllegalMove::new(OUT_OF_RANGE_CODE, message, context);
        };
        let name = Self::INFO.seats[owner.index()];
        let message = format!("Cannot move to occupied cell at position {position}. Cell contains: {name}");
        let explanation =
            phrase![Self::INFO.side_name(owner), " already has a stone on ", code(cell_name(self, position as usize))];
        IllegalMove::new("OCCUPIED_CELL", message, context).explained(explanation)
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
