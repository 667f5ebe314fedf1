//! Tests of tic-tac-toe: the functions over plain data, and the game itself.

mod lines;
mod moves;
mod refusals;
mod tree;
mod written;

use game::contract::Interop;
use games::marks::{Cell, GameMode, Player};
use games::tic_tac_toe::config::GameConfig;
use games::tic_tac_toe::engine::{GameState, RequestedMove, apply_move, initial_state};
use games::tic_tac_toe::game::{Position, TicTacToe};

/// Parses a board: rows of `X`, `O` and `.`. Whitespace is ignored.
pub(crate) fn cells(board_text: &str) -> Vec<Cell> {
    let mark = |c| match c {
        'X' => Some(Player::X),
        'O' => Some(Player::O),
        _ => None,
    };
    board_text.chars().filter(|c| !c.is_whitespace()).map(mark).collect()
}

pub(crate) fn config(board_size: usize, k_in_row: usize) -> GameConfig {
    GameConfig { board_size, k_in_row, first_player: Player::X, mode: GameMode::HumanVsHuman }
}

/// Returns a state with this board. All other fields are those of a new game.
pub(crate) fn state_with_board(board_size: usize, k_in_row: usize, board_text: &str) -> GameState {
    let board = cells(board_text);
    GameState { board, ..initial_state(config(board_size, k_in_row), 1000).unwrap() }
}

pub(crate) fn requested_move(player: &str, position: i64) -> RequestedMove {
    RequestedMove { player: player.to_owned(), position, timestamp: 2000 }
}

pub(crate) fn play_all(config: GameConfig, positions: &[i64]) -> GameState {
    let mut state = initial_state(config, 1000).unwrap();
    for (nth, &position) in (0..).zip(positions) {
        let player = state.current_player.name().to_owned();
        state = apply_move(&state, &RequestedMove { player, position, timestamp: 2000 + nth }).unwrap();
    }
    state
}

pub(crate) fn game_with_board(size: usize, k: usize, board_text: &str, current_player: Player) -> TicTacToe {
    TicTacToe::from_position(&config(size, k), &Position { board: cells(board_text), current_player }).unwrap()
}
