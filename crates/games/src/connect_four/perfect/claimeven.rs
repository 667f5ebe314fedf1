//! What a position is worth where that can be seen without looking ahead.

use crate::connect_four::perfect::standard_board::{BOARD, BOTTOM_ROW, Discs, Goal, has_line};

/// The first, third and fifth row from the bottom.
const ODD_ROWS: u64 = BOTTOM_ROW * 0x15;
/// The second, fourth and sixth.
const EVEN_ROWS: u64 = BOTTOM_ROW * 0x2a;
/// The highest row.
const TOP: u64 = BOTTOM_ROW << 5;

/// Tests if the side on turn, which cannot win at once, reaches a goal; `None` where that is to be looked
/// into. The threats are the free cells in which the other side completes a line.
///
/// The other side may always play on top of the disc before: it is never the first in a column. That it can keep up where each
/// column has room for an even number, or holds one of its threats that it comes to in that way: in such a column the game ends
/// there. All that the side on turn gets then is every other cell of each column, the open one first, and nothing above a threat.
/// See <https://tromp.github.io/c4.html>, and "claimeven" in Allis's thesis, for this way of playing.
#[inline]
pub(super) fn static_result(discs: Discs, goal: Goal, threats: u64) -> Option<bool> {
    let free = BOARD & !discs.taken;
    if goal == Goal::Win && !has_line(discs.own | free) {
        return Some(false);
    }
    if goal == Goal::Draw && !has_line(discs.opponent() | free) {
        return Some(true);
    }
    let uneven = fill_upward(discs.landing_cells() & EVEN_ROWS);
    let left = free & (ODD_ROWS ^ uneven);
    let reached = threats & !left;
    let beyond = fill_upward(reached);
    if uneven & TOP & !beyond != 0 || has_line(discs.own | left & !beyond) {
        return None;
    }
    // With a threat that it comes to, the other side wins in the end, and so it does if its cells hold a line.
    let loses = reached != 0 || has_line(discs.opponent() | free & !left);
    (goal == Goal::Win || loses).then_some(false)
}

/// Returns a set with all cells above its own in their columns.
#[inline]
fn fill_upward(set: u64) -> u64 {
    // What is shifted past the top of a column lands in the lowest rows of the next.
    let set = set | (set << 1) & BOARD;
    let set = set | (set << 2) & (BOTTOM_ROW * 0x3c);
    set | (set << 4) & (BOTTOM_ROW * 0x30)
}
