//! What a position is worth that is not looked into any further.

use crate::game::seat::Seat;
use crate::games::checkers::men::{Men, set};

/// What a man is worth, and what a king is.
const MAN: i32 = 100;
const KING: i32 = 135;
/// What each row is worth that a man has gone.
const ROW: i32 = 3;
/// What a man in the home row is worth, who keeps others from becoming kings.
const GUARD: i32 = 9;
/// What any man in the middle of the board is worth.
const MIDDLE: i32 = 4;
/// What a step to choose from is worth.
const STEP: i32 = 2;
/// What is added to an advantage, times the men that are off the board: who is ahead exchanges.
const EXCHANGE: i32 = 3;
/// What a king in a double corner is worth to the side that is behind: it cannot be driven out there by one.
const REFUGE: i32 = 20;

/// The rows of the board, from the top.
const ROWS: [u64; 8] = [
    set(&[1, 2, 3, 4]),
    set(&[5, 6, 7, 8]),
    set(&[9, 10, 11, 12]),
    set(&[13, 14, 15, 16]),
    set(&[17, 18, 19, 20]),
    set(&[21, 22, 23, 24]),
    set(&[25, 26, 27, 28]),
    set(&[29, 30, 31, 32]),
];
/// The squares in the middle.
const CENTRE: u64 = set(&[10, 11, 14, 15, 18, 19, 22, 23]);
/// The squares of both double corners.
const CORNERS: u64 = set(&[1, 5, 28, 32]);

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// Returns the worth for the side on turn.
pub(super) fn worth(men: &Men) -> i32 {
    let turn = men.turn;
    let material = |seat: Seat| {
        let (own, kings) = (men.own[seat.index()], men.own[seat.index()] & men.kings);
        MAN * count(own) + (KING - MAN) * count(kings)
    };
    let lead = material(turn) - material(turn.other());
    let off = 24 - count(men.own[0] | men.own[1]);
    let mut sum = lead + lead.signum() * EXCHANGE * off * i32::from(lead.abs() > MAN / 2);
    let side = |seat: Seat| {
        let own = men.own[seat.index()];
        let (single, kings) = (own & !men.kings, own & men.kings);
        let row = |nth: usize| if seat == Seat::First { ROWS[nth] } else { ROWS[7 - nth] };
        let gone: i32 = (1..7).map(|nth| nth as i32 * count(single & row(nth))).sum();
        let behind = (lead < 0) == (seat == turn) && lead != 0;
        ROW * gone
            + GUARD * count(single & row(0))
            + MIDDLE * count(own & CENTRE)
            + if behind { REFUGE * count(kings & CORNERS).min(1) } else { 0 }
    };
    sum += side(turn) - side(turn.other());
    let theirs = Men { turn: turn.other(), ..*men };
    sum + STEP * (men.steps() as i32 - theirs.steps() as i32)
}
