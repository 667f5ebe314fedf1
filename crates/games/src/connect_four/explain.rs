//! Explains illegal moves.

use game::cell::OUT_OF_RANGE_CODE;
use game::contract::{Explain, Notation, Rules, game_over};
use game::phrase::{code, phrase};
use game::rule::IllegalMove;
use serde_json::json;

use crate::connect_four::game::{ConnectFour, Move};
use crate::connect_four::notation::out_of_range_message;

impl Explain for ConnectFour {
    fn illegality(&self, mv: &Move) -> IllegalMove {
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.notation(mv)).collect();
        let context = json!({ "column": mv.column, "legalMoves": legal });
        let name = self.notation(mv);
        if let Some(outcome) = self.outcome {
            IllegalMove { context, ..game_over::<Self>(outcome) }
        } else if mv.column as usize >= self.shape.columns {
            IllegalMove::new(OUT_OF_RANGE_CODE, out_of_range_message(self, &name), context)
        } else {
            let explanation = phrase!["Column ", code(name.clone()), " is full"];
            IllegalMove::new("COLUMN_FULL", format!("Column {name} is full"), context).explained(explanation)
        }
    }
}
