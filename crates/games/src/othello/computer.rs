//! The Othello engine: an alpha-beta search that evaluates mobility, edges and corners. The highest level solves the endgame
//! exactly.

pub mod endgame;
mod evaluate;
mod search_board;

use game::contract::Engine;
use game::engine::{EngineMove, Level};

use crate::othello::computer::endgame::EndgameMove;
use crate::othello::computer::search_board::{PASS, SearchBoard};
use crate::othello::game::{Move, Othello};
use crate::search::alpha_beta::{Limits, PROVEN_WIN, SearchPosition, search};
use crate::search::random::Random;

/// The most free cells with which the highest level solves the endgame.
const MAX_SOLVED_CELLS: u32 = 20;
/// The node budget of the search that orders the moves before the endgame is solved.
const PRESEARCH_NODES: u64 = 100_000;
/// The node budget of the endgame solver.
const ENDGAME_NODES: u64 = 2_600_000;

/// The settings of a level.
struct LevelProfile {
    limits: Limits,
    /// The most free cells with which the search depth reaches the end of the game.
    full_depth_cells: u32,
}

/// Returns the settings of a level.
fn level_profile(level: Level) -> LevelProfile {
    let (depth, nodes, margin, full_depth_cells) = match level.number() {
        1 => (1, 1_000, 12, 2),
        2 => (1, 1_000, 260, 3),
        3 => (2, 3_000, 170, 4),
        4 => (2, 5_000, 50, 6),
        5 => (3, 10_000, 30, 8),
        6 => (5, 40_000, 16, 10),
        7 => (7, 150_000, 8, 12),
        _ => (60, 1_000_000, 0, 60),
    };
    LevelProfile { limits: Limits { nodes, depth, margin }, full_depth_cells }
}

impl Engine for Othello {
    const ENGINE_VERSION: u32 = 4;

    const SCORE_SCALE: i32 = 186;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        let LevelProfile { mut limits, full_depth_cells } = level_profile(level);
        let free = free_count(self);
        if free <= full_depth_cells {
            limits.depth = limits.depth.max(free as i16);
        }
        let is_solvable = level == Level::MAX && free <= MAX_SOLVED_CELLS;
        if is_solvable {
            limits.nodes = PRESEARCH_NODES;
        }
        choose_within(self, level, limits, is_solvable.then_some(ENDGAME_NODES), seed)
    }

    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Move>> {
        let is_solvable = free_count(self) <= MAX_SOLVED_CELLS;
        let nodes = if is_solvable { nodes / 2 } else { nodes };
        let limits = Limits { nodes, ..level_profile(Level::MAX).limits };
        choose_within(self, Level::MAX, limits, is_solvable.then_some(nodes), 0)
    }
}

fn free_count(game: &Othello) -> u32 {
    let [own, other] = game.sides();
    (!(own | other)).count_ones()
}

/// Chooses a move within these limits. `solver_nodes` is the node budget of the endgame solver; `None` skips the solver.
fn choose_within(
    game: &Othello,
    level: Level,
    limits: Limits,
    solver_nodes: Option<u64>,
    seed: u64,
) -> Option<EngineMove<Move>> {
    let [own, other] = game.sides();
    let mut board = SearchBoard::new(own, other);
    // Beginners flip as many discs as they can.
    board.greedy = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    board.moves(&mut moves);
    moves.retain(|mv| *mv != PASS);
    let mut result = search(&mut board, moves, limits, &mut random);
    if let Some(solver_nodes) = solver_nodes {
        let order: Vec<u8> = result.moves.iter().map(|(mv, _)| *mv).collect();
        let (best, nodes) = endgame::find_best_move(own, other, &order, solver_nodes);
        result.nodes += nodes;
        if let Some(EndgameMove { mv, lower_bound, .. }) = best {
            let score = lower_bound.signum() * PROVEN_WIN;
            return Some(EngineMove { mv: Move { position: mv.into() }, nodes: result.nodes, score });
        }
    }
    let (cell, score) = result.pick(limits.margin, &mut random)?;
    Some(EngineMove { mv: Move { position: cell.into() }, nodes: result.nodes, score })
}
