//! The notation of moves, and the sentences about them.

use game::cell;
use game::contract::{Explain, Notation};
use game::phrase::{Phrase, code, phrase};
use game::rule::{RuleError, Unread};

use crate::marks::{Player, told};
use crate::tic_tac_toe::game::{Move, TicTacToe};

impl Notation for TicTacToe {
    fn notation(&self, mv: &Move) -> String {
        cell::name(mv.position as usize, self.size, self.size)
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        cell::read(text, self.size, self.size).map(|index| Move { position: index as u32 })
    }
}

impl Explain for TicTacToe {
    fn objection(&self, mv: &Move) -> Option<RuleError> {
        let player = Player::from(self.to_move).name();
        self.playable(self.outcome.map(told), player, mv.position.into()).err()
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let index = mv.position as usize;
        let taken = if index < self.cells() { self.mark(index) } else { None }?;
        Some(phrase![taken.name(), " is already on ", code(self.notation(mv))])
    }
}
