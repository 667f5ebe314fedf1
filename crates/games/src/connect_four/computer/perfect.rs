//! Perfect play on the standard board: 7x6 with four in a row.
//!
//! [`Solver`] searches positions to the end, and [`find_best_move`] chooses a move with it. Solving takes too long in the opening.
//! There, [`book`] has the moves for the engine's own games, and [`opening_values`] the values of all other positions.

pub mod book;
pub mod opening_values;

// Finds the game-theoretic value of a position and a move that keeps it.

/// The node budget of each move in the first round. It doubles in every round.
const FIRST_ROUND_NODES: u64 = 1 << 10;

/// Returns the value of a position for the side to move: 1 for a win, 0 for a draw, -1 for a loss.
///
/// Neither side may have a line, and the value must be known to be at least `lower_bound`. Returns `None` if the search takes
/// more than `nodes` nodes.
pub fn find_value(solver: &mut Solver, discs: Discs, lower_bound: i32, nodes: u64) -> Option<i32> {
    let end = solver.nodes.saturating_add(nodes);
    if lower_bound > 0 || solver.reaches(discs, Goal::Win, nodes)? {
        return Some(1);
    }
    let draws = lower_bound == 0 || solver.reaches(discs, Goal::Draw, end.saturating_sub(solver.nodes))?;
    Some(if draws { 0 } else { -1 })
}

/// Searches `cells` with growing budgets. Returns the first cell that is proven to keep the position's value.
///
/// In a lost position, this is the first cell. Returns `None` if `cells` is empty or if the search takes more than `nodes` nodes.
pub fn find_best_move(solver: &mut Solver, discs: Discs, cells: &[u64], value: i32, nodes: u64) -> Option<u64> {
    let winning = cells.iter().find(|cell| **cell & discs.winning_cells() != 0);
    if winning.is_some() || value < 0 {
        return winning.or(cells.first()).copied();
    }
    let opponent_goal = if value > 0 { Goal::Draw } else { Goal::Win };
    let end = solver.nodes.saturating_add(nodes);
    let mut round_nodes = FIRST_ROUND_NODES;
    while solver.nodes < end && !cells.is_empty() {
        for cell in cells {
            let nodes = round_nodes.min(end.saturating_sub(solver.nodes));
            if solver.reaches(discs.after(*cell), opponent_goal, nodes) == Some(false) {
                return Some(*cell);
            }
        }
        round_nodes *= 2;
    }
    None
}

// An exact solver for the standard board.
//
// It answers two questions about a position with a boolean search: whether the side to move wins, and whether it at least draws.
// See <http://blog.gamesolver.org> about the move ordering and the moves that it skips.

/// The most discs of a position that shares its table entry with its mirror image.
const MAX_MIRRORED_DISCS: u32 = 20;

/// A position where the side to move has more than one safe move, with its goal.
#[derive(Clone, Copy, Debug)]
struct SearchNode {
    discs: Discs,
    disc_count: u32,
    goal: Goal,
    /// The moves that don't let the opponent win at once.
    safe: u64,
    /// Whether an odd number of forced moves led here, so that the other side is to move.
    is_side_flipped: bool,
    /// The number of threats made by the move before the forced moves.
    threat_count: u32,
}

/// A solver with its transposition table.
#[derive(Debug)]
pub struct Solver {
    table: TranspositionTable,
    /// The number of nodes searched so far.
    pub nodes: u64,
    max_nodes: u64,
}

impl Solver {
    /// Returns a solver whose table holds `positions` positions of eight bytes each. `positions` is a power of two.
    pub fn new(positions: usize) -> Solver {
        Solver { table: TranspositionTable::new(positions), nodes: 0, max_nodes: 0 }
    }

    /// Whether the side to move reaches a goal in a position without a line; `None` if that takes more than `nodes`
    /// nodes.
    pub fn reaches(&mut self, discs: Discs, goal: Goal, nodes: u64) -> Option<bool> {
        self.max_nodes = self.nodes.saturating_add(nodes);
        if discs.winning_cells() != 0 {
            return Some(true);
        }
        let answer = match play_forced_moves(discs, discs.taken.count_ones(), goal) {
            Ok(node) => self.search(&node, table_key(&node)) != node.is_side_flipped,
            Err(answer) => answer,
        };
        if self.nodes > self.max_nodes { None } else { Some(answer) }
    }

    /// Whether the side to move reaches its goal. `key` is the table key of the node.
    ///
    /// The result is meaningless if the search has run out of nodes.
    fn search(&mut self, node: &SearchNode, key: u64) -> bool {
        self.nodes += 1;
        if let Some(known) = self.table.get(key).reaches(node.goal) {
            return known;
        }
        if self.nodes > self.max_nodes {
            return false;
        }
        let nodes_before = self.nodes;
        let Some(answer) = self.search_moves(node) else { return false };
        self.table.put(key, node.goal, answer, self.nodes - nodes_before);
        answer
    }

    /// Tries the moves of a node. Returns `None` if the search has run out of nodes.
    fn search_moves(&mut self, node: &SearchNode) -> Option<bool> {
        let (mut list, mut count) = ([(*node, 0); 7], 0);
        for cell in iter_cells(node.safe) {
            match play_forced_moves(node.discs.after(cell), node.disc_count + 1, node.goal.opponent_goal()) {
                Err(true) => {}
                Err(false) => return Some(true),
                Ok(next) => {
                    // Insertion sort: the move with the most threats comes first.
                    let mut index = count;
                    while index > 0 && list[index - 1].0.threat_count < next.threat_count {
                        list[index] = list[index - 1];
                        index -= 1;
                    }
                    list[index] = (next, table_key(&next));
                    count += 1;
                }
            }
        }
        let list = &list[..count];
        // Enhanced transposition cutoff: looking up all moves is cheaper than searching the first.
        let is_refuted = |known: Option<bool>, next: &SearchNode| known == Some(next.is_side_flipped);
        if list.iter().any(|(next, key)| is_refuted(self.table.get(*key).reaches(next.goal), next)) {
            return Some(true);
        }
        for (next, key) in list {
            let answer = self.search(next, *key) == next.is_side_flipped;
            if self.nodes > self.max_nodes {
                return None;
            }
            if answer {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// Plays forced moves until the side to move has a choice. In `discs`, the side to move must not be able to win at once.
///
/// # Errors
/// Returns the result instead, if it needs no search: whether the side to move in `discs` reaches its goal.
#[inline]
fn play_forced_moves(mut discs: Discs, mut count: u32, mut goal: Goal) -> Result<SearchNode, bool> {
    let (mut is_side_flipped, mut threat_count) = (false, None);
    loop {
        let threats = completing_cells(discs.opponent()) & BOARD & !discs.taken;
        let threat_count = *threat_count.get_or_insert_with(|| count_cells(threats));
        let open = discs.landing_cells();
        let forced = open & threats;
        // A move below a threat loses at once.
        let safe = open & !(threats >> 1) & if forced == 0 { open } else { forced };
        if safe == 0 || forced & forced.wrapping_sub(1) != 0 {
            // The board is full, or the opponent wins with its next disc.
            return Err((count == CELL_COUNT && goal == Goal::Draw) != is_side_flipped);
        }
        if count >= CELL_COUNT - 2 {
            return Err((goal == Goal::Draw) != is_side_flipped);
        }
        if safe & (safe - 1) != 0 {
            if let Some(answer) = static_result(discs, goal, threats) {
                return Err(answer != is_side_flipped);
            }
            return Ok(SearchNode { discs, disc_count: count, goal, safe, is_side_flipped, threat_count });
        }
        (discs, count, goal, is_side_flipped) = (discs.after(safe), count + 1, goal.opponent_goal(), !is_side_flipped);
    }
}

/// Returns the table key of a node. With few discs, it's the same for the mirror image.
#[inline]
fn table_key(node: &SearchNode) -> u64 {
    let key = node.discs.key();
    if node.disc_count > MAX_MIRRORED_DISCS { key } else { key.min(mirrored(key)) }
}

/// Counts the cells of a set. Sets of threats are small, so this is faster than `count_ones`.
#[inline]
fn count_cells(mut set: u64) -> u32 {
    let mut count = 0;
    while set != 0 {
        set &= set - 1;
        count += 1;
    }
    count
}

// Decides some positions without a search, by the claimeven rule.

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
fn static_result(discs: Discs, goal: Goal, threats: u64) -> Option<bool> {
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

// The solver's transposition table.

/// The number of entries in a bucket. A position can be in any entry of its bucket.
const BUCKET_SIZE: usize = 4;
/// The bits of an entry that hold the position's key.
const KEY_MASK: u64 = (1 << 49) - 1;
/// The lowest of an entry's bits that hold the binary logarithm of its nodes.
const WORK_SHIFT: u32 = 58;

// The results for the side to move: it wins, doesn't win, at least draws, loses.
const WINS: u64 = 1 << 49;
const NO_WIN: u64 = 1 << 50;
const DRAWS: u64 = 1 << 51;
const NO_DRAW: u64 = 1 << 52;

/// The known results of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownResults(u64);

impl KnownResults {
    /// Whether the side to move reaches a goal, or `None` if that isn't known.
    #[inline]
    pub(crate) fn reaches(self, goal: Goal) -> Option<bool> {
        let [yes, no] = if goal == Goal::Win { [WINS, NO_WIN] } else { [DRAWS, NO_DRAW] };
        if self.0 & (yes | no) == 0 { None } else { Some(self.0 & yes != 0) }
    }
}

/// A table of eight-byte entries. An entry contains the whole key, so there are no collisions.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Vec<[u64; BUCKET_SIZE]>,
}

impl TranspositionTable {
    /// Returns an empty table for `positions` positions, a power of two.
    pub(crate) fn new(positions: usize) -> TranspositionTable {
        TranspositionTable { buckets: vec![[0; BUCKET_SIZE]; (positions / BUCKET_SIZE).next_power_of_two()] }
    }

    /// Returns the known results of the position with this key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> KnownResults {
        let entries = &self.buckets[self.index(key)];
        KnownResults(entries.iter().find(|entry| **entry & KEY_MASK == key).copied().unwrap_or_default())
    }

    /// Stores whether the side to move reaches a goal. `nodes` is the number of nodes that the answer took.
    fn put(&mut self, key: u64, goal: Goal, answer: bool, nodes: u64) {
        let index = self.index(key);
        let entries = &mut self.buckets[index];
        let results = match (goal, answer) {
            (Goal::Win, true) => WINS | DRAWS,
            (Goal::Win, false) => NO_WIN,
            (Goal::Draw, true) => DRAWS,
            (Goal::Draw, false) => NO_WIN | NO_DRAW,
        };
        let work = u64::from(nodes.checked_ilog2().unwrap_or_default()) << WORK_SHIFT;
        if let Some(entry) = entries.iter_mut().find(|entry| **entry & KEY_MASK == key) {
            *entry = (*entry & ((1 << WORK_SHIFT) - 1) | results) | work.max(*entry >> WORK_SHIFT << WORK_SHIFT);
            return;
        }
        // Replace the entry that took the least work.
        let Some(entry) = entries.iter_mut().min_by_key(|entry| **entry >> WORK_SHIFT) else { return };
        *entry = key | results | work;
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.buckets.len() - 1)
    }
}

// Bitboards of the standard board: 7x6 with four in a row.
//
// The layout is that of `Bitboard` in `position.rs`, with constant sizes: each column has six cells from
// the bottom, and one bit above that stays empty.

/// The bits of a column: six cells and an empty bit.
const COLUMN_BITS: u32 = 7;
/// The number of cells.
const CELL_COUNT: u32 = 42;
/// The lowest cell of each column.
const BOTTOM_ROW: u64 = 0x0000_0408_1020_4081;
/// All cells.
pub const BOARD: u64 = BOTTOM_ROW * 0x3f;
/// The cells of the leftmost column.
const COLUMN_MASK: u64 = 0x3f;
/// The columns, from the middle outward.
const COLUMN_ORDER: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];

/// A position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Discs {
    /// The discs of the side to move.
    pub own: u64,
    /// All discs.
    pub taken: u64,
}

/// The result that a side tries to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// At least a draw.
    Draw,
    /// A win.
    Win,
}

impl Goal {
    /// Returns the opponent's goal: the least result that prevents this one.
    pub fn opponent_goal(self) -> Goal {
        if self == Goal::Win { Goal::Draw } else { Goal::Win }
    }
}

impl Discs {
    /// The empty board.
    pub const START: Discs = Discs { own: 0, taken: 0 };

    /// Returns the discs of the opponent of the side to move.
    pub fn opponent(self) -> u64 {
        self.own ^ self.taken
    }

    /// Returns the lowest free cell of each column.
    pub fn landing_cells(self) -> u64 {
        (self.taken + BOTTOM_ROW) & BOARD
    }

    /// Returns the lowest free cell of a column, counted from 0; the empty set if the column is full.
    pub fn landing_cell(self, column: u32) -> u64 {
        self.landing_cells() & (COLUMN_MASK << (COLUMN_BITS * column))
    }

    /// Returns the cells where the side to move wins at once.
    pub fn winning_cells(self) -> u64 {
        completing_cells(self.own) & self.landing_cells()
    }

    /// Returns the position after a disc in this landing cell.
    pub fn after(self, cell: u64) -> Discs {
        Discs { own: self.opponent(), taken: self.taken | cell }
    }

    /// Returns a 49-bit number that is unique to the position.
    pub fn key(self) -> u64 {
        self.own + self.taken + BOTTOM_ROW
    }

    /// Returns the mirror image of the position.
    pub fn mirrored(self) -> Discs {
        Discs { own: mirrored(self.own), taken: mirrored(self.taken) }
    }
}

/// Returns the mirror image of a set, or of a position's key.
fn mirrored(set: u64) -> u64 {
    (0..7)
        .fold(0, |mirrored, column| mirrored | ((set >> (COLUMN_BITS * column)) & 0x7f) << (COLUMN_BITS * (6 - column)))
}

/// Returns the cells of a set, from the middle column outward. Each column has at most one cell in the set.
pub fn iter_cells(set: u64) -> impl Iterator<Item = u64> {
    COLUMN_ORDER.into_iter().map(move |column| set & (COLUMN_MASK << (COLUMN_BITS * column))).filter(|cell| *cell != 0)
}

/// Returns the column of a cell, from 0.
pub fn column_of(cell: u64) -> u32 {
    cell.trailing_zeros() / COLUMN_BITS
}

/// Returns the cells that would complete a line of this set, taken or not. The result can include bits above the columns.
#[inline]
fn completing_cells(set: u64) -> u64 {
    let mut found = (set << 1) & (set << 2) & (set << 3);
    for step in [COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1] {
        let pairs = (set << step) & (set << (2 * step));
        found |= pairs & ((set << (3 * step)) | (set >> step));
        let pairs = (set >> step) & (set >> (2 * step));
        found |= pairs & ((set >> (3 * step)) | (set << step));
    }
    found
}

/// Whether a set contains four in a row.
#[inline]
fn has_line(set: u64) -> bool {
    [1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1].into_iter().fold(0, |found, step| {
        let pairs = set & (set >> step);
        found | pairs & (pairs >> (2 * step))
    }) != 0
}
