//! Tests of ultimate tic-tac-toe.

mod played;
mod written;

use game::{PositionJson, Rules, apply_move};
use games::ultimate_tic_tac_toe::{ActiveBoards, GameConfig, Move, Position, SubBoardStatus, UltimateTicTacToe};
use games::{Cell, Mark};

pub(crate) fn start() -> UltimateTicTacToe {
    UltimateTicTacToe::start(&GameConfig::default()).unwrap()
}

pub(crate) fn active(boards: &[usize]) -> ActiveBoards {
    ActiveBoards::Boards(boards.to_vec())
}

/// Returns the game after these moves. Each is a board and a cell: `40`.
#[track_caller]
pub(crate) fn after_moves(moves: &str) -> UltimateTicTacToe {
    moves.split_whitespace().fold(start(), |game, mv| apply_move(&game, &parse_pair(mv)).unwrap())
}

/// Parses a move from the digits of its board and cell: `40`.
pub(crate) fn parse_pair(text: &str) -> Move {
    let mut digits = text.chars().map(|c| c.to_digit(10).unwrap());
    Move { board: digits.next().unwrap(), cell: digits.next().unwrap() }
}

/// Parses the nine cells of a board: `X`, `O` and `.`.
pub(crate) fn cells(text: &str) -> [Cell; 9] {
    let mut marks = text.chars().map(|c| match c {
        'X' => Some(Mark::X),
        'O' => Some(Mark::O),
        _ => None,
    });
    std::array::from_fn(|_| marks.next().flatten())
}

/// Returns a position with these boards and X to move. The other boards are empty.
pub(crate) fn position(boards: &[(usize, &str, SubBoardStatus)], active_boards: ActiveBoards) -> Position {
    let mut position = Position { active_boards, ..start().position() };
    for &(board, text, status) in boards {
        position.boards[board] = cells(text);
        position.sub_board_statuses[board] = status;
    }
    position
}

pub(crate) fn game_at(position: &Position) -> UltimateTicTacToe {
    UltimateTicTacToe::from_position(&GameConfig::default(), position).unwrap()
}

/// The moves of a game that O wins with the top row. X has won the bottom-left board.
pub(crate) const WON: &str = "30 08 82 20 01 17 71 11 12 26 61 14 45 57 74 41 55 56 62 23 34 46 60 04 42 75 52 00";
