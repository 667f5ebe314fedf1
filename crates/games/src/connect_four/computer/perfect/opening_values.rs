//! The game-theoretic values of all positions with few discs.
//!
//! The table has the value of every position with exactly [`max_discs`] discs. Values of positions with fewer discs follow from
//! it by minimax. `training/connect_four.sh` generates the table.

use std::sync::LazyLock;

use crate::connect_four::book::{all_positions, all_successors, canonical};
use crate::connect_four::{Discs, iter_cells};

/// The number of discs, then the values plus 1 in the order of [`all_positions`]: five per byte, in base 3.
const TABLE: &[u8] = include_bytes!("worths.book");
/// The positions of the table, 1.2 MB.
static TABLE_POSITIONS: LazyLock<Vec<Discs>> = LazyLock::new(|| all_positions(max_discs()));
/// The number of values in a byte.
const VALUES_PER_BYTE: usize = 5;

/// Returns the most discs of a position with a known value.
pub fn max_discs() -> u32 {
    TABLE.first().copied().unwrap_or_default().into()
}

/// Returns the bytes of a table with the values of the positions with `count` discs.
pub fn encode(count: u8, values: &[i32]) -> Vec<u8> {
    let pack = |values: &[i32]| values.iter().rev().fold(0, |byte, value| byte * 3 + (value + 1) as u8);
    [count].into_iter().chain(values.chunks(VALUES_PER_BYTE).map(pack)).collect()
}

/// Returns the value of a position for the side to move: 1 for a win, 0 for a draw, -1 for a loss.
///
/// Neither side may have a line. Returns `None` if the position has more than [`max_discs`] discs.
pub fn value(discs: Discs) -> Option<i32> {
    if discs.taken.count_ones() > max_discs() {
        return None;
    }
    if discs.winning_cells() != 0 {
        return Some(1);
    }
    values_of(vec![canonical(discs).0])?.first().map(|(_, value)| *value)
}

/// Returns the first of these moves that keeps the position's value, and the value.
///
/// The side to move must not be able to win at once. Returns `None` if there are no moves, or if the position has [`max_discs`]
/// discs or more.
pub fn best_move(discs: Discs, moves: &[u64]) -> Option<(u64, i32)> {
    if discs.taken.count_ones() >= max_discs() {
        return None;
    }
    let next = values_of(all_successors(&[discs]))?;
    let values = moves.iter().map(|cell| (*cell, value_after(discs, *cell, &next)));
    // Keep the first of equal moves.
    values.reduce(|best, other| if other.1 > best.1 { other } else { best })
}

/// Returns these positions with their values.
///
/// The positions must be sorted and all have the same number of discs, and the side to move must not be able to win at once.
/// Returns `None` if they have more than [`max_discs`] discs.
pub fn values_of(level: Vec<Discs>) -> Option<Vec<(Discs, i32)>> {
    let Some(count) = level.first().map(|discs| discs.taken.count_ones()) else { return Some(Vec::new()) };
    if count == max_discs() {
        let value = |discs| table_value(TABLE_POSITIONS.binary_search(&discs).ok()?);
        return level.into_iter().map(|discs| Some((discs, value(discs)?))).collect();
    }
    let next = values_of(all_successors(&level))?;
    let value = |discs| iter_cells(Discs::landing_cells(discs)).map(|cell| value_after(discs, cell, &next)).max();
    level.into_iter().map(|discs| Some((discs, value(discs)?))).collect()
}

/// Returns the value of a move, given the values of all positions after it.
fn value_after(discs: Discs, cell: u64, next: &[(Discs, i32)]) -> i32 {
    let (after, _) = canonical(discs.after(cell));
    // `next` leaves out positions where the opponent can win at once.
    next.binary_search_by_key(&after, |(discs, _)| *discs).map_or(-1, |index| -next[index].1)
}

/// Returns the value with this index in the table.
fn table_value(index: usize) -> Option<i32> {
    let byte = *TABLE.get(1 + index / VALUES_PER_BYTE)?;
    let digit = byte / 3_u8.pow((index % VALUES_PER_BYTE) as u32) % 3;
    Some(i32::from(digit) - 1)
}
