//! The computer: alpha-beta over the cells that complete a line; on the usual board the highest level is perfect.

mod search_board;

use game::contract::Engine;
use game::engine::{EngineMove, Level};

use crate::connect_four::computer::search_board::{SearchBoard, SearchTables};
use crate::connect_four::discs::{Mask, Shape};
use crate::connect_four::game::{ConnectFour, Move};
use crate::connect_four::perfect::analysis::{find_best_move, find_value};
use crate::connect_four::perfect::solver::Solver;
use crate::connect_four::perfect::standard_board::Discs;
use crate::connect_four::perfect::{book, opening_values};
use crate::search::alpha_beta::{Limits, PROVEN_WIN, SearchPosition, SearchResult, search};
use crate::search::random::Random;

/// The board of which all is known.
const STANDARD: Shape = Shape { columns: 7, rows: 6, k: 4 };
/// The most nodes of the solver, about a second's worth. Few positions need more, and only after a seat was handed over: there the
/// sketch alone decides.
const SOLVER_NODES: u64 = 10_000_000;
/// The nodes after which wins that are near are seen, and the order of the moves is good enough for the solver.
const PRESEARCH_NODES: u64 = 100_000;
/// The positions that the solver remembers, in 2 MB: what stays in the processor's cache is quicker than more would be.
const SOLVER_TABLE_SIZE: usize = 1 << 18;

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
    const ENGINE_VERSION: u32 = 5;

    const SCORE_SCALE: i32 = 38;

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        if self.outcome.is_some() {
            None
        } else if self.shape.bit_count() <= 64 {
            choose_by_search::<u64>(self, level, seed)
        } else {
            choose_by_search::<u128>(self, level, seed)
        }
    }
}

/// Returns the position, if the level is the highest and can find out what it is worth.
fn solvable_discs(game: &ConnectFour, level: Level) -> Option<Discs> {
    let taken = (game.discs[0] | game.discs[1]) as u64;
    let discs = Discs { own: game.discs[game.side_to_move.index()] as u64, taken };
    (level == Level::MAX && game.shape == STANDARD).then_some(discs)
}

/// Returns a move that keeps what the position is worth, and that worth. `None` if the sketch already sees the end, or if the
/// solver gives up.
fn perfect_move(discs: Discs, sketch: &mut SearchResult<u8>) -> Option<(u8, i32)> {
    let &(_, value) = sketch.moves.first()?;
    if value.abs() >= PROVEN_WIN {
        return None;
    }
    let cells: Vec<u64> = sketch.moves.iter().map(|(place, _)| 1 << place).collect();
    let (cell, worth) = book::look_up(discs)
        .or_else(|| opening_values::best_move(discs, &cells))
        .or_else(|| solve(discs, &cells, &mut sketch.nodes))?;
    Some((cell.trailing_zeros() as u8, worth * PROVEN_WIN))
}

/// Returns the first of these cells that the solver finds to keep what the position is worth, and that worth. Adds the nodes that
/// it looks at. `None` if it gives up.
fn solve(discs: Discs, cells: &[u64], nodes: &mut u64) -> Option<(u64, i32)> {
    let mut solver = Solver::new(SOLVER_TABLE_SIZE);
    let known = opening_values::value(discs).or_else(|| find_value(&mut solver, discs, -1, SOLVER_NODES));
    let found = known.and_then(|worth| {
        let left = SOLVER_NODES.saturating_sub(solver.nodes);
        Some((find_best_move(&mut solver, discs, cells, worth, left)?, worth))
    });
    *nodes += solver.nodes;
    found
}

fn choose_by_search<M: Mask>(game: &ConnectFour, level: Level, seed: u64) -> Option<EngineMove<Move>> {
    let ground = SearchTables::<M>::new(game.shape);
    let mut field = SearchBoard::new(&ground, game);
    // Who has learned the game today overlooks that the other side is about to win.
    field.ignores_threats = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    field.moves(&mut moves);
    let knowable = solvable_discs(game, level);
    let mut limits = limits(level);
    if knowable.is_some() {
        limits.nodes = PRESEARCH_NODES;
    }
    let mut thought = search(&mut field, moves, limits, &mut random);
    let known = knowable.and_then(|discs| perfect_move(discs, &mut thought));
    let (cell, value) = known.or_else(|| thought.pick(limits.margin, &mut random))?;
    Some(engine_move(game, cell, thought.nodes, value))
}

fn engine_move(game: &ConnectFour, cell: u8, nodes: u64, value: i32) -> EngineMove<Move> {
    let column = u32::from(cell) / (game.shape.rows as u32 + 1);
    EngineMove { mv: Move { column }, nodes, score: value }
}
