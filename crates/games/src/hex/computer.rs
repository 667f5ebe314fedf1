//! The Hex engine: Monte Carlo tree search with RAVE, and rollouts that save bridges.

mod finish;
mod search_board;
mod shortest_path;
mod tree;

use game::contract::{Engine, Rules};
use game::engine::{EngineMove, Level};

use crate::hex::computer::search_board::SearchBoard;
use crate::hex::computer::tree::{SearchResult, Tree};
use crate::hex::game::{Hex, Move};
use crate::search::fixed_point::ONE;
use crate::search::random::Random;

/// The number of rollouts by level, from level 2 on, on boards with up to [`STANDARD_CELLS`] cells. Larger boards get fewer
/// rollouts, because each takes longer.
const ROLLOUTS: [u32; 7] = [110, 150, 210, 400, 1_500, 9_000, 75_000];
/// The approximate number of tree nodes that a rollout visits.
const NODES_PER_ROLLOUT: u64 = 3;
/// The number of cells of the 11x11 board.
const STANDARD_CELLS: usize = 121;

/// The win rate from which the engine tries to finish the game: 90 %.
const WON: u32 = ONE / 10 * 9;

/// The smallest board where the engine avoids a strong first stone, because the opponent would take it over.
const MIN_BALANCED_SIZE: usize = 7;

impl Engine for Hex {
    const ENGINE_VERSION: u32 = 3;

    const SCORE_SCALE: i32 = 367;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        if self.winner.is_some() {
            return None;
        }
        let mut random = Random::new(seed);
        if let Some(chosen) = choose_without_search(self, &mut random) {
            return Some(chosen);
        }
        if level == Level::ALL[0] {
            let cell = || Some(stone(shortest_path::find_cell(self)?));
            return Some(EngineMove { mv: self.swap_move().or_else(cell)?, nodes: 1, score: 0 });
        }
        let rollouts = *ROLLOUTS.get(usize::from(level.number()).checked_sub(2)?)?;
        choose_by_search(self, rollouts, &mut random)
    }

    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Move>> {
        if self.winner.is_some() {
            return None;
        }
        let mut random = Random::new(0);
        let rollouts = u32::try_from(nodes / NODES_PER_ROLLOUT).unwrap_or(u32::MAX).max(ROLLOUTS[0]);
        let mut found =
            choose_without_search(self, &mut random).or_else(|| choose_by_search(self, rollouts, &mut random))?;
        // The nodes of large boards take longer.
        found.nodes = found.nodes * (self.size * self.size).max(STANDARD_CELLS) as u64 / STANDARD_CELLS as u64;
        Some(found)
    }
}

fn stone(cell: usize) -> Move {
    Move { position: cell as u32, swap: false }
}

/// Returns a balanced first stone or a stone that wins at once, if there is one.
fn choose_without_search(game: &Hex, random: &mut Random) -> Option<EngineMove<Move>> {
    if let Some(cell) = balanced_opening(game, random) {
        return Some(EngineMove { mv: stone(cell), nodes: 1, score: 0 });
    }
    let cell = game.free_cells().find(|cell| game.play(&stone(*cell)).winner.is_some())?;
    Some(EngineMove { mv: stone(cell), nodes: 1, score: 1_000 })
}

/// Returns the best move after this many rollouts, fewer on large boards.
fn choose_by_search(game: &Hex, rollouts: u32, random: &mut Random) -> Option<EngineMove<Move>> {
    let cells = game.size * game.size;
    let rollouts = (rollouts as usize * STANDARD_CELLS / cells.max(STANDARD_CELLS)) as u32;
    let board = SearchBoard::new(game);
    let mut result = Tree::new().search(&board, &board.free, rollouts, random)?;
    if result.value >= WON {
        result = finish_or(result, &board, rollouts, random);
    }
    let score = (i64::from(result.value) * 2_000 / i64::from(ONE)) as i32 - 1_000;
    let best = EngineMove { mv: stone(board.cell_index(result.cell)), nodes: result.nodes, score };
    // A swap gives the engine its opponent's position, with the opponent to move.
    match game.swap_move() {
        Some(swap) if score < 0 => Some(EngineMove { mv: swap, score: -score, ..best }),
        _ => Some(best),
    }
}

/// Returns the best move on the cheapest chain if it wins, too; otherwise returns `found`. Adds up the nodes of both searches.
///
/// In a won game nearly every move wins, so the search alone would play anywhere.
fn finish_or(found: SearchResult, board: &SearchBoard, rollouts: u32, random: &mut Random) -> SearchResult {
    let cells = finish::cells_to_play(board);
    let nodes = found.nodes;
    match Tree::new().search(board, &cells, rollouts / 2, random) {
        Some(result) if result.value >= WON => SearchResult { nodes: nodes + result.nodes, ..result },
        result => SearchResult { nodes: nodes + result.map_or(0, |result| result.nodes), ..found },
    }
}

/// Returns a random first stone that is about as good to keep as to take over.
///
/// Returns `None` if the board isn't empty or is too small, or if the game has no swap rule.
fn balanced_opening(game: &Hex, random: &mut Random) -> Option<usize> {
    if !game.can_swap || game.stone_count() > 0 || game.size < MIN_BALANCED_SIZE {
        return None;
    }
    let size = game.size;
    let cell = [2 * size, size + 2][random.below(2)];
    Some(if random.below(2) == 0 { cell } else { size * size - 1 - cell })
}
