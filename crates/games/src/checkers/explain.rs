//! Explains illegal moves.

use game::contract::{Explain, Game, Notation, Rules};
use game::phrase::{Phrase, capitalize};
use game::rule::IllegalMove;
use game::seat::Seat;
use serde_json::{Value, json};

use crate::checkers::bitboards::{Bitboards, SQUARES, bit};
use crate::checkers::game::{Checkers, Move};

/// The number of plies before a draw without captures from which the players get a warning.
const DRAW_WARNING_PLIES: u16 = 10;

impl Explain for Checkers {
    fn illegality(&self, mv: &Move) -> IllegalMove {
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.notation(mv)).collect();
        let context = json!({ "path": mv.path, "legalMoves": legal });
        IllegalMove { context, ..find_illegality(self, mv) }
    }

    fn turn_hint(&self) -> Option<Phrase> {
        if self.end.is_some() {
            return None;
        }
        if self.bitboards.must_capture() {
            return Some(format!("{} has to capture.", Self::INFO.side_name(self.bitboards.side_to_move)).into());
        }
        let rule = self.no_capture_rule?;
        if self.bitboards == Bitboards::START {
            // Tell the players about the rule at the start.
            return Some(
                format!("The game is a draw after {} moves per side without a capture.", rule.max_plies / 2).into(),
            );
        }
        let left = rule.plies_left();
        if left > DRAW_WARNING_PLIES {
            return None;
        }
        let moves = if left == 1 { "move".to_owned() } else { format!("{left} moves") };
        Some(format!("The game is a draw unless there's a capture in the next {moves}.").into())
    }
}

/// Returns the rule that forbids an illegal move. Leaves out the context, which the caller adds.
fn find_illegality(game: &Checkers, mv: &Move) -> IllegalMove {
    let bitboards = &game.bitboards;
    let illegal = |code, message: &str| IllegalMove::new(code, capitalize(message), Value::Null);
    if let Some(end) = game.end {
        return illegal("TERMINAL_STATE_MOVE", &format!("the game is over: {}", end.reason()));
    }
    let (&[from, to, ..], true) = (&mv.path[..], mv.path.iter().all(|square| (1..=SQUARES).contains(square))) else {
        let message = format!("a move has to be two or more squares from 1 to {SQUARES}");
        return illegal("INVALID_SQUARE", &message);
    };
    let start = bit(from - 1);
    let side = |seat: Seat| Checkers::INFO.seats[seat.index()];
    let [own, other] = bitboards.sides();
    if other & start != 0 {
        let owner = bitboards.side_to_move.other();
        let kind = if bitboards.kings & start == 0 { "man" } else { "king" };
        let explanation = format!("That's {}'s {kind} on {from}", Checkers::INFO.side_name(owner));
        return illegal("WRONG_SIDE", &format!("the man on {from} is {}'s", side(owner))).explained(explanation);
    }
    if own & start == 0 {
        let explanation = format!("There's no piece on {from}");
        return illegal("EMPTY_SQUARE", &format!("there is no man on {from}")).explained(explanation);
    }
    if bitboards.must_capture() {
        let message = format!("{} can capture, so it has to", side(bitboards.side_to_move));
        return illegal("CAPTURE_FORCED", &message).explained("You can capture, so you have to");
    }
    if bitboards.free_squares() & bit(to - 1) == 0 {
        let explanation = format!("There's already a piece on {to}");
        return illegal("OCCUPIED_SQUARE", &format!("{to} is taken")).explained(explanation);
    }
    let [(row, column), (to_row, to_column)] = [from, to].map(|square| {
        let (row, nth) = ((square - 1) / 4, (square - 1) % 4);
        (row, nth * 2 + (1 - row % 2))
    });
    if mv.path.len() > 2 || column.abs_diff(to_column) != 1 || row.abs_diff(to_row) != 1 {
        let is_jump = mv.path.len() > 2 || row.abs_diff(to_row) == 2 && column.abs_diff(to_column) == 2;
        if is_jump {
            return illegal("NO_CAPTURE", "there is nothing to capture").explained("There's nothing to capture there");
        }
        let explanation = "Without a capture, a piece moves one square diagonally";
        return illegal("INVALID_STEP", "a man moves one square diagonally").explained(explanation);
    }
    illegal("BACKWARDS", "only a king moves backward").explained("Only a king can move backward")
}
