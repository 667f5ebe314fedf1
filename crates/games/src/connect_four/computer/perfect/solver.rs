//! An exact solver for the standard board.
//!
//! It answers two questions about a position with a boolean search: whether the side to move wins, and whether it at least draws.
//! See <http://blog.gamesolver.org> about the move ordering and the moves that it skips.

use crate::connect_four::computer::perfect::claimeven::static_result;
use crate::connect_four::computer::perfect::standard_board::{
    BOARD, CELL_COUNT, Discs, Goal, completing_cells, iter_cells, mirrored,
};
use crate::connect_four::computer::perfect::transposition_table::TranspositionTable;

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
