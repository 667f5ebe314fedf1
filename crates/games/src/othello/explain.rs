//! Explains illegal moves, passes and the final count.

use game::cell::{self, OUT_OF_RANGE_CODE};
use game::contract::{Explain, Game, Notation, Outcome, Rules, game_over};
use game::phrase::{Phrase, code, phrase};
use game::rule::IllegalMove;
use game::seat::Seat;
use serde_json::json;

use crate::othello::bitboards::SIZE;
use crate::othello::game::{Move, Othello};

impl Explain for Othello {
    fn illegality(&self, mv: &Move) -> IllegalMove {
        let position = mv.position;
        let legal: Vec<u32> = self.legal_moves().iter().map(|mv| mv.position).collect();
        let context = json!({ "position": position, "legalMoves": legal });
        if let Some(outcome) = self.outcome() {
            return IllegalMove { context, ..game_over::<Self>(outcome) };
        }
        if position as usize >= SIZE * SIZE {
            return IllegalMove::new(OUT_OF_RANGE_CODE, cell::out_of_range_message(position, SIZE, SIZE), context);
        }
        let name = code(self.notation(mv));
        let Some(owner) = self.owner(position as usize) else {
            let message = format!("A disc at position {position} wouldn't flip any disc");
            let explanation = phrase!["A disc on ", name, " wouldn't flip anything"];
            return IllegalMove::new("NO_FLIP", message, context).explained(explanation);
        };
        let side = Self::INFO.seats[owner.index()];
        let message = format!("Cannot move to occupied cell at position {position}. Cell contains: {side}");
        let explanation = phrase![Self::INFO.side_name(owner), " already has a disc on ", name];
        IllegalMove::new("OCCUPIED_CELL", message, context).explained(explanation)
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
