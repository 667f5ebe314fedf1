//! The computer: alpha-beta over an evaluation of our own.
//!
//! `deepen` looks deeper and deeper from the root, `descend` is the search below the root and `settle` plays captures out at its end;
//! `order` says which move is tried first and `exchange` what captures on a square come to. `evaluate` values a position
//! by the numbers in `weights`. `sight` is what makes weak levels human.

mod deepen;
mod descend;
mod evaluate;
mod exchange;
mod order;
pub mod search;
mod settle;
mod sight;
mod weights;

use cozy_chess::Board;
use game::choice::{Chosen, Level};
use game::contract::Engine;

use crate::chess::computer::deepen::think;
use crate::chess::computer::search::Progress;
use crate::chess::computer::sight::Sight;
use crate::chess::game::Chess;
use crate::chess::moves::Move;
use crate::search::alpha_beta::Limits;
use crate::search::random::Random;

/// The number of the move up to which the better levels vary their play.
const OPENING: u16 = 8;

/// Returns what a level may do, and how many of a thousand moves it overlooks.
fn limits(level: Level, opening: bool) -> (Limits, u64) {
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
pub struct Task {
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
pub fn think_on(game: &Chess, task: Task, watch: &mut dyn FnMut(Progress<'_>) -> bool) -> Option<Chosen<Move>> {
    let (mut limits, blind) = limits(task.level, game.board.fullmove_number() <= OPENING);
    limits.nodes = match task.nodes {
        Some(nodes) if task.level == Level::MAX => nodes,
        nodes => limits.nodes.min(nodes.unwrap_or(u64::MAX)),
    };
    limits.depth = limits.depth.min(task.depth.unwrap_or(i16::MAX)).max(1);
    let mut board = game.board.clone();
    if game.quiet >= 100 {
        // Nobody has claimed the draw; at 150 it comes by itself.
        board.set_halfmove_clock((game.quiet - 50).min(100) as u8);
    }
    let earlier = game.earlier.iter().map(Board::hash_without_ep).collect();
    let mut random = Random::new(task.seed);
    let sight = Sight::new(random.number(), blind);
    let thought = think(&board, earlier, limits, sight, &mut random, watch);
    let (mv, value) = thought.pick(limits.margin, &mut random)?;
    Some(Chosen { mv: mv.into(), nodes: thought.nodes, value })
}

impl Engine for Chess {
    const ENGINE: u32 = 3;

    const EDGE: i32 = 186;

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        self.end
            .is_none()
            .then(|| think_on(self, Task { level, nodes: None, depth: None, seed }, &mut |_| false))
            .flatten()
    }
}
