//! Tests of tic-tac-toe.

mod lines;
mod moves;
mod refusals;
mod tree;
mod written;

use game::{Display, PositionJson, Rules, apply_move};
use games::tic_tac_toe::{GameConfig, Move, Position, TicTacToe};
use games::{Cell, GameMode, Mark};

/// Parses a board: rows of `X`, `O` and `.`. Whitespace is ignored.
pub(crate) fn cells(board_text: &str) -> Vec<Cell> {
    let mark = |c| match c {
        'X' => Some(Mark::X),
        'O' => Some(Mark::O),
        _ => None,
    };
    board_text.chars().filter(|c| !c.is_whitespace()).map(mark).collect()
}

pub(crate) fn config(board_size: usize, k_in_row: usize) -> GameConfig {
    GameConfig { board_size, k_in_row, first_player: Mark::X, mode: GameMode::HumanVsHuman }
}

/// Returns the game after marks in these cells, by turns.
#[track_caller]
pub(crate) fn play_all(config: GameConfig, positions: &[u32]) -> TicTacToe {
    let start = TicTacToe::start(&config).unwrap();
    positions.iter().fold(start, |game, &position| apply_move(&game, &Move { position }).unwrap())
}

pub(crate) fn game_with_board(size: usize, k: usize, board_text: &str, current_player: Mark) -> TicTacToe {
    game_with_cells(size, k, cells(board_text), current_player)
}

pub(crate) fn game_with_cells(size: usize, k: usize, board: Vec<Cell>, current_player: Mark) -> TicTacToe {
    TicTacToe::from_position(&config(size, k), &Position { board, current_player }).unwrap()
}

/// Returns every line of a board: those that are complete if all cells have the same mark.
pub(crate) fn all_lines(size: usize, k: usize) -> Vec<Vec<usize>> {
    game_with_board(size, k, &"X".repeat(size * size), Mark::X).winning_lines()
}
