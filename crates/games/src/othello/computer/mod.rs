//! The computer: alpha-beta over mobility, edges and corners; the highest level plays the last moves out for the most discs.

mod evaluate;
mod search_board;

use game::contract::Engine;
use game::engine::{EngineMove, Level};

use crate::othello::computer::search_board::{PASS, SearchBoard};
use crate::othello::endgame::{self, EndgameMove};
use crate::othello::game::{Move, Othello};
use crate::search::alpha_beta::{Limits, PROVEN_WIN, SearchPosition, search};
use crate::search::random::Random;

/// The most free cells with which the highest level looks through to the end.
const MAX_SOLVED_CELLS: u32 = 20;
/// The nodes after which the order of the moves is good enough to look through to the end.
const PRESEARCH_NODES: u64 = 100_000;
/// The most nodes that looking through to the end may take.
const ENDGAME_NODES: u64 = 2_600_000;

/// What a level does.
struct LevelProfile {
    limits: Limits,
    /// The most free cells with which the game is looked through to its end.
    full_depth_cells: u32,
}

/// Returns what a level does.
fn level_profile(level: Level) -> LevelProfile {
    let (depth, nodes, margin, to_the_end) = match level.number() {
        1 => (1, 1_000, 12, 2),
        2 => (1, 1_000, 260, 3),
        3 => (2, 3_000, 170, 4),
        4 => (2, 5_000, 50, 6),
        5 => (3, 10_000, 30, 8),
        6 => (5, 40_000, 16, 10),
        7 => (7, 150_000, 8, 12),
        _ => (60, 1_000_000, 0, 60),
    };
    LevelProfile { limits: Limits { nodes, depth, margin }, full_depth_cells: to_the_end }
}

impl Engine for Othello {
    const ENGINE_VERSION: u32 = 4;

    const SCORE_SCALE: i32 = 186;

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        let [own, other] = self.sides();
        let mut field = SearchBoard::new(own, other);
        // Who has learned the game today takes what there is to take.
        field.greedy = level == Level::ALL[0];
        let LevelProfile { mut limits, full_depth_cells: to_the_end } = level_profile(level);
        let free = (!(own | other)).count_ones();
        if free <= to_the_end {
            limits.depth = limits.depth.max(free as i16);
        }
        let mut random = Random::new(seed);
        let mut moves = Vec::new();
        field.moves(&mut moves);
        moves.retain(|mv| *mv != PASS);
        let sees_the_end = level == Level::MAX && free <= MAX_SOLVED_CELLS;
        if sees_the_end {
            limits.nodes = PRESEARCH_NODES;
        }
        let mut thought = search(&mut field, moves, limits, &mut random);
        if sees_the_end {
            let order: Vec<u8> = thought.moves.iter().map(|(mv, _)| *mv).collect();
            let (found, nodes) = endgame::find_best_move(own, other, &order, ENDGAME_NODES);
            thought.nodes += nodes;
            if let Some(EndgameMove { mv, lower_bound: least, .. }) = found {
                let worth = least.signum() * PROVEN_WIN;
                return Some(EngineMove { mv: Move { position: mv.into() }, nodes: thought.nodes, score: worth });
            }
        }
        let (cell, value) = thought.pick(limits.margin, &mut random)?;
        Some(EngineMove { mv: Move { position: cell.into() }, nodes: thought.nodes, score: value })
    }
}
