//! Ultimate tic-tac-toe through its two doors: the library over plain data, and the game that tables are played with.

mod library;
mod played;
mod written;

use game::contract::{Interop, Rules, apply_move};
use games::marks::{Cell, Player};
use games::ultimate_tic_tac_toe::engine::GameState;
use games::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use games::ultimate_tic_tac_toe::state::{ActiveBoards, GameConfig, Move, Position, SubBoardStatus};

pub(crate) fn start() -> UltimateTicTacToe {
    UltimateTicTacToe::start(&GameConfig::default()).unwrap()
}

/// The state before the first move.
pub(crate) fn state() -> GameState {
    GameState::from(&start())
}

pub(crate) fn active(boards: &[usize]) -> ActiveBoards {
    ActiveBoards::Boards(boards.to_vec())
}

/// The game after these moves, each written as board and cell: `40`.
#[track_caller]
pub(crate) fn played(moves: &str) -> UltimateTicTacToe {
    moves.split_whitespace().fold(start(), |game, mv| apply_move(&game, &place(mv)).unwrap())
}

/// A move that is written as board and cell.
pub(crate) fn place(written: &str) -> Move {
    let digit = |c: char| c.to_digit(10).unwrap();
    let mut digits = written.chars().map(digit);
    Move { board: digits.next().unwrap(), cell: digits.next().unwrap() }
}

/// Nine cells as one writes them: `X`, `O` and `.`.
pub(crate) fn cells(drawn: &str) -> [Cell; 9] {
    let mut marks = drawn.chars().map(|c| match c {
        'X' => Some(Player::X),
        'O' => Some(Player::O),
        _ => None,
    });
    std::array::from_fn(|_| marks.next().flatten())
}

/// A position with these boards (the rest is empty), X to move.
pub(crate) fn position(boards: &[(usize, &str, SubBoardStatus)], active_boards: ActiveBoards) -> Position {
    let mut position = Position { active_boards, ..start().position() };
    for &(board, drawn, status) in boards {
        position.boards[board] = cells(drawn);
        position.sub_board_statuses[board] = status;
    }
    position
}

pub(crate) fn at(position: &Position) -> UltimateTicTacToe {
    UltimateTicTacToe::from_position(&GameConfig::default(), position).unwrap()
}

/// O wins the top row; X has the bottom left.
pub(crate) const WON: &str = "30 08 82 20 01 17 71 11 12 26 61 14 45 57 74 41 55 56 62 23 34 46 60 04 42 75 52 00";
