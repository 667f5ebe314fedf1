//! Move notation, and explanations of illegal moves.

use game::cell;
use game::contract::{Explain, Notation};
use game::phrase::{Phrase, code, phrase};
use game::rule::{ParseMoveError, RuleError};

use crate::marks::{Player, status_and_winner};
use crate::tic_tac_toe::game::{Move, TicTacToe};

impl Notation for TicTacToe {
    fn notation(&self, mv: &Move) -> String {
        cell::name(mv.position as usize, self.size, self.size)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        cell::parse(text, self.size, self.size).map(|index| Move { position: index as u32 })
    }
}

impl Explain for TicTacToe {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        let player = Player::from(self.side_to_move).name();
        self.check_move(self.outcome.map(status_and_winner), player, mv.position.into()).err()
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
