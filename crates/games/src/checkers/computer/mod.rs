//! The computer: alpha-beta over men, kings and where they stand. A capture is always looked into, as it cannot be refused.

mod evaluate;
mod search_board;

use game::contract::Engine;
use game::engine::{EngineMove, Level};

use crate::checkers::computer::search_board::{CompactMove, SearchBoard};
use crate::checkers::game::{Checkers, Move};
use crate::search::alpha_beta::{Limits, PROVEN_WIN, SearchPosition, search};
use crate::search::random::Random;

/// Returns what a level may do.
fn level_limits(level: Level) -> Limits {
    let (depth, nodes, margin) = match level.number() {
        1 => (1, 2_000, 340),
        2 => (2, 4_000, 200),
        3 => (3, 8_000, 75),
        4 => (5, 18_000, 60),
        5 => (7, 60_000, 30),
        6 => (10, 150_000, 14),
        7 => (14, 600_000, 3),
        _ => (100, 2_400_000, 0),
    };
    Limits { nodes, depth, margin }
}

impl Engine for Checkers {
    const ENGINE_VERSION: u32 = 5;

    const SCORE_SCALE: i32 = 328;

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        let ways = self.legal_paths();
        let mut field = SearchBoard::new(self);
        let mut random = Random::new(seed);
        let (mut moves, limits) = (Vec::new(), level_limits(level));
        if !ways.is_empty() {
            field.moves(&mut moves);
        }
        let thought = search(&mut field, moves, limits, &mut random);
        let (short, value) = thought.pick(limits.margin, &mut random)?;
        // A draw is worth nothing to either side, and what is certain is not hoped for.
        let value = if value == 0 || value.abs() >= PROVEN_WIN { value } else { value - field.optimistic_value() };
        // Several ways around can come to the same; any of them will do.
        let way = ways.iter().find(|way| CompactMove::from(*way) == short)?;
        Some(EngineMove { mv: Move::from(way), nodes: thought.nodes, score: value })
    }
}
