//! The computer's opening moves in its own games, for every reply of the opponent.
//!
//! The book knows no positions. It has a move for each of them in the order in which they are met: those with two discs more
//! follow from the moves of those before, a position and its mirror image are one, and what has as many discs is sorted. So
//! whoever looks for one walks through all before it, which is done in milliseconds. `training/connect_four.sh` makes it.

use crate::connect_four::perfect::standard_board::{Discs, iter_cells};

/// The moves of the side that begins, and of the other one. The first byte is the number of discs up to which they go.
const TABLES: [&[u8]; 2] = [include_bytes!("first.book"), include_bytes!("second.book")];
/// The bits of a move.
const MOVE_BITS: usize = 5;

/// A move of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The column, from 0.
    pub column: u32,
    /// What the position is worth for the side on turn: 1 for a win, 0 for a draw, -1 for a loss.
    pub value: i32,
}

/// Returns the one of a position and its mirror image that the book has, and whether that is the image.
pub fn canonical(discs: Discs) -> (Discs, bool) {
    let image = discs.mirrored();
    (discs.min(image), image < discs)
}

/// Returns the first positions of a seat, 0 for the one that begins, that are its turn.
pub fn first_positions(seat: u32) -> Vec<Discs> {
    if seat == 0 { vec![Discs::START] } else { all_successors(&[Discs::START]) }
}

/// Returns the positions that may come of these and a move of each, two discs later, where the side on turn has not won or lost and
/// cannot win at once. `None` if a move is missing, or is none.
pub fn positions_after_replies(level: &[Discs], moves: impl Iterator<Item = BookMove>) -> Option<Vec<Discs>> {
    let mut found = Vec::new();
    let mut moves = moves;
    for discs in level {
        let cell = discs.landing_cell(moves.next()?.column);
        if cell == 0 {
            return None;
        }
        found.extend(quiet_successors(discs.after(cell)));
    }
    Some(sort_unique(found))
}

/// Returns the positions after each move that does not win, if the side that is on turn then cannot win at once.
fn quiet_successors(discs: Discs) -> impl Iterator<Item = Discs> {
    let others = iter_cells(discs.landing_cells() & !discs.winning_cells()).map(move |cell| discs.after(cell));
    others.filter(|after| after.winning_cells() == 0).map(|after| canonical(after).0)
}

fn sort_unique(mut level: Vec<Discs>) -> Vec<Discs> {
    level.sort_unstable();
    level.dedup();
    level
}

/// Returns the bytes of a table for positions with at most `most` discs.
pub fn encode(most: u8, entries: &[BookMove]) -> Vec<u8> {
    // What is left of the last byte is no move.
    let mut bytes = vec![u8::MAX; (entries.len() * MOVE_BITS).div_ceil(8)];
    for (number, entry) in entries.iter().enumerate() {
        let code = entry.column | ((entry.value + 1) as u32) << 3;
        for bit in (0..MOVE_BITS).filter(|bit| code >> bit & 1 == 0) {
            bytes[(number * MOVE_BITS + bit) / 8] &= !(1 << ((number * MOVE_BITS + bit) % 8));
        }
    }
    [most].into_iter().chain(bytes).collect()
}

/// Returns the moves of a table in their order.
fn decode(table: &[u8]) -> impl Iterator<Item = BookMove> + '_ {
    let bits = table.get(1..).unwrap_or_default();
    (0..bits.len() * 8 / MOVE_BITS).map_while(move |number| {
        let bit =
            |bit: usize| u32::from(bits[(number * MOVE_BITS + bit) / 8] >> ((number * MOVE_BITS + bit) % 8) & 1) << bit;
        let code: u32 = (0..MOVE_BITS).map(bit).sum();
        let (column, worth) = (code & 7, (code >> 3) as i32 - 1);
        (column < 7 && worth < 2).then_some(BookMove { column, value: worth })
    })
}

/// Returns what the book knows of a seat's own games: the positions with fewest discs first, then those with two more, and so on,
/// each list sorted.
pub fn levels(seat: u32) -> impl Iterator<Item = Vec<(Discs, BookMove)>> {
    let table = TABLES[seat as usize % 2];
    let (mut moves, mut level) = (decode(table), first_positions(seat));
    let deepest = table.first().copied().unwrap_or_default();
    (seat..=deepest.into()).step_by(2).map_while(move |_| {
        let found: Vec<BookMove> = moves.by_ref().take(level.len()).collect();
        let next = positions_after_replies(&level, found.iter().copied())?;
        Some(std::mem::replace(&mut level, next).into_iter().zip(found).collect())
    })
}

/// Returns all positions with `count` discs in which nobody has won or can win at once.
pub fn all_positions(count: u32) -> Vec<Discs> {
    (0..count).fold(vec![Discs::START], |level, _| all_successors(&level))
}

/// Returns the positions after every move in these positions, sorted, in which nobody has won or can win at once.
pub fn all_successors(level: &[Discs]) -> Vec<Discs> {
    sort_unique(level.iter().copied().flat_map(quiet_successors).collect())
}

/// Returns the cell that the book plays, and what the position is worth; `None` if it does not know the position.
pub fn look_up(discs: Discs) -> Option<(u64, i32)> {
    let (wanted, is_mirrored) = canonical(discs);
    let BookMove { column, value: worth } = find_move(wanted)?;
    Some((discs.landing_cell(if is_mirrored { 6 - column } else { column }), worth))
}

fn find_move(wanted: Discs) -> Option<BookMove> {
    let count = wanted.taken.count_ones();
    if count > (*TABLES[count as usize % 2].first()?).into() {
        return None;
    }
    let level = levels(count % 2).nth((count / 2) as usize)?;
    Some(level[level.binary_search_by_key(&wanted, |(discs, _)| *discs).ok()?].1)
}
