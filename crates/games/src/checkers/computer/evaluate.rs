//! What a position is worth that is not looked into any further. The numbers were set by hand after a fit to how games of the
//! computer with itself ended (`training/checkers.py`).

use game::seat::Seat;

use crate::checkers::bitboards::{Bitboards, forward_steps, mask};

/// What a man is worth, and what a king is.
const MAN: i32 = 100;
const KING: i32 = 170;
/// What each row adds to a man, the home row first, where he keeps others from becoming kings.
const ROW_BONUSES: [(u64, i32); 4] = [
    (mask(&[1, 2, 3, 4]), 27),
    (mask(&[17, 18, 19, 20]), 10),
    (mask(&[21, 22, 23, 24]), 14),
    (mask(&[25, 26, 27, 28]), 31),
];
/// What two men in the home row are worth besides, between whom nobody gets through.
const BRIDGE: (u64, i32) = (mask(&[1, 3]), 25);
/// An advantage grows with each man off the board by one part in so many: who is ahead exchanges.
const EXCHANGE_DIVISOR: i32 = 14;
/// What a man at the edge is worth, whom nobody captures.
const EDGE_MEN: (u64, i32) = (mask(&[5, 12, 13, 20, 21, 28]), 13);
/// What a man with one behind him is worth.
const BACKED: i32 = 8;
/// What a step of a man to choose from is worth.
const MOBILITY: i32 = 8;
/// What a king in a double corner is worth: one king alone cannot drive him out.
const DOUBLE_CORNER: (u64, i32) = (mask(&[1, 5, 28, 32]), 26);
/// What each king of the side that is ahead is worth for each step that it is nearer than five to a man of the other.
const CHASE: i32 = 8;
/// What it is worth with few men to come to stand opposite the other side, when it has to give way.
const THE_MOVE: i32 = 18;
/// The rows of which one side has an odd number of men that comes to stand so.
const THE_MOVE_ROWS: u64 = mask(&[1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28]);

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// Returns the squares as the other side sees them.
const fn rotated(set: u64) -> u64 {
    // The bits 0 to 34 are the squares and what lies between.
    set.reverse_bits() >> 29
}

/// Returns the worth for the side on turn.
pub(super) fn evaluate(men: &Bitboards) -> i32 {
    let free = men.free_squares();
    let side = |seat: Seat| {
        let own = men.by_seat[seat.index()];
        let (single, kings) = (own & !men.kings, own & men.kings);
        let seen = if seat == Seat::First { single } else { rotated(single) };
        let rows: i32 = ROW_BONUSES.iter().map(|(row, worth)| worth * count(seen & row)).sum();
        let steps: i32 = forward_steps(single, seat).iter().map(|to| count(to & free)).sum();
        let [left, right] = forward_steps(own, seat);
        MAN * count(single)
            + KING * count(kings)
            + rows
            + if seen & BRIDGE.0 == BRIDGE.0 { BRIDGE.1 } else { 0 }
            + EDGE_MEN.1 * count(seen & EDGE_MEN.0)
            + BACKED * count((left | right) & single)
            + MOBILITY * steps
    };
    let [own, other] = men.sides();
    let lead = MAN * (count(own) - count(other)) + (KING - MAN) * (count(own & men.kings) - count(other & men.kings));
    let off = 24 - count(own | other);
    let mut sum = side(men.side_to_move) - side(men.side_to_move.other()) + lead * off / EXCHANGE_DIVISOR;
    if off >= 16 && count(own) == count(other) {
        sum += if count((own | other) & THE_MOVE_ROWS) % 2 == 1 { THE_MOVE } else { -THE_MOVE };
    }
    if off > 14 {
        sum += match lead {
            0 => 0,
            1.. => chase_bonus(own & men.kings, other) - double_corner_bonus(other & men.kings),
            _ => double_corner_bonus(own & men.kings) - chase_bonus(other & men.kings, own),
        };
    }
    sum
}

/// Returns what kings are worth by being near to the men that they have to win against.
fn chase_bonus(kings: u64, mut near: u64) -> i32 {
    let steps = (0..4).map(|_| {
        let [[a, b], [c, d]] = Seat::BOTH.map(|seat| forward_steps(near, seat));
        near |= a | b | c | d;
        count(kings & near)
    });
    CHASE * steps.sum::<i32>()
}

/// Returns what it is worth to the side that is behind to have a king in a double corner.
fn double_corner_bonus(kings: u64) -> i32 {
    if kings & DOUBLE_CORNER.0 != 0 { DOUBLE_CORNER.1 } else { 0 }
}
