//! The computer: alpha-beta over mobility, edges and corners; the highest level plays the last moves out for the most discs.

mod field;
mod worth;

use game::choice::{Chosen, Level};
use game::contract::Engine;

use crate::othello::computer::field::{Field, PASS};
use crate::othello::ending::{self, Best};
use crate::othello::game::{Move, Othello};
use crate::search::alpha_beta::{Limits, Position, SURELY, think};
use crate::search::random::Random;

/// The most free cells with which the highest level looks through to the end.
const EXACT: u32 = 20;
/// The nodes after which the order of the moves is good enough to look through to the end.
const SKETCH_NODES: u64 = 100_000;
/// The most nodes that looking through to the end may take.
const ENDING_NODES: u64 = 2_600_000;

/// What a level does.
struct Strength {
    limits: Limits,
    /// The most free cells with which the game is looked through to its end.
    to_the_end: u32,
}

/// Returns what a level does.
fn strength(level: Level) -> Strength {
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
    Strength { limits: Limits { nodes, depth, margin }, to_the_end }
}

impl Engine for Othello {
    const ENGINE: u32 = 4;

    const EDGE: i32 = 186;

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        let [own, other] = self.sides();
        let mut field = Field::new(own, other);
        // Who has learned the game today takes what there is to take.
        field.greedy = level == Level::ALL[0];
        let Strength { mut limits, to_the_end } = strength(level);
        let free = (!(own | other)).count_ones();
        if free <= to_the_end {
            limits.depth = limits.depth.max(free as i16);
        }
        let mut random = Random::new(seed);
        let mut moves = Vec::new();
        field.moves(&mut moves);
        moves.retain(|mv| *mv != PASS);
        let sees_the_end = level == Level::MAX && free <= EXACT;
        if sees_the_end {
            limits.nodes = SKETCH_NODES;
        }
        let mut thought = think(&mut field, moves, limits, &mut random);
        if sees_the_end {
            let order: Vec<u8> = thought.moves.iter().map(|(mv, _)| *mv).collect();
            let (found, nodes) = ending::best(own, other, &order, ENDING_NODES);
            thought.nodes += nodes;
            if let Some(Best { mv, least, .. }) = found {
                let worth = least.signum() * SURELY;
                return Some(Chosen { mv: Move { position: mv.into() }, nodes: thought.nodes, value: worth });
            }
        }
        let (cell, value) = thought.pick(limits.margin, &mut random)?;
        Some(Chosen { mv: Move { position: cell.into() }, nodes: thought.nodes, value })
    }
}
