//! The null-window search of the endgame solver.

use crate::othello::bitboards::{flips, iter_cells, moves, with_neighbors};
use crate::othello::computer::endgame::last_cells::{final_score, odd_quarters, solve};
use crate::othello::computer::endgame::stable;
use crate::search::order::sort_by_key;

/// With at most this many free cells, [`solve`] takes over.
const MAX_LAST_CELLS: u32 = 4;
/// With at most this many free cells, moves are ordered only by parity, and the transposition table isn't used.
const MAX_PARITY_CELLS: u32 = 7;
/// With more free cells, the search first looks up all successors
/// ([enhanced transposition cutoff](https://www.chessprogramming.org/Enhanced_Transposition_Cutoff)).
const ETC_ABOVE: u32 = 9;
/// The number of transposition table entries, a power of two. Each takes 24 bytes.
const TABLE_SIZE: usize = 1 << 20;
/// The corners.
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The cells on the edges.
const EDGES: u64 = 0xff81_8181_8181_81ff;

/// A transposition table entry: a position with bounds of its score and its best move.
#[derive(Clone, Copy, Default)]
struct TableEntry {
    own: u64,
    other: u64,
    lower_bound: i8,
    upper_bound: i8,
    mv: u8,
}

/// A move for move ordering, with the discs it flips and the opponent's legal replies.
#[derive(Clone, Copy, Default)]
struct OrderedMove {
    rank: i32,
    cell: u32,
    flipped: u64,
    replies: u64,
}

/// A search to the end of the game.
pub(super) struct EndgameSearch {
    table: Vec<TableEntry>,
    pub(super) nodes: u64,
    max_nodes: u64,
}

impl EndgameSearch {
    pub(super) fn new(max_nodes: u64) -> EndgameSearch {
        EndgameSearch { table: vec![TableEntry::default(); TABLE_SIZE], nodes: 0, max_nodes }
    }

    /// Whether the node budget is exceeded. If so, returned scores are meaningless.
    pub(super) fn is_exhausted(&self) -> bool {
        self.nodes > self.max_nodes
    }

    /// Returns a lower bound of the score of a move if it is above `floor`, else an upper bound (fail-soft).
    pub(super) fn search_move(&mut self, own: u64, other: u64, cell: u32, floor: i32) -> i32 {
        let flipped = flips(own, other, cell);
        let (left, right) = (other & !flipped, own | flipped | 1 << cell);
        -self.search(left, right, moves(left, right), -floor - 1)
    }

    /// Returns a bound of the score like [`search_move`](Self::search_move). `legal` are the moves of the side to move.
    fn search(&mut self, own: u64, other: u64, legal: u64, floor: i32) -> i32 {
        let free = (!(own | other)).count_ones();
        if free <= MAX_LAST_CELLS {
            return solve(own, other, floor, false);
        }
        self.nodes += 1;
        if legal == 0 {
            let replies = moves(other, own);
            return if replies == 0 { final_score(own, other) } else { -self.search(other, own, replies, -floor - 1) };
        }
        if free <= MAX_PARITY_CELLS {
            self.search_by_parity(own, other, legal, floor)
        } else {
            self.search_with_table([own, other, legal], free, floor)
        }
    }

    /// Searches moves in quarters with an odd number of free cells first.
    fn search_by_parity(&mut self, own: u64, other: u64, legal: u64, floor: i32) -> i32 {
        let odd = odd_quarters(!(own | other));
        let mut best = -64;
        for cell in iter_cells(legal & odd).chain(iter_cells(legal & !odd)) {
            best = best.max(self.search_move(own, other, cell, floor));
            if best > floor {
                break;
            }
        }
        best
    }

    /// Searches with the transposition table and full move ordering.
    fn search_with_table(&mut self, [own, other, legal]: [u64; 3], free: u32, floor: i32) -> i32 {
        let index = table_index(own, other);
        let stored = self.table[index];
        let entry = if stored.own == own && stored.other == other { Some(stored) } else { None };
        if let Some(entry) = entry {
            if i32::from(entry.lower_bound) > floor {
                return entry.lower_bound.into();
            }
            if i32::from(entry.upper_bound) <= floor {
                return entry.upper_bound.into();
            }
        }
        if self.is_exhausted() {
            return 0;
        }
        let upper_bound = stable::max_score(own, other);
        if upper_bound <= floor {
            return upper_bound;
        }
        let table_move = entry.map_or(64, |entry| entry.mv);
        let (ordered, count) = order_moves(own, other, legal, table_move);
        let ordered = ordered.get(..count).unwrap_or_default();
        if free > ETC_ABOVE
            && let Some(value) = ordered.iter().find_map(|mv| self.table_cutoff(own, other, mv, floor))
        {
            return value;
        }
        let (mut best, mut best_move) = (-64, 0);
        for mv in ordered {
            let OrderedMove { cell, flipped, replies, .. } = *mv;
            let value = -self.search(other & !flipped, own | flipped | 1 << cell, replies, -floor - 1);
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
        let (mut lower_bound, mut upper_bound) =
            entry.map_or((-64, 64), |entry| (entry.lower_bound, entry.upper_bound));
        if best > floor {
            lower_bound = best as i8;
        } else {
            upper_bound = best as i8;
        }
        self.table[index] = TableEntry { own, other, lower_bound, upper_bound, mv: best_move as u8 };
        best
    }

    /// Returns a score of a move above `floor` if the transposition table proves one.
    fn table_cutoff(&self, own: u64, other: u64, mv: &OrderedMove, floor: i32) -> Option<i32> {
        let (left, right) = (other & !mv.flipped, own | mv.flipped | 1 << mv.cell);
        let entry = self.table[table_index(left, right)];
        let value = -i32::from(entry.upper_bound);
        if entry.own == left && entry.other == right && value > floor { Some(value) } else { None }
    }
}

/// Returns the moves, most promising first, and their number.
fn order_moves(own: u64, other: u64, legal: u64, table_move: u8) -> ([OrderedMove; 34], usize) {
    let free = !(own | other);
    let odd = odd_quarters(free);
    let mut ordered = [OrderedMove::default(); 34];
    let mut count = 0;
    for (slot, cell) in ordered.iter_mut().zip(iter_cells(legal)) {
        let flipped = flips(own, other, cell);
        let (left, right) = (other & !flipped, own | flipped | 1 << cell);
        let replies = moves(left, right);
        let mut rank = 4 * (replies.count_ones() + 2 * (replies & CORNERS).count_ones()) as i32;
        // Frontier discs give the opponent moves later.
        rank += (with_neighbors(free ^ 1 << cell) & right).count_ones() as i32;
        rank -= (right & EDGES).count_ones() as i32 - (left & EDGES).count_ones() as i32;
        rank -= 2 * (odd >> cell & 1) as i32;
        rank -= 6 * (CORNERS >> cell & 1) as i32;
        if cell == u32::from(table_move) {
            rank = i32::MIN;
        }
        *slot = OrderedMove { rank, cell, flipped, replies };
        count += 1;
    }
    sort_by_key(&mut ordered[..count], |mv| mv.rank);
    (ordered, count)
}

fn table_index(own: u64, other: u64) -> usize {
    let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(29).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed ^ (mixed >> 29)) >> 20) as usize & (TABLE_SIZE - 1)
}
