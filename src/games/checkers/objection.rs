//! Why a move is not legal.

use crate::game::seat::Seat;
use crate::games::checkers::game::{Checkers, Move};
use crate::games::checkers::men::{SQUARES, bit};

/// The rule that a move breaks.
pub(super) struct Reason {
    /// The machine code.
    pub(super) code: &'static str,
    /// The reason, as the end of a sentence or one by itself.
    pub(super) why: String,
}

/// Returns the rule that forbids a move; `None` for a legal one.
pub(super) fn reason(game: &Checkers, mv: &Move) -> Option<Reason> {
    let legal = game.ways();
    if legal.iter().any(|way| Move::from(way) == *mv) {
        return None;
    }
    let men = &game.men;
    let says = |code, why: String| Some(Reason { code, why });
    if let Some(end) = game.end {
        return says("TERMINAL_STATE_MOVE", format!("the game is over: {}", end.reason()));
    }
    let (&[from, to, ..], true) = (&mv.path[..], mv.path.iter().all(|square| (1..=SQUARES).contains(square))) else {
        return says("INVALID_SQUARE", format!("a move is two or more of the squares 1 to {SQUARES}"));
    };
    let place = bit(from - 1);
    let side = |seat: Seat| ["black", "white"][seat.index()];
    let [own, other] = men.sides();
    if other & place != 0 {
        return says("WRONG_SIDE", format!("the man on {from} is {}'s", side(men.turn.other())));
    }
    if own & place == 0 {
        return says("EMPTY_SQUARE", format!("there is no man on {from}"));
    }
    if men.must_capture() {
        return says("CAPTURE_FORCED", format!("{} can capture, and so has to", side(men.turn)));
    }
    if men.free() & bit(to - 1) == 0 {
        return says("OCCUPIED_SQUARE", format!("{to} is taken"));
    }
    let [(row, column), (to_row, to_column)] = [from, to].map(|square| {
        let (row, nth) = ((square - 1) / 4, (square - 1) % 4);
        (row, nth * 2 + (1 - row % 2))
    });
    if mv.path.len() > 2 || column.abs_diff(to_column) != 1 || row.abs_diff(to_row) != 1 {
        let nothing = mv.path.len() > 2 || row.abs_diff(to_row) == 2 && column.abs_diff(to_column) == 2;
        let why = if nothing { "there is nothing to capture" } else { "a man goes one square, diagonally" };
        return says(if nothing { "NO_CAPTURE" } else { "INVALID_STEP" }, why.to_owned());
    }
    says("BACKWARDS", "only a king goes backwards".to_owned())
}
