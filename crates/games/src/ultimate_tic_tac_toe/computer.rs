//! The ultimate tic-tac-toe engine: an alpha-beta search that evaluates the probability of three boards in a row.

mod chances;
mod search_board;

use game::contract::Engine;
use game::engine::{EngineMove, Level};

use crate::search::alpha_beta::{Limits, SearchPosition, search};
use crate::search::random::Random;
use crate::ultimate_tic_tac_toe::computer::search_board::{SearchBoard, SearchTables};
use crate::ultimate_tic_tac_toe::game::Move;
use crate::ultimate_tic_tac_toe::game::UltimateTicTacToe;

/// Returns the search limits of a level.
fn limits(level: Level) -> Limits {
    let (depth, nodes, margin) = match level.number() {
        1 => (1, 1_000, 0),
        2 => (2, 2_000, 7_000),
        3 => (2, 5_000, 1_100),
        4 => (4, 20_000, 120),
        5 => (6, 60_000, 60),
        6 => (8, 150_000, 30),
        7 => (20, 500_000, 10),
        _ => (81, 2_000_000, 0),
    };
    Limits { nodes, depth, margin }
}

impl Engine for UltimateTicTacToe {
    const ENGINE_VERSION: u32 = 3;

    const SCORE_SCALE: i32 = 4_445;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Self::Move>> {
        choose_within(*self, level, limits(level), seed)
    }

    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Self::Move>> {
        choose_within(*self, Level::MAX, Limits { nodes, ..limits(Level::MAX) }, 0)
    }
}

/// Chooses a move within these limits. The lowest level sees only single boards.
fn choose_within(game: UltimateTicTacToe, level: Level, limits: Limits, seed: u64) -> Option<EngineMove<Move>> {
    let tables = SearchTables::new();
    let mut board = SearchBoard::new(&tables, game);
    // Like a beginner, the lowest level plays nine games of tic-tac-toe.
    board.counts_single_boards = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    board.moves(&mut moves);
    let result = search(&mut board, moves, limits, &mut random);
    let (cell, score) = result.pick(limits.margin, &mut random)?;
    let mv = Move { board: u32::from(cell / 9), cell: u32::from(cell % 9) };
    Some(EngineMove { mv, nodes: result.nodes, score })
}
