//! The connect four engine: an alpha-beta search. On the standard board, the highest level plays perfectly.

pub mod perfect;
mod search_board;

use game::contract::Engine;
use game::engine::{EngineMove, Level};

use crate::connect_four::bitboards::{Mask, Shape};
use crate::connect_four::computer::perfect::analysis::{find_best_move, find_value};
use crate::connect_four::computer::perfect::solver::Solver;
use crate::connect_four::computer::perfect::standard_board::Discs;
use crate::connect_four::computer::perfect::{book, opening_values};
use crate::connect_four::computer::search_board::{SearchBoard, SearchTables};
use crate::connect_four::game::{ConnectFour, Move};
use crate::search::alpha_beta::{Limits, PROVEN_WIN, SearchPosition, SearchResult, search};
use crate::search::random::Random;

/// The standard board, which the highest level solves.
const STANDARD: Shape = Shape { columns: 7, rows: 6, k: 4 };
/// The node budget of the solver, about a second. A few positions need more, but only if the computer takes over a seat in a
/// running game. Then the alpha-beta search decides.
const SOLVER_NODES: u64 = 10_000_000;
/// The node budget of the alpha-beta search before the solver: it finds short wins and orders the moves for the solver.
const PRESEARCH_NODES: u64 = 100_000;
/// The number of positions in the solver's table. It takes 2 MB, which fits into the processor's cache; a larger table is slower.
const SOLVER_TABLE_SIZE: usize = 1 << 18;

/// Returns the search limits of a level.
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

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        let mut limits = limits(level);
        let solvable = if level == Level::MAX { standard_discs(self) } else { None };
        if solvable.is_some() {
            limits.nodes = PRESEARCH_NODES;
        }
        choose_within(self, level, limits, solvable.map(|discs| (discs, SOLVER_NODES)), seed)
    }

    /// Gives half of the nodes to the solver if the board is the standard one.
    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Move>> {
        let solvable = standard_discs(self);
        let nodes = if solvable.is_some() { nodes / 2 } else { nodes };
        let limits = Limits { nodes, ..limits(Level::MAX) };
        choose_within(self, Level::MAX, limits, solvable.map(|discs| (discs, nodes)), 0)
    }
}

/// Chooses a move within these limits. `solvable` is the position for the solver and its node budget; `None` skips the solver.
fn choose_within(
    game: &ConnectFour,
    level: Level,
    limits: Limits,
    solvable: Option<(Discs, u64)>,
    seed: u64,
) -> Option<EngineMove<Move>> {
    if game.outcome.is_some() {
        None
    } else if game.shape.bit_count() <= 64 {
        choose_by_search::<u64>(game, level, limits, solvable, seed)
    } else {
        choose_by_search::<u128>(game, level, limits, solvable, seed)
    }
}

/// Returns the position if the board is the standard one.
fn standard_discs(game: &ConnectFour) -> Option<Discs> {
    if game.shape != STANDARD {
        return None;
    }
    let taken = (game.discs[0] | game.discs[1]) as u64;
    Some(Discs { own: game.discs[game.side_to_move.index()] as u64, taken })
}

/// Returns a move that keeps the position's value, and its score. `None` if the search result is already proven, or if the solver
/// gives up.
fn perfect_move(discs: Discs, solver_nodes: u64, result: &mut SearchResult<u8>) -> Option<(u8, i32)> {
    let &(_, value) = result.moves.first()?;
    if value.abs() >= PROVEN_WIN {
        return None;
    }
    let cells: Vec<u64> = result.moves.iter().map(|(bit, _)| 1 << bit).collect();
    let (cell, value) = book::look_up(discs)
        .or_else(|| opening_values::best_move(discs, &cells))
        .or_else(|| solve(discs, &cells, solver_nodes, &mut result.nodes))?;
    Some((cell.trailing_zeros() as u8, value * PROVEN_WIN))
}

/// Returns a cell that keeps the position's value, and the value. `None` if the solver gives up. Adds the solver's nodes to
/// `nodes`.
fn solve(discs: Discs, cells: &[u64], solver_nodes: u64, nodes: &mut u64) -> Option<(u64, i32)> {
    let mut solver = Solver::new(SOLVER_TABLE_SIZE);
    let value = opening_values::value(discs).or_else(|| find_value(&mut solver, discs, -1, solver_nodes));
    let found = value.and_then(|value| {
        let nodes_left = solver_nodes.saturating_sub(solver.nodes);
        Some((find_best_move(&mut solver, discs, cells, value, nodes_left)?, value))
    });
    *nodes += solver.nodes;
    found
}

fn choose_by_search<M: Mask>(
    game: &ConnectFour,
    level: Level,
    limits: Limits,
    solvable: Option<(Discs, u64)>,
    seed: u64,
) -> Option<EngineMove<Move>> {
    let tables = SearchTables::<M>::new(game.shape);
    let mut board = SearchBoard::new(&tables, game);
    // Like a beginner, the lowest level overlooks that its opponent is about to win.
    board.ignores_threats = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    board.moves(&mut moves);
    let mut result = search(&mut board, moves, limits, &mut random);
    let perfect = solvable.and_then(|(discs, nodes)| perfect_move(discs, nodes, &mut result));
    let (cell, score) = perfect.or_else(|| result.pick(limits.margin, &mut random))?;
    Some(engine_move(game, cell, result.nodes, score))
}

fn engine_move(game: &ConnectFour, cell: u8, nodes: u64, score: i32) -> EngineMove<Move> {
    let column = u32::from(cell) / (game.shape.rows as u32 + 1);
    EngineMove { mv: Move { column }, nodes, score }
}
