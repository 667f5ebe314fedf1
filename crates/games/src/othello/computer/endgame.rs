//! An exact endgame solver. It first finds the winner, and then the margin.
//!
//! Scores are disc differences. Free cells count for the winner, as in tournaments, so scores range from -64 to 64.

use crate::othello::position::with_neighbors;
use crate::othello::{flips, iter_cells, moves};
use crate::search::sort_by_key;

/// The highest score.
const MAX_SCORE: i32 = 64;
/// The lowest score.
const MIN_SCORE: i32 = -MAX_SCORE;
/// How far the null window moves from one search to the next.
const WINDOW_STEP: i32 = 6;

/// The best move, with proven bounds of its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndgameMove {
    /// The cell.
    pub mv: u8,
    /// The proven lower bound of the move's score.
    pub lower_bound: i32,
    /// The proven upper bound of the score of all moves.
    pub upper_bound: i32,
}

/// Returns the best of `moves` and the number of nodes searched.
///
/// The result proves whether the move wins, draws or loses, and narrows the score as far as the node budget allows. The
/// move is `None` if the budget doesn't even suffice to find the winner. `moves` should be sorted best first.
pub fn find_best_move(own: u64, other: u64, moves: &[u8], max_nodes: u64) -> (Option<EndgameMove>, u64) {
    let mut search = EndgameSearch::new(max_nodes);
    let mut candidates: Vec<(u8, i32)> = moves.iter().map(|mv| (*mv, MAX_SCORE)).collect();
    let (mut lower_bound, mut upper_bound) = (MIN_SCORE, MAX_SCORE);
    // All scores are even, so a score above `floor` is at least `floor + 2`.
    while lower_bound < upper_bound {
        let floor = match (lower_bound, upper_bound) {
            // Above 0 is a win, and above -2 isn't a loss.
            (..=0, 1..) => 0,
            (..0, 0) => -2,
            (MIN_SCORE, _) => (upper_bound - WINDOW_STEP).max(MIN_SCORE),
            _ => (lower_bound + WINDOW_STEP).min(upper_bound - 2),
        };
        let mut improvement = None;
        for (index, (mv, bound)) in candidates.iter_mut().enumerate().filter(|(_, (_, bound))| *bound > floor) {
            let value = search.search_move(own, other, (*mv).into(), floor);
            if search.is_exhausted() {
                break;
            }
            if value > floor {
                improvement = Some((index, value));
                break;
            }
            *bound = value;
        }
        if let Some((index, value)) = improvement {
            lower_bound = value;
            candidates[..=index].rotate_right(1);
        } else if search.is_exhausted() {
            break;
        } else {
            upper_bound = candidates.iter().map(|(_, bound)| *bound).max().unwrap_or(lower_bound);
        }
    }
    let is_proven = lower_bound > 0 || upper_bound < 0 || lower_bound == upper_bound;
    let best = match candidates.first() {
        Some((mv, _)) if is_proven => Some(EndgameMove { mv: *mv, lower_bound, upper_bound }),
        _ => None,
    };
    (best, search.nodes)
}

// Stable discs, which bound the final score.

/// The four axes: the bit shift between neighbors, the cells that have a next neighbor, and the cells with at most one
/// neighbor.
const LINES: [(u32, u64, u64); 4] = [
    (1, 0x7f7f_7f7f_7f7f_7f7f, 0x8181_8181_8181_8181),
    (8, u64::MAX, 0xff00_0000_0000_00ff),
    (9, 0x7f7f_7f7f_7f7f_7f7f, 0xff81_8181_8181_81ff),
    (7, 0xfefe_fefe_fefe_fefe, 0xff81_8181_8181_81ff),
];

/// Returns an upper bound of the score of the side with the discs `own`.
fn max_score(own: u64, other: u64) -> i32 {
    64 - 2 * stable_discs(other, own).count_ones() as i32
}

/// Returns discs of `own` that can't be flipped any more, though not necessarily all of them. On each axis, such a disc
/// is on the edge, next to another stable disc, or on a full line.
fn stable_discs(own: u64, other: u64) -> u64 {
    let free = !(own | other);
    let safe = LINES.map(|(shift, has_next, ends)| ends | !fill_lines(free, shift, has_next));
    let mut stable = 0;
    loop {
        let mut next = own;
        for ((shift, has_next, _), safe) in LINES.into_iter().zip(safe) {
            next &= safe | (stable & has_next) << shift | stable >> shift & has_next;
        }
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

/// Returns all cells on the lines of one axis that contain a cell of the set.
fn fill_lines(set: u64, shift: u32, has_next: u64) -> u64 {
    let (mut up, mut down) = (set, set);
    let (mut can_go_up, mut can_go_down) = (has_next, has_next);
    for step in [shift, 2 * shift, 4 * shift] {
        up |= (up & can_go_up) << step;
        down |= down >> step & can_go_down;
        can_go_up &= can_go_up >> step;
        can_go_down &= can_go_down >> step;
    }
    up | down
}

// The solver for the last four free cells. It tries every cell, which is faster than generating moves.

/// The first cell of each quarter of the board.
const QUARTERS: u64 = 0x0000_0011_0000_0011;
/// The cells of the first quarter.
const QUARTER: u64 = 0x0f0f_0f0f;

/// Returns the final score: the disc difference, with free cells counting for the winner.
fn final_score(own: u64, other: u64) -> i32 {
    let free = (!(own | other)).count_ones() as i32;
    let difference = own.count_ones() as i32 - other.count_ones() as i32;
    difference + free * difference.signum()
}

/// Returns all cells of the quarters with an odd number of free cells. The side that moves there first also moves there
/// last (parity).
fn odd_quarters(free: u64) -> u64 {
    let mut folded = free;
    for step in [1, 2, 8, 16] {
        folded ^= folded >> step;
    }
    (folded & QUARTERS).wrapping_mul(QUARTER)
}

/// Returns a lower bound of the score if it is above `floor`, else an upper bound (fail-soft). `passed` says whether
/// the opponent just passed.
fn solve(own: u64, other: u64, floor: i32, passed: bool) -> i32 {
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

// The null-window search of the endgame solver.

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
struct EndgameSearch {
    table: Vec<TableEntry>,
    nodes: u64,
    max_nodes: u64,
}

impl EndgameSearch {
    fn new(max_nodes: u64) -> EndgameSearch {
        EndgameSearch { table: vec![TableEntry::default(); TABLE_SIZE], nodes: 0, max_nodes }
    }

    /// Whether the node budget is exceeded. If so, returned scores are meaningless.
    fn is_exhausted(&self) -> bool {
        self.nodes > self.max_nodes
    }

    /// Returns a lower bound of the score of a move if it is above `floor`, else an upper bound (fail-soft).
    fn search_move(&mut self, own: u64, other: u64, cell: u32, floor: i32) -> i32 {
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
        let upper_bound = max_score(own, other);
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
