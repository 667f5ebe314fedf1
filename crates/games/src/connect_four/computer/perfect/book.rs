//! The opening book: a move for every position that the engine can meet in its own games.
//!
//! To stay small, the book stores only moves, not positions. Its levels are sorted lists of positions with two more discs each,
//! and the moves of one level determine the positions of the next. A lookup rebuilds all levels before it, which takes
//! milliseconds. Mirror images count as one position. `training/connect_four.sh` generates the book.

use crate::connect_four::{Discs, iter_cells};

/// The encoded moves of the first and second seat. The first byte is the number of discs at the deepest level.
const TABLES: [&[u8]; 2] = [include_bytes!("first.book"), include_bytes!("second.book")];
/// The number of bits of an encoded move.
const MOVE_BITS: usize = 5;

/// A move of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The column, from 0.
    pub column: u32,
    /// The value of the position for the side to move: 1 for a win, 0 for a draw, -1 for a loss.
    pub value: i32,
}

/// Returns the smaller of a position and its mirror image, and whether that's the mirror image.
pub fn canonical(discs: Discs) -> (Discs, bool) {
    let mirrored = discs.mirrored();
    (discs.min(mirrored), mirrored < discs)
}

/// Returns the positions where a seat makes its first move. Seat 0 moves first.
pub fn first_positions(seat: u32) -> Vec<Discs> {
    if seat == 0 { vec![Discs::START] } else { all_successors(&[Discs::START]) }
}

/// Returns the next level: the positions after a book move and any reply. `moves` has one move for each position of `level`,
/// in order.
///
/// Leaves out positions where a side has won or the side to move can win at once. Returns `None` if a move is missing or invalid.
pub fn positions_after_replies(level: &[Discs], mut moves: impl Iterator<Item = BookMove>) -> Option<Vec<Discs>> {
    let mut found = Vec::new();
    for discs in level {
        let cell = discs.landing_cell(moves.next()?.column);
        if cell == 0 {
            return None;
        }
        found.extend(quiet_successors(discs.after(cell)));
    }
    Some(sort_unique(found))
}

/// Returns the positions after each move that doesn't win and doesn't let the opponent win at once.
fn quiet_successors(discs: Discs) -> impl Iterator<Item = Discs> {
    let successors = iter_cells(discs.landing_cells() & !discs.winning_cells()).map(move |cell| discs.after(cell));
    successors.filter(|after| after.winning_cells() == 0).map(|after| canonical(after).0)
}

fn sort_unique(mut level: Vec<Discs>) -> Vec<Discs> {
    level.sort_unstable();
    level.dedup();
    level
}

/// Returns the bytes of a book with the moves of positions with up to `max_discs` discs.
pub fn encode(max_discs: u8, moves: &[BookMove]) -> Vec<u8> {
    // The unused bits of the last byte are ones, which isn't a valid move.
    let mut bytes = vec![u8::MAX; (moves.len() * MOVE_BITS).div_ceil(8)];
    for (index, mv) in moves.iter().enumerate() {
        let code = mv.column | ((mv.value + 1) as u32) << 3;
        for bit in (0..MOVE_BITS).filter(|bit| code >> bit & 1 == 0) {
            bytes[(index * MOVE_BITS + bit) / 8] &= !(1 << ((index * MOVE_BITS + bit) % 8));
        }
    }
    [max_discs].into_iter().chain(bytes).collect()
}

/// Returns the moves of a table in order.
fn decode(table: &[u8]) -> impl Iterator<Item = BookMove> + '_ {
    let bytes = table.get(1..).unwrap_or_default();
    (0..bytes.len() * 8 / MOVE_BITS).map_while(move |index| {
        let bit =
            |bit: usize| u32::from(bytes[(index * MOVE_BITS + bit) / 8] >> ((index * MOVE_BITS + bit) % 8) & 1) << bit;
        let code: u32 = (0..MOVE_BITS).map(bit).sum();
        let (column, value) = (code & 7, (code >> 3) as i32 - 1);
        if column < 7 && value < 2 { Some(BookMove { column, value }) } else { None }
    })
}

/// Returns the levels of a seat's book, with the fewest discs first. Each level is sorted.
pub fn levels(seat: u32) -> impl Iterator<Item = Vec<(Discs, BookMove)>> {
    let table = TABLES[seat as usize % 2];
    let (mut moves, mut level) = (decode(table), first_positions(seat));
    let max_discs = table.first().copied().unwrap_or_default();
    (seat..=max_discs.into()).step_by(2).map_while(move |_| {
        let found: Vec<BookMove> = moves.by_ref().take(level.len()).collect();
        let next = positions_after_replies(&level, found.iter().copied())?;
        Some(std::mem::replace(&mut level, next).into_iter().zip(found).collect())
    })
}

/// Returns all positions with `count` discs where neither side has won and the side to move can't win at once.
pub fn all_positions(count: u32) -> Vec<Discs> {
    (0..count).fold(vec![Discs::START], |level, _| all_successors(&level))
}

/// Returns the sorted positions after every move of these positions that doesn't win and doesn't let the opponent win at once.
pub fn all_successors(level: &[Discs]) -> Vec<Discs> {
    sort_unique(level.iter().copied().flat_map(quiet_successors).collect())
}

/// Returns the book move of a position as a cell, and the value of the position; `None` if the position isn't in the book.
pub fn look_up(discs: Discs) -> Option<(u64, i32)> {
    let (canonical, is_mirrored) = canonical(discs);
    let BookMove { column, value } = find_move(canonical)?;
    Some((discs.landing_cell(if is_mirrored { 6 - column } else { column }), value))
}

fn find_move(canonical: Discs) -> Option<BookMove> {
    let count = canonical.taken.count_ones();
    if count > (*TABLES[count as usize % 2].first()?).into() {
        return None;
    }
    let level = levels(count % 2).nth((count / 2) as usize)?;
    let index = level.binary_search_by_key(&canonical, |(discs, _)| *discs).ok()?;
    Some(level[index].1)
}
