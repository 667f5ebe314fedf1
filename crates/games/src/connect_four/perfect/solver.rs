//! Who wins a position of the usual board: looked through to the end, for both sides.
//!
//! Two questions are asked of a position, whether the side on turn wins and whether it at least draws, and each has yes or no for
//! an answer. See <http://blog.gamesolver.org> for the moves that are left out and for the order of the others.

use crate::connect_four::perfect::claimeven::static_result;
use crate::connect_four::perfect::standard_board::{
    BOARD, CELL_COUNT, Discs, Goal, completing_cells, iter_cells, mirrored,
};
use crate::connect_four::perfect::transposition_table::TranspositionTable;

/// Up to so many discs a position and its mirror image are one.
const MAX_MIRRORED_DISCS: u32 = 20;

/// A position in which the side on turn has a choice, with what it wants.
#[derive(Clone, Copy, Debug)]
struct SearchNode {
    discs: Discs,
    disc_count: u32,
    goal: Goal,
    /// The moves after which the other side does not win at once.
    safe: u64,
    /// Whether the side on turn is the other one than before the forced moves that led here.
    is_side_flipped: bool,
    /// What the move before these promises.
    threat_count: u32,
}

/// A search that remembers what it has found.
#[derive(Debug)]
pub struct Solver {
    table: TranspositionTable,
    /// The positions with a choice that were looked at so far.
    pub nodes: u64,
    max_nodes: u64,
}

impl Solver {
    /// Returns a solver that remembers so many positions, a power of two, of eight bytes each.
    pub fn new(positions: usize) -> Solver {
        Solver { table: TranspositionTable::new(positions), nodes: 0, max_nodes: 0 }
    }

    /// Tests if the side on turn reaches a goal in a position without a line; `None` if that takes more nodes than this.
    pub fn reaches(&mut self, discs: Discs, goal: Goal, nodes: u64) -> Option<bool> {
        self.max_nodes = self.nodes.saturating_add(nodes);
        if discs.winning_cells() != 0 {
            return Some(true);
        }
        let found = match play_forced_moves(discs, discs.taken.count_ones(), goal) {
            Ok(choice) => self.search(&choice, table_key(&choice)) != choice.is_side_flipped,
            Err(found) => found,
        };
        (self.nodes <= self.max_nodes).then_some(found)
    }

    /// Answers for a position with a choice, and its number. Beyond the limit the answer means nothing.
    fn search(&mut self, choice: &SearchNode, key: u64) -> bool {
        self.nodes += 1;
        if let Some(known) = self.table.get(key).reaches(choice.goal) {
            return known;
        }
        if self.nodes > self.max_nodes {
            return false;
        }
        let begun = self.nodes;
        let Some(answer) = self.search_moves(choice) else { return false };
        self.table.put(key, choice.goal, answer, self.nodes - begun);
        answer
    }

    /// Answers by the moves; `None` beyond the limit.
    fn search_moves(&mut self, choice: &SearchNode) -> Option<bool> {
        let (mut list, mut number) = ([(*choice, 0); 7], 0);
        for cell in iter_cells(choice.safe) {
            match play_forced_moves(choice.discs.after(cell), choice.disc_count + 1, choice.goal.opponent_goal()) {
                Err(true) => {}
                Err(false) => return Some(true),
                Ok(next) => {
                    let mut at = number;
                    while at > 0 && list[at - 1].0.threat_count < next.threat_count {
                        list[at] = list[at - 1];
                        at -= 1;
                    }
                    list[at] = (next, table_key(&next));
                    number += 1;
                }
            }
        }
        let list = &list[..number];
        // What is known of all of them costs less than looking into the first.
        let is_denied = |known: Option<bool>, next: &SearchNode| known == Some(next.is_side_flipped);
        if list.iter().any(|(next, key)| is_denied(self.table.get(*key).reaches(next.goal), next)) {
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

/// Plays on while moves are forced, from a position in which the side on turn cannot win at once, up to one with a choice. If it
/// needs no search, that is an error: whether the side on turn reaches its goal.
#[inline]
fn play_forced_moves(mut discs: Discs, mut count: u32, mut goal: Goal) -> Result<SearchNode, bool> {
    let (mut turned, mut promise) = (false, None);
    loop {
        let threats = completing_cells(discs.opponent()) & BOARD & !discs.taken;
        let promise = *promise.get_or_insert_with(|| count_cells(threats));
        let open = discs.landing_cells();
        let forced = open & threats;
        // Below a threat nobody plays who does not want to lose.
        let safe = open & !(threats >> 1) & if forced == 0 { open } else { forced };
        if safe == 0 || forced & forced.wrapping_sub(1) != 0 {
            // Either there is no room any more, or the other side wins with its next disc.
            return Err((count == CELL_COUNT && goal == Goal::Draw) != turned);
        }
        if count >= CELL_COUNT - 2 {
            return Err((goal == Goal::Draw) != turned);
        }
        if safe & (safe - 1) != 0 {
            if let Some(answer) = static_result(discs, goal, threats) {
                return Err(answer != turned);
            }
            return Ok(SearchNode {
                discs,
                disc_count: count,
                goal,
                safe,
                is_side_flipped: turned,
                threat_count: promise,
            });
        }
        (discs, count, goal, turned) = (discs.after(safe), count + 1, goal.opponent_goal(), !turned);
    }
}

/// Returns the number of a position, the same for its mirror image where that is worth its while.
#[inline]
fn table_key(choice: &SearchNode) -> u64 {
    let key = choice.discs.key();
    if choice.disc_count > MAX_MIRRORED_DISCS { key } else { key.min(mirrored(key)) }
}

/// Counts the cells of a set. There are few, so this is quicker than for any number.
#[inline]
fn count_cells(mut set: u64) -> u32 {
    let mut number = 0;
    while set != 0 {
        set &= set - 1;
        number += 1;
    }
    number
}
