//! Explains illegal moves.

use game::cell::OUT_OF_RANGE_CODE;
use game::contract::{Explain, Game, Notation, Outcome, Rules};
use game::phrase::{Phrase, code, phrase};
use game::rule::RuleError;
use serde_json::json;

use crate::connect_four::game::{ConnectFour, Move};
use crate::connect_four::notation::out_of_range_message;

impl Explain for ConnectFour {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        let column = mv.column as usize;
        let name = self.notation(mv);
        let (code, message) = match self.outcome {
            Some(outcome) => {
                let ended = match outcome {
                    Outcome::Won(seat) => format!("won, Winner: {}", Self::INFO.seats[seat.index()]),
                    Outcome::Draw => "draw, Winner: null".to_owned(),
                };
                ("TERMINAL_STATE_MOVE", format!("Cannot apply move to terminal game. Game status: {ended}"))
            }
            None if column >= self.shape.columns => (OUT_OF_RANGE_CODE, out_of_range_message(self, &name)),
            None if self.landing_cell(column).is_none() => ("COLUMN_FULL", format!("Column {name} is full")),
            None => return None,
        };
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.notation(mv)).collect();
        Some(RuleError::new(code, message, json!({ "column": mv.column, "legalMoves": legal })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        if self.outcome.is_some() || mv.column as usize >= self.shape.columns {
            return None;
        }
        Some(phrase!["Column ", code(self.notation(mv)), " is full"])
    }
}
