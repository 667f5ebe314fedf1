//! The tree of the last moves: who comes out ahead by more discs than asked.

use crate::othello::discs::{flips, iter_cells, moves, with_neighbors};
use crate::othello::endgame::last_cells::{final_score, odd_quarters, solve};
use crate::othello::endgame::stable;
use crate::search::order;

/// With no more free cells, each of them is tried.
const MAX_LAST_CELLS: u32 = 4;
/// With more free cells, what was found is remembered, and the moves that leave the other side least choice come first.
const MAX_PARITY_CELLS: u32 = 7;
/// With more free cells, what is known of all replies is looked up first.
const ETC_ABOVE: u32 = 9;
/// The positions that are remembered, a power of two; each takes 24 bytes.
const TABLE_SIZE: usize = 1 << 20;
/// The cells in the corners.
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The cells on the edges.
const EDGES: u64 = 0xff81_8181_8181_81ff;

/// A position that was met before, with the least and the most discs by which the side on turn comes out ahead.
#[derive(Clone, Copy, Default)]
struct TableEntry {
    own: u64,
    other: u64,
    lower_bound: i8,
    upper_bound: i8,
    mv: u8,
}

/// A move: the cell, what it turns over, and the moves that it leaves to the other side.
#[derive(Clone, Copy, Default)]
struct OrderedMove {
    rank: i32,
    cell: u32,
    flipped: u64,
    replies: u64,
}

/// A search to the end.
pub(super) struct EndgameSearch {
    table: Vec<TableEntry>,
    pub(super) nodes: u64,
    max_nodes: u64,
}

impl EndgameSearch {
    pub(super) fn new(limit: u64) -> EndgameSearch {
        EndgameSearch { table: vec![TableEntry::default(); TABLE_SIZE], nodes: 0, max_nodes: limit }
    }

    /// Tests if the limit is passed, beyond which no value means anything.
    pub(super) fn is_exhausted(&self) -> bool {
        self.nodes > self.max_nodes
    }

    /// Returns by how many discs the side that moves comes out ahead after a move, if that is more than `floor`: so many or
    /// more; else so many or fewer.
    pub(super) fn search_move(&mut self, own: u64, other: u64, cell: u32, floor: i32) -> i32 {
        let turned = flips(own, other, cell);
        let (left, right) = (other & !turned, own | turned | 1 << cell);
        -self.search(left, right, moves(left, right), -floor - 1)
    }

    /// Returns by how many discs the side on turn comes out ahead, whose moves are known.
    fn search(&mut self, own: u64, other: u64, open: u64, floor: i32) -> i32 {
        let free = (!(own | other)).count_ones();
        if free <= MAX_LAST_CELLS {
            return solve(own, other, floor, false);
        }
        self.nodes += 1;
        if open == 0 {
            let replies = moves(other, own);
            return if replies == 0 { final_score(own, other) } else { -self.search(other, own, replies, -floor - 1) };
        }
        if free <= MAX_PARITY_CELLS {
            self.search_by_parity(own, other, open, floor)
        } else {
            self.search_with_table([own, other, open], free, floor)
        }
    }

    /// Tries the moves first after which the other side will not have the last word in a quarter.
    fn search_by_parity(&mut self, own: u64, other: u64, open: u64, floor: i32) -> i32 {
        let odd = odd_quarters(!(own | other));
        let mut best = -64;
        for cell in iter_cells(open & odd).chain(iter_cells(open & !odd)) {
            best = best.max(self.search_move(own, other, cell, floor));
            if best > floor {
                break;
            }
        }
        best
    }

    /// Looks up what is known, and tries the moves first that leave the other side least choice.
    fn search_with_table(&mut self, [own, other, open]: [u64; 3], free: u32, floor: i32) -> i32 {
        let place = table_index(own, other);
        let known = Some(self.table[place]).filter(|known| known.own == own && known.other == other);
        if let Some(known) = known {
            if i32::from(known.lower_bound) > floor {
                return known.lower_bound.into();
            }
            if i32::from(known.upper_bound) <= floor {
                return known.upper_bound.into();
            }
        }
        if self.is_exhausted() {
            return 0;
        }
        let most = stable::max_score(own, other);
        if most <= floor {
            return most;
        }
        let first = known.map_or(64, |known| known.mv);
        let (list, number) = order_moves(own, other, open, first);
        let replies = list.get(..number).unwrap_or_default();
        if free > ETC_ABOVE
            && let Some(value) = replies.iter().find_map(|reply| self.table_cutoff(own, other, reply, floor))
        {
            return value;
        }
        let (mut best, mut best_move) = (-64, 0);
        for reply in replies {
            let OrderedMove { cell, flipped: turned, replies: open, .. } = *reply;
            let value = -self.search(other & !turned, own | turned | 1 << cell, open, -floor - 1);
            if self.is_exhausted() {
                return 0;
            }
            if value > best {
                (best, best_move) = (value, cell);
            }
            if best > floor {
                break;
            }
        }
        let (mut least, mut most) = known.map_or((-64, 64), |known| (known.lower_bound, known.upper_bound));
        if best > floor {
            least = best as i8;
        } else {
            most = best as i8;
        }
        self.table[place] = TableEntry { own, other, lower_bound: least, upper_bound: most, mv: best_move as u8 };
        best
    }

    /// Returns a value above the floor that is known to come of a move.
    fn table_cutoff(&self, own: u64, other: u64, reply: &OrderedMove, floor: i32) -> Option<i32> {
        let (left, right) = (other & !reply.flipped, own | reply.flipped | 1 << reply.cell);
        let known = self.table[table_index(left, right)];
        let value = -i32::from(known.upper_bound);
        (known.own == left && known.other == right && value > floor).then_some(value)
    }
}

/// Returns the moves, those first that promise most, and their number.
fn order_moves(own: u64, other: u64, open: u64, first: u8) -> ([OrderedMove; 34], usize) {
    let free = !(own | other);
    let odd = odd_quarters(free);
    let mut list = [OrderedMove::default(); 34];
    let mut number = 0;
    for (place, cell) in list.iter_mut().zip(iter_cells(open)) {
        let turned = flips(own, other, cell);
        let (left, right) = (other & !turned, own | turned | 1 << cell);
        let choice = moves(left, right);
        let mut rank = 4 * (choice.count_ones() + 2 * (choice & CORNERS).count_ones()) as i32;
        // Discs next to free cells give the other side its moves later.
        rank += (with_neighbors(free ^ 1 << cell) & right).count_ones() as i32;
        rank -= (right & EDGES).count_ones() as i32 - (left & EDGES).count_ones() as i32;
        rank -= 2 * (odd >> cell & 1) as i32;
        rank -= 6 * (CORNERS >> cell & 1) as i32;
        if cell == u32::from(first) {
            rank = i32::MIN;
        }
        *place = OrderedMove { rank, cell, flipped: turned, replies: choice };
        number += 1;
    }
    order::sort_by_key(&mut list[..number], |reply| reply.rank);
    (list, number)
}

fn table_index(own: u64, other: u64) -> usize {
    let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(29).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed ^ (mixed >> 29)) >> 20) as usize & (TABLE_SIZE - 1)
}
