//! Explains illegal moves.

use game::cell;
use game::contract::{Explain, Notation, game_over};
use game::phrase::{code, phrase};
use game::rule::IllegalMove;
use serde_json::json;

use crate::tic_tac_toe::game::{Move, TicTacToe};
use crate::xo::Player;

impl Explain for TicTacToe {
    fn illegality(&self, mv: &Move) -> IllegalMove {
        let position = mv.position;
        if let Some(outcome) = self.outcome {
            let over = game_over::<Self>(outcome);
            let [status, winner] = ["currentStatus", "winner"].map(|key| &over.context[key]);
            let context = json!({ "position": position, "currentStatus": status, "winner": winner });
            return IllegalMove { context, ..over };
        }
        let legal_cells: Vec<usize> = self.free_cells().collect();
        if position as usize >= self.cell_count() {
            let message = cell::out_of_range_message(position, self.size, self.size);
            let context = json!({ "position": position, "legalMoves": legal_cells });
            return IllegalMove::new(cell::OUT_OF_RANGE_CODE, message, context);
        }
        let owner = self.mark(position as usize);
        let name = owner.map_or("nobody", Player::name);
        let message = format!("Cannot move to occupied cell at position {position}. Cell contains: {name}");
        let context = json!({ "position": position, "cell": owner, "legalMoves": legal_cells });
        let explanation = phrase![name, " is already on ", code(self.notation(mv))];
        IllegalMove::new("OCCUPIED_CELL", message, context).explained(explanation)
    }
}
