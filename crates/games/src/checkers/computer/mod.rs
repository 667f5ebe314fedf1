//! The computer: alpha-beta over men, kings and where they stand. A capture is always looked into, as it cannot be refused.

mod field;
mod worth;

use game::choice::{Chosen, Level};
use game::contract::Engine;

use crate::checkers::computer::field::{Field, Short};
use crate::checkers::game::{Checkers, Move};
use crate::search::alpha_beta::{Limits, Position, SURELY, think};
use crate::search::random::Random;

/// Returns what a level may do.
fn limits(level: Level) -> Limits {
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
    const ENGINE: u32 = 5;

    const EDGE: i32 = 328;

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        let ways = self.ways();
        let mut field = Field::new(self);
        let mut random = Random::new(seed);
        let (mut moves, limits) = (Vec::new(), limits(level));
        if !ways.is_empty() {
            field.moves(&mut moves);
        }
        let thought = think(&mut field, moves, limits, &mut random);
        let (short, value) = thought.pick(limits.margin, &mut random)?;
        // A draw is worth nothing to either side, and what is certain is not hoped for.
        let value = if value == 0 || value.abs() >= SURELY { value } else { value - field.hope() };
        // Several ways around can come to the same; any of them will do.
        let way = ways.iter().find(|way| Short::from(*way) == short)?;
        Some(Chosen { mv: Move::from(way), nodes: thought.nodes, value })
    }
}
