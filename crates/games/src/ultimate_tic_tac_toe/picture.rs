//! The board that people see.

use game::board::Board;
use game::contract::Display;
use game::seat::Seat;

use crate::marks::Player;
use crate::tic_tac_toe::lines;
use crate::ultimate_tic_tac_toe::boards::{Boards, Fate};
use crate::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use crate::ultimate_tic_tac_toe::state::{Move, SubBoardStatus};
use crate::ultimate_tic_tac_toe::words;

impl Display for UltimateTicTacToe {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let playable = self.playable();
        let fate = |board| match self.status(board) {
            SubBoardStatus::InProgress if playable >> board & 1 == 1 => Fate::Active,
            SubBoardStatus::InProgress => Fate::Waiting,
            SubBoardStatus::WonX => Fate::Won(Seat::First),
            SubBoardStatus::WonO => Fate::Won(Seat::Second),
            SubBoardStatus::Draw => Fate::Drawn,
        };
        let mark = |index| {
            let Move { board, cell } = words::at(index);
            self.mark(board as usize, cell as usize).map(Player::piece)
        };
        Box::new(Boards {
            cells: (0..81).map(mark).collect(),
            fates: (0..9).map(fate).collect(),
            last: last.and_then(words::index).into_iter().collect(),
            lines: self.winning_lines(),
        })
    }

    fn cell(&self, mv: &Move) -> Option<usize> {
        words::index(mv)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        lines::completed(3, 3, |board| self.owner(board))
    }
}
