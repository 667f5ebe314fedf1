//! Decides some positions without a search, by the claimeven rule.

use crate::connect_four::computer::perfect::standard_board::{BOARD, BOTTOM_ROW, Discs, Goal, has_line};

/// The first, third and fifth rows from the bottom.
const ODD_ROWS: u64 = BOTTOM_ROW * 0x15;
/// The second, fourth and sixth rows from the bottom.
const EVEN_ROWS: u64 = BOTTOM_ROW * 0x2a;
/// The top row.
const TOP_ROW: u64 = BOTTOM_ROW << 5;

/// Whether the side to move reaches a goal, or `None` if that takes a search.
///
/// The side to move must not be able to win at once. `threats` are the free cells where the opponent completes a line.
///
/// With claimeven, the opponent always answers in the column of the last move. This works in a column with an even number of
/// free cells. It also works in a column where the opponent reaches a threat this way, because the game ends there. If it
/// works in every column, the side to move gets only every other free cell of a column, starting with the lowest, and none
/// above such a threat. See <https://tromp.github.io/c4.html>
/// and "claimeven" in Allis's thesis "A Knowledge-based Approach of Connect-Four".
#[inline]
pub(super) fn static_result(discs: Discs, goal: Goal, threats: u64) -> Option<bool> {
    let free = BOARD & !discs.taken;
    if goal == Goal::Win && !has_line(discs.own | free) {
        return Some(false);
    }
    if goal == Goal::Draw && !has_line(discs.opponent() | free) {
        return Some(true);
    }
    // The free cells of the columns with an odd number of free cells.
    let uneven = fill_upward(discs.landing_cells() & EVEN_ROWS);
    // The free cells that the side to move gets, and the threats that the opponent reaches.
    let claimed = free & (ODD_ROWS ^ uneven);
    let reached = threats & !claimed;
    let beyond = fill_upward(reached);
    if uneven & TOP_ROW & !beyond != 0 || has_line(discs.own | claimed & !beyond) {
        return None;
    }
    // The opponent wins in the end if it reaches a threat, or if its cells contain a line.
    let loses = reached != 0 || has_line(discs.opponent() | free & !claimed);
    if goal == Goal::Win || loses { Some(false) } else { None }
}

/// Returns the cells of a set and all cells above them in the same columns.
#[inline]
fn fill_upward(set: u64) -> u64 {
    // The masks remove bits that were shifted past the top of a column.
    let set = set | (set << 1) & BOARD;
    let set = set | (set << 2) & (BOTTOM_ROW * 0x3c);
    set | (set << 4) & (BOTTOM_ROW * 0x30)
}
