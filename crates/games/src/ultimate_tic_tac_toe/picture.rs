//! Shows a game as a board.

use game::board::Board;
use game::contract::Display;
use game::seat::Seat;

use crate::marks::Player;
use crate::tic_tac_toe::lines;
use crate::ultimate_tic_tac_toe::boards::{BoardStatus, UltimateBoard};
use crate::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use crate::ultimate_tic_tac_toe::notation;
use crate::ultimate_tic_tac_toe::state::{Move, SubBoardStatus};

impl Display for UltimateTicTacToe {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let playable = self.playable();
        let status = |board| match self.status(board) {
            SubBoardStatus::InProgress if playable >> board & 1 == 1 => BoardStatus::Active,
            SubBoardStatus::InProgress => BoardStatus::Inactive,
            SubBoardStatus::WonX => BoardStatus::Won(Seat::First),
            SubBoardStatus::WonO => BoardStatus::Won(Seat::Second),
            SubBoardStatus::Draw => BoardStatus::Drawn,
        };
        let mark = |index| {
            let Move { board, cell } = notation::move_at(index);
            self.mark(board as usize, cell as usize).map(Player::piece)
        };
        Box::new(UltimateBoard {
            cells: (0..81).map(mark).collect(),
            statuses: (0..9).map(status).collect(),
            last_move: last.and_then(notation::cell_index).into_iter().collect(),
            lines: self.winning_lines(),
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        notation::cell_index(mv)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        lines::completed_lines(3, 3, |board| self.owner(board))
    }
}
