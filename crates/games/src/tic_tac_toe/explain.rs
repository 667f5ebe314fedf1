//! Explains illegal moves.

use game::cell;
use game::contract::{Explain, Notation};
use game::phrase::{Phrase, code, phrase};
use game::rule::RuleError;
use serde_json::json;

use crate::tic_tac_toe::game::{Move, TicTacToe};
use crate::xo::{game_over_message, status_and_winner};

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
