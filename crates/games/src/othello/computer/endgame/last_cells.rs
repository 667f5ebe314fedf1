//! The solver for the last four free cells. It tries every cell, which is faster than generating moves.

use crate::othello::bitboards::{flips, iter_cells, with_neighbors};

/// The first cell of each quarter of the board.
const QUARTERS: u64 = 0x0000_0011_0000_0011;
/// The cells of the first quarter.
const QUARTER: u64 = 0x0f0f_0f0f;

/// Returns the final score: the disc difference, with free cells counting for the winner.
pub(super) fn final_score(own: u64, other: u64) -> i32 {
    let free = (!(own | other)).count_ones() as i32;
    let difference = own.count_ones() as i32 - other.count_ones() as i32;
    difference + free * difference.signum()
}

/// Returns all cells of the quarters with an odd number of free cells. The side that moves there first also moves there
/// last (parity).
pub(super) fn odd_quarters(free: u64) -> u64 {
    let mut folded = free;
    for step in [1, 2, 8, 16] {
        folded ^= folded >> step;
    }
    (folded & QUARTERS).wrapping_mul(QUARTER)
}

/// Returns a lower bound of the score if it is above `floor`, else an upper bound (fail-soft). `passed` says whether
/// the opponent just passed.
pub(super) fn solve(own: u64, other: u64, floor: i32, passed: bool) -> i32 {
    let free = !(own | other);
    if free & free.wrapping_sub(1) == 0 {
        return solve_last_cell(own, other, free);
    }
    let near = free & with_neighbors(other);
    let odd = odd_quarters(free);
    let mut best = None;
    for cell in iter_cells(near & odd).chain(iter_cells(near & !odd)) {
        let flipped = flips(own, other, cell);
        if flipped == 0 {
            continue;
        }
        let value = -solve(other & !flipped, own | flipped | 1 << cell, -floor - 1, false);
        if value > floor {
            return value;
        }
        best = best.max(Some(value));
    }
    match best {
        Some(best) => best,
        None if passed => final_score(own, other),
        None => -solve(other, own, -floor - 1, true),
    }
}

/// Returns the exact score with at most one free cell.
fn solve_last_cell(own: u64, other: u64, free: u64) -> i32 {
    if free == 0 {
        return final_score(own, other);
    }
    let (cell, count) = (free.trailing_zeros(), own.count_ones() as i32);
    let won = flips(own, other, cell).count_ones() as i32;
    if won > 0 {
        return 2 * (count + won) - 62;
    }
    let lost = flips(other, own, cell).count_ones() as i32;
    if lost > 0 { 2 * (count - lost) - 64 } else { final_score(own, other) }
}
