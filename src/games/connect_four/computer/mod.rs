//! The computer: alpha-beta over the cells that complete a line.

mod field;

use crate::game::choice::{Chosen, Level};
use crate::games::connect_four::computer::field::{Field, Ground};
use crate::games::connect_four::discs::Mask;
use crate::games::connect_four::game::{ConnectFour, Move};
use crate::search::alpha_beta::{Limits, Position, think};
use crate::search::random::Random;

/// Returns what a level may do.
fn limits(level: Level) -> Limits {
    let (depth, nodes, margin) = match level.number() {
        1 => (1, 1_000, 60),
        2 => (1, 1_000, 40),
        3 => (2, 2_000, 30),
        4 => (4, 10_000, 16),
        5 => (6, 40_000, 10),
        6 => (9, 120_000, 6),
        7 => (14, 400_000, 3),
        _ => (100, 1_500_000, 0),
    };
    Limits { nodes, depth, margin }
}

/// Returns the move that the computer plays; `None` after the end.
pub(super) fn choose(game: &ConnectFour, level: Level, seed: u64) -> Option<Chosen<Move>> {
    if game.outcome.is_some() {
        None
    } else if game.shape.bits() <= 64 {
        search::<u64>(game, level, seed)
    } else {
        search::<u128>(game, level, seed)
    }
}

fn search<M: Mask>(game: &ConnectFour, level: Level, seed: u64) -> Option<Chosen<Move>> {
    let ground = Ground::<M>::new(game.shape);
    let mut field = Field::new(&ground, game);
    // Who has learned the game today overlooks that the other side is about to win.
    field.careless = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    field.moves(&mut moves);
    let limits = limits(level);
    let thought = think(&mut field, moves, limits, &mut random);
    let (cell, value) = thought.pick(limits.margin, &mut random)?;
    let column = u32::from(cell) / (game.shape.rows as u32 + 1);
    Some(Chosen { mv: Move { column }, nodes: thought.nodes, value })
}
