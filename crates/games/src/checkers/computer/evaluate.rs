//! The static evaluation. The weights were tuned by hand, starting from a fit to self-play results
//! (`training/checkers.py`).

use game::seat::Seat;

use crate::checkers::bitboards::{Bitboards, forward_steps, mask};

/// The values of a man and a king.
const MAN: i32 = 100;
const KING: i32 = 170;
/// The bonuses for men by row. Men on the home row keep the opponent from getting kings.
const ROW_BONUSES: [(u64, i32); 4] = [
    (mask(&[1, 2, 3, 4]), 27),
    (mask(&[17, 18, 19, 20]), 10),
    (mask(&[21, 22, 23, 24]), 14),
    (mask(&[25, 26, 27, 28]), 31),
];
/// The bonus for the bridge: two men that guard the home row.
const BRIDGE: (u64, i32) = (mask(&[1, 3]), 25);
/// The divisor of the bonus for exchanges: each captured piece adds 1/14 of the material lead for the side that is ahead.
const EXCHANGE_DIVISOR: i32 = 14;
/// The bonus for a man at the edge, where it can't be captured.
const EDGE_MEN: (u64, i32) = (mask(&[5, 12, 13, 20, 21, 28]), 13);
/// The bonus for a man with a piece diagonally behind it.
const BACKED: i32 = 8;
/// The bonus for each step that a man can make.
const MOBILITY: i32 = 8;
/// The bonus of the weaker side for a king in a double corner. A single king can't drive it out.
const DOUBLE_CORNER: (u64, i32) = (mask(&[1, 5, 28, 32]), 26);
/// The bonus of the stronger side for a king near enemy pieces: this much for each step that it is nearer than five steps.
const CHASE: i32 = 8;
/// The bonus for having the move (the opposition) in an endgame with equal material.
const THE_MOVE: i32 = 18;
/// The rows on which an odd number of pieces means that the side to move has the move.
const THE_MOVE_ROWS: u64 = mask(&[1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28]);

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// Returns the squares as seen from the other side of the board.
const fn rotated(set: u64) -> u64 {
    // The board takes bits 0 to 34.
    set.reverse_bits() >> 29
}

/// Returns the static evaluation for the side to move, in hundredths of a man.
pub(super) fn evaluate(bitboards: &Bitboards) -> i32 {
    let free = bitboards.free_squares();
    let side = |seat: Seat| {
        let own = bitboards.by_seat[seat.index()];
        let (men, kings) = (own & !bitboards.kings, own & bitboards.kings);
        let men_from_home = if seat == Seat::First { men } else { rotated(men) };
        let rows: i32 = ROW_BONUSES.iter().map(|(row, bonus)| bonus * count(men_from_home & row)).sum();
        let steps: i32 = forward_steps(men, seat).iter().map(|to| count(to & free)).sum();
        let [left, right] = forward_steps(own, seat);
        MAN * count(men)
            + KING * count(kings)
            + rows
            + if men_from_home & BRIDGE.0 == BRIDGE.0 { BRIDGE.1 } else { 0 }
            + EDGE_MEN.1 * count(men_from_home & EDGE_MEN.0)
            + BACKED * count((left | right) & men)
            + MOBILITY * steps
    };
    let [own, other] = bitboards.sides();
    let lead = MAN * (count(own) - count(other))
        + (KING - MAN) * (count(own & bitboards.kings) - count(other & bitboards.kings));
    let pieces_off = 24 - count(own | other);
    let mut value =
        side(bitboards.side_to_move) - side(bitboards.side_to_move.other()) + lead * pieces_off / EXCHANGE_DIVISOR;
    if pieces_off >= 16 && count(own) == count(other) {
        value += if count((own | other) & THE_MOVE_ROWS) % 2 == 1 { THE_MOVE } else { -THE_MOVE };
    }
    if pieces_off > 14 {
        value += match lead {
            0 => 0,
            1.. => chase_bonus(own & bitboards.kings, other) - double_corner_bonus(other & bitboards.kings),
            _ => double_corner_bonus(own & bitboards.kings) - chase_bonus(other & bitboards.kings, own),
        };
    }
    value
}

/// Returns the bonus of the stronger side for kings near enemy pieces.
fn chase_bonus(kings: u64, mut reached: u64) -> i32 {
    let kings_in_reach = (0..4).map(|_| {
        let [[a, b], [c, d]] = Seat::BOTH.map(|seat| forward_steps(reached, seat));
        reached |= a | b | c | d;
        count(kings & reached)
    });
    CHASE * kings_in_reach.sum::<i32>()
}

/// Returns the bonus of the weaker side for a king in a double corner.
fn double_corner_bonus(kings: u64) -> i32 {
    if kings & DOUBLE_CORNER.0 != 0 { DOUBLE_CORNER.1 } else { 0 }
}
