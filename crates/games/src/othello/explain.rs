//! Explains illegal moves, passes and the final count.

use game::cell::{self, OUT_OF_RANGE_CODE};
use game::contract::{Explain, Game, Notation, Outcome, Rules};
use game::phrase::{Phrase, code, phrase};
use game::rule::RuleError;
use game::seat::Seat;
use serde_json::json;

use crate::othello::bitboards::SIZE;
use crate::othello::game::{Move, Othello};

impl Explain for Othello {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        let position = mv.position;
        let owner = self.owner(position as usize).map(|seat| Self::INFO.seats[seat.index()]);
        let (code, message) = match (self.outcome(), owner) {
            (Some(outcome), _) => {
                let result = match outcome {
                    Outcome::Won(seat) => format!("won, Winner: {}", Self::INFO.seats[seat.index()]),
                    Outcome::Draw => "draw, Winner: null".to_owned(),
                };
                ("TERMINAL_STATE_MOVE", format!("Cannot apply move to terminal game. Game status: {result}"))
            }
            _ if position as usize >= SIZE * SIZE => {
                (OUT_OF_RANGE_CODE, cell::out_of_range_message(position, SIZE, SIZE))
            }
            (_, Some(owner)) => (
                "OCCUPIED_CELL",
                format!("Cannot move to occupied cell at position {position}. Cell contains: {owner}"),
            ),
            _ if self.flipped_by(mv) == 0 => {
                ("NO_FLIP", format!("A disc at position {position} wouldn't flip any disc"))
            }
            _ => return None,
        };
        let legal: Vec<u32> = self.legal_moves().iter().map(|mv| mv.position).collect();
        Some(RuleError::new(code, message, json!({ "position": position, "legalMoves": legal })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        if self.outcome().is_some() || mv.position as usize >= SIZE * SIZE {
            return None;
        }
        let name = code(self.notation(mv));
        Some(match self.owner(mv.position as usize) {
            Some(seat) => phrase![Self::INFO.side_name(seat), " already has a disc on ", name],
            None => phrase!["A disc on ", name, " wouldn't flip anything"],
        })
    }

    fn commentary(&self) -> Option<Phrase> {
        if let Some(Outcome::Won(winner)) = self.outcome() {
            let [winner_discs, loser_discs] = [winner, winner.other()].map(|seat| self.disc_counts()[seat.index()]);
            let note =
                if winner_discs + loser_discs < (SIZE * SIZE) as u32 { ", and neither side can move" } else { "" };
            return Some(format!("{winner_discs} discs to {loser_discs}{note}.").into());
        }
        let name = |seat: Seat| Self::INFO.side_name(seat);
        self.passed.map(|seat| format!("{} can't move, so {} moves again.", name(seat), name(seat.other())).into())
    }
}
