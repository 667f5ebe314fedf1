//! The computer: alpha-beta over an evaluation of our own.
//!
//! `deepen` looks deeper and deeper from the root, `descend` is the search below the root and `settle` plays captures out at its end;
//! `order` says which move is tried first and `exchange` what captures on a square come to. `evaluate` values a position
//! by the numbers in `weights`. `sight` is what makes weak levels human.

mod evaluate;
mod iterative_deepening;
mod move_filter;
mod move_ordering;
mod pvs;
mod quiescence;
pub mod search;
mod see;
mod weights;

use cozy_chess::Board;
use game::contract::Engine;
use game::engine::{EngineMove, Level};

use crate::chess::computer::iterative_deepening::iterative_deepening;
use crate::chess::computer::move_filter::MoveFilter;
use crate::chess::computer::search::Progress;
use crate::chess::game::Chess;
use crate::chess::moves::Move;
use crate::search::alpha_beta::Limits;
use crate::search::random::Random;

/// The number of the move up to which the better levels vary their play.
const OPENING_MOVES: u16 = 8;

/// Returns what a level may do, and how many of a thousand moves it overlooks.
fn level_limits(level: Level, opening: bool) -> (Limits, u64) {
    // Each level scores about 85 % against the one below; the first loses pieces to simple threats.
    let (depth, nodes, margin, blind) = match level.number() {
        1 => (2, 500, 55, 170),
        2 => (3, 1_000, 40, 85),
        3 => (4, 2_000, 25, 32),
        4 => (64, 5_000, 18, 5),
        5 => (64, 17_000, 30, 0),
        6 => (64, 55_000, 24, 0),
        7 => (64, 190_000, 18, 0),
        _ => (64, 800_000, 0, 0),
    };
    // From level 5 on a move that is worse than the best is played in the opening only.
    let margin = if level.number() > 4 && !opening { 0 } else { margin };
    (Limits { nodes, depth, margin }, blind)
}

/// How hard to think, and what to begin from.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// The level to play at.
    pub level: Level,
    /// The most nodes, if not what the level has; lower levels never use more than that.
    pub nodes: Option<u64>,
    /// The most plies ahead, if fewer than the level has.
    pub depth: Option<i16>,
    /// The number that all luck follows from.
    pub seed: u64,
}

/// Returns the move for a task, unless `watch` stops the search before; then the best that was found. It plays on where the game
/// is drawn, as other programs may; `None` without a legal move.
pub fn choose_move(
    game: &Chess,
    task: SearchOptions,
    watch: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Option<EngineMove<Move>> {
    let (mut limits, blind) = level_limits(task.level, game.board.fullmove_number() <= OPENING_MOVES);
    limits.nodes = match task.nodes {
        Some(nodes) if task.level == Level::MAX => nodes,
        nodes => limits.nodes.min(nodes.unwrap_or(u64::MAX)),
    };
    limits.depth = limits.depth.min(task.depth.unwrap_or(i16::MAX)).max(1);
    let mut board = game.board.clone();
    if game.halfmove_clock >= 100 {
        // Nobody has claimed the draw; at 150 it comes by itself.
        board.set_halfmove_clock((game.halfmove_clock - 50).min(100) as u8);
    }
    let earlier = game.earlier.iter().map(Board::hash_without_ep).collect();
    let mut random = Random::new(task.seed);
    let sight = MoveFilter::new(random.next_u64(), blind);
    let thought = iterative_deepening(&board, earlier, limits, sight, &mut random, watch);
    let (mv, value) = thought.pick(limits.margin, &mut random)?;
    Some(EngineMove { mv: mv.into(), nodes: thought.nodes, score: value })
}

impl Engine for Chess {
    const ENGINE_VERSION: u32 = 3;

    const SCORE_SCALE: i32 = 186;

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        self.end_reason
            .is_none()
            .then(|| choose_move(self, SearchOptions { level, nodes: None, depth: None, seed }, &mut |_| false))
            .flatten()
    }
}
