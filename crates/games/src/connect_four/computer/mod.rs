//! The computer: alpha-beta over the cells that complete a line; on the usual board the highest level is perfect.

mod field;

use game::choice::{Chosen, Level};
use game::contract::Engine;

use crate::connect_four::computer::field::{Field, Ground};
use crate::connect_four::discs::{Mask, Shape};
use crate::connect_four::game::{ConnectFour, Move};
use crate::connect_four::perfect::best::{best, worth};
use crate::connect_four::perfect::solver::Solver;
use crate::connect_four::perfect::usual::Discs;
use crate::connect_four::perfect::{book, worths};
use crate::search::alpha_beta::{Limits, Position, SURELY, Thought, think};
use crate::search::random::Random;

/// The board of which all is known.
const USUAL: Shape = Shape { columns: 7, rows: 6, k: 4 };
/// The most nodes of the solver, about a second's worth. Few positions need more, and only after a seat was handed over: there the
/// sketch alone decides.
const SOLVER_NODES: u64 = 10_000_000;
/// The nodes after which wins that are near are seen, and the order of the moves is good enough for the solver.
const SKETCH_NODES: u64 = 100_000;
/// The positions that the solver remembers, in 2 MB: what stays in the processor's cache is quicker than more would be.
const REMEMBERED: usize = 1 << 18;

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

impl Engine for ConnectFour {
    const ENGINE: u32 = 5;

    const EDGE: i32 = 38;

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        if self.outcome.is_some() {
            None
        } else if self.shape.bits() <= 64 {
            search::<u64>(self, level, seed)
        } else {
            search::<u128>(self, level, seed)
        }
    }
}

/// Returns the position, if the level is the highest and can find out what it is worth.
fn knowable(game: &ConnectFour, level: Level) -> Option<Discs> {
    let taken = (game.discs[0] | game.discs[1]) as u64;
    let discs = Discs { own: game.discs[game.to_move.index()] as u64, taken };
    (level == Level::MAX && game.shape == USUAL).then_some(discs)
}

/// Returns a move that keeps what the position is worth, and that worth. `None` if the sketch already sees the end, or if the
/// solver gives up.
fn perfect(discs: Discs, sketch: &mut Thought<u8>) -> Option<(u8, i32)> {
    let &(_, value) = sketch.moves.first()?;
    if value.abs() >= SURELY {
        return None;
    }
    let cells: Vec<u64> = sketch.moves.iter().map(|(place, _)| 1 << place).collect();
    let (cell, worth) = book::look_up(discs)
        .or_else(|| worths::best(discs, &cells))
        .or_else(|| solve(discs, &cells, &mut sketch.nodes))?;
    Some((cell.trailing_zeros() as u8, worth * SURELY))
}

/// Returns the first of these cells that the solver finds to keep what the position is worth, and that worth. Adds the nodes that
/// it looks at. `None` if it gives up.
fn solve(discs: Discs, cells: &[u64], nodes: &mut u64) -> Option<(u64, i32)> {
    let mut solver = Solver::new(REMEMBERED);
    let known = worths::worth(discs).or_else(|| worth(&mut solver, discs, -1, SOLVER_NODES));
    let found = known.and_then(|worth| {
        let left = SOLVER_NODES.saturating_sub(solver.nodes);
        Some((best(&mut solver, discs, cells, worth, left)?, worth))
    });
    *nodes += solver.nodes;
    found
}

fn search<M: Mask>(game: &ConnectFour, level: Level, seed: u64) -> Option<Chosen<Move>> {
    let ground = Ground::<M>::new(game.shape);
    let mut field = Field::new(&ground, game);
    // Who has learned the game today overlooks that the other side is about to win.
    field.careless = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    field.moves(&mut moves);
    let knowable = knowable(game, level);
    let mut limits = limits(level);
    if knowable.is_some() {
        limits.nodes = SKETCH_NODES;
    }
    let mut thought = think(&mut field, moves, limits, &mut random);
    let known = knowable.and_then(|discs| perfect(discs, &mut thought));
    let (cell, value) = known.or_else(|| thought.pick(limits.margin, &mut random))?;
    Some(chosen(game, cell, thought.nodes, value))
}

fn chosen(game: &ConnectFour, cell: u8, nodes: u64, value: i32) -> Chosen<Move> {
    let column = u32::from(cell) / (game.shape.rows as u32 + 1);
    Chosen { mv: Move { column }, nodes, value }
}
