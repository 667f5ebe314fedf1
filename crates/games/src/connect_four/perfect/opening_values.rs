//! What every position with few discs is worth.
//!
//! The table has the worth of each position with exactly [`most`] discs. The worth of a position with fewer discs follows from the
//! positions that it can lead to. `training/connect_four.sh` makes the table.

use crate::connect_four::perfect::book::{all_positions, all_successors, canonical};
use crate::connect_four::perfect::standard_board::{Discs, iter_cells};

/// The number of discs, then the worths in the order of [`all`], five to a byte in base 3.
const TABLE: &[u8] = include_bytes!("worths.book");
/// The worths in a byte.
const VALUES_PER_BYTE: usize = 5;

/// Returns the number of discs up to which the worth of every position is known.
pub fn max_discs() -> u32 {
    TABLE.first().copied().unwrap_or_default().into()
}

/// Returns the bytes of a table for positions with this many discs.
pub fn encode(count: u8, worths: &[i32]) -> Vec<u8> {
    let packed = |worths: &[i32]| worths.iter().rev().fold(0, |byte, worth| byte * 3 + (worth + 1) as u8);
    [count].into_iter().chain(worths.chunks(VALUES_PER_BYTE).map(packed)).collect()
}

/// Returns what a position is worth for the side to move: 1 for a win, 0 for a draw, -1 for a loss. `None` if it has more than
/// [`most`] discs. Nobody has a line yet.
pub fn value(discs: Discs) -> Option<i32> {
    if discs.taken.count_ones() > max_discs() {
        return None;
    }
    if discs.winning_cells() != 0 {
        return Some(1);
    }
    values_of(vec![canonical(discs).0])?.first().map(|(_, worth)| *worth)
}

/// Returns the first of these moves that keeps what the position is worth, and that worth. `None` if there are no moves, or if the
/// position doesn't have fewer than [`most`] discs. No move wins at once.
pub fn best_move(discs: Discs, moves: &[u64]) -> Option<(u64, i32)> {
    if discs.taken.count_ones() >= max_discs() {
        return None;
    }
    let next = values_of(all_successors(&[discs]))?;
    let worths = moves.iter().map(|cell| (*cell, value_after(discs, *cell, &next)));
    // Of equal moves, this keeps the first.
    worths.reduce(|best, other| if other.1 > best.1 { other } else { best })
}

/// Returns the worth of each of these positions, sorted and all with the same number of discs, in which nobody can win at once.
pub fn values_of(level: Vec<Discs>) -> Option<Vec<(Discs, i32)>> {
    let Some(count) = level.first().map(|discs| discs.taken.count_ones()) else { return Some(Vec::new()) };
    if count == max_discs() {
        let all = all_positions(count);
        return level.into_iter().map(|discs| Some((discs, table_value(all.binary_search(&discs).ok()?)?))).collect();
    }
    let next = values_of(all_successors(&level))?;
    let worth = |discs| iter_cells(Discs::landing_cells(discs)).map(|cell| value_after(discs, cell, &next)).max();
    level.into_iter().map(|discs| Some((discs, worth(discs)?))).collect()
}

/// Returns what a move is worth, given the positions that it may lead to.
fn value_after(discs: Discs, cell: u64, next: &[(Discs, i32)]) -> i32 {
    let (after, _) = canonical(discs.after(cell));
    // If the position is missing, the opponent can win at once.
    next.binary_search_by_key(&after, |(discs, _)| *discs).map_or(-1, |at| -next[at].1)
}

/// Returns a worth of the table.
fn table_value(number: usize) -> Option<i32> {
    let byte = *TABLE.get(1 + number / VALUES_PER_BYTE)?;
    let digit = byte / 3_u8.pow((number % VALUES_PER_BYTE) as u32) % 3;
    Some(i32::from(digit) - 1)
}
