//! Tic-tac-toe through its two doors: the library over plain data, and the game that tables are played with.

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

/// A board as one writes it: rows of `X`, `O` and `.`, spaces as one likes.
pub(crate) fn cells(drawn: &str) -> Vec<Cell> {
    let mark = |c| match c {
        'X' => Some(Player::X),
        'O' => Some(Player::O),
        _ => None,
    };
    drawn.chars().filter(|c| !c.is_whitespace()).map(mark).collect()
}

pub(crate) fn config(board_size: usize, k_in_row: usize) -> GameConfig {
    GameConfig { board_size, k_in_row, first_player: Player::X, mode: GameMode::HumanVsHuman }
}

/// A state whose board says more than its other fields: X to move, nothing played, going on.
pub(crate) fn state(board_size: usize, k_in_row: usize, drawn: &str) -> GameState {
    let board = cells(drawn);
    GameState { board, ..initial_state(config(board_size, k_in_row), 1000).unwrap() }
}

pub(crate) fn mv(player: &str, position: i64) -> RequestedMove {
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

pub(crate) fn game(size: usize, k: usize, drawn: &str, to_move: Player) -> TicTacToe {
    TicTacToe::from_position(&config(size, k), &Position { board: cells(drawn), current_player: to_move }).unwrap()
}
