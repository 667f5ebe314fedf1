//! The checkers engine: an alpha-beta search that evaluates material and the placement of pieces.

mod evaluate;
mod search_board;

use game::contract::Engine;
use game::engine::{EngineMove, Level};

use crate::checkers::computer::search_board::{CompactMove, SearchBoard};
use crate::checkers::game::{Checkers, Move};
use crate::search::alpha_beta::{Limits, PROVEN_WIN, SearchPosition, search};
use crate::search::random::Random;

/// Returns the search limits of a level.
fn level_limits(level: Level) -> Limits {
    let (depth, nodes, margin) = match level.number() {
        1 => (1, 2_000, 0),
        // Level 2 searches deeper than level 3, but with this margin it often plays a poor move.
        2 => (4, 8_000, 1_000),
        3 => (3, 8_000, 300),
        4 => (5, 18_000, 100),
        5 => (7, 60_000, 30),
        6 => (10, 150_000, 14),
        7 => (14, 600_000, 3),
        _ => (100, 2_400_000, 0),
    };
    Limits { nodes, depth, margin }
}

impl Engine for Checkers {
    const ENGINE_VERSION: u32 = 7;

    const SCORE_SCALE: i32 = 328;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        choose_within(self, level, level_limits(level), seed)
    }

    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Move>> {
        choose_within(self, Level::MAX, Limits { nodes, ..level_limits(Level::MAX) }, 0)
    }
}

/// Chooses a move within these limits. The lowest level is blind to threats.
fn choose_within(game: &Checkers, level: Level, limits: Limits, seed: u64) -> Option<EngineMove<Move>> {
    let paths = game.legal_paths();
    let mut board = SearchBoard::new(game);
    // Like a beginner, the lowest level overlooks that its opponent is about to capture.
    board.ignores_threats = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    if !paths.is_empty() {
        board.moves(&mut moves);
    }
    let result = search(&mut board, moves, limits, &mut random);
    let (chosen, score) = result.pick(limits.margin, &mut random)?;
    // Draws and proven results don't include the optimistic bonus.
    let score = if score == 0 || score.abs() >= PROVEN_WIN { score } else { score - board.optimistic_value() };
    // Several capture paths can lead to the same position. Take any of them.
    let path = paths.iter().find(|path| CompactMove::from(*path) == chosen)?;
    Some(EngineMove { mv: Move::from(path), nodes: result.nodes, score })
}
