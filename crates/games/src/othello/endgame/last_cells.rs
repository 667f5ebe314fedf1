//! The last four free cells: each is tried, as that is quicker than to ask which of them are moves.

use crate::othello::discs::{flips, iter_cells, with_neighbors};

/// The columns and rows whose bits tell the four quarters apart once each quarter is folded into its first cell.
const QUARTERS: u64 = 0x0000_0011_0000_0011;
/// The cells of the first quarter.
const QUARTER: u64 = 0x0f0f_0f0f;

/// Returns by how many discs a side comes out ahead where neither can move: free cells count for the winner.
pub(super) fn final_score(own: u64, other: u64) -> i32 {
    let free = (!(own | other)).count_ones() as i32;
    let ahead = own.count_ones() as i32 - other.count_ones() as i32;
    ahead + free * ahead.signum()
}

/// Returns the free cells in quarters that have an odd number of them: who moves there first has the last word there.
pub(super) fn odd_quarters(free: u64) -> u64 {
    let mut folded = free;
    for step in [1, 2, 8, 16] {
        folded ^= folded >> step;
    }
    (folded & QUARTERS).wrapping_mul(QUARTER)
}

/// Returns by how many discs the side on turn comes out ahead, if that is more than `floor`: so many or more; else so many or
/// fewer. `passed` says whether the other side has just passed.
pub(super) fn solve(own: u64, other: u64, floor: i32, passed: bool) -> i32 {
    let free = !(own | other);
    if free & free.wrapping_sub(1) == 0 {
        return solve_last_cell(own, other, free);
    }
    let near = free & with_neighbors(other);
    let odd = odd_quarters(free);
    let mut best = None;
    for cell in iter_cells(near & odd).chain(iter_cells(near & !odd)) {
        let turned = flips(own, other, cell);
        if turned == 0 {
            continue;
        }
        let value = -solve(other & !turned, own | turned | 1 << cell, -floor - 1, false);
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

/// Returns by how many discs the side on turn comes out ahead with one free cell or none.
fn solve_last_cell(own: u64, other: u64, free: u64) -> i32 {
    if free == 0 {
        return final_score(own, other);
    }
    let (cell, count) = (free.trailing_zeros(), own.count_ones() as i32);
    let gained = flips(own, other, cell).count_ones() as i32;
    if gained > 0 {
        return 2 * (count + gained) - 62;
    }
    let lost = flips(other, own, cell).count_ones() as i32;
    if lost > 0 { 2 * (count - lost) - 64 } else { final_score(own, other) }
}
