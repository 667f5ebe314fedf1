//! Shows a game as a board.

use game::board::Board;
use game::board::grid::{BoardStyle, Grid};
use game::contract::Display;

use crate::tic_tac_toe::game::{Move, TicTacToe};
use crate::tic_tac_toe::lines;
use crate::xo::{Player, STYLES};

impl Display for TicTacToe {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(Grid {
            columns: self.size,
            cells: (0..self.cell_count()).map(|index| self.mark(index).map(Player::piece)).collect(),
            styles: STYLES,
            last_move: last.map(|mv| mv.position as usize).into_iter().collect(),
            changed: Vec::new(),
            lines: self.winning_lines(),
            style: BoardStyle::default(),
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.position as usize)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        lines::completed_lines(self.size, self.k, |index| self.mark(index))
    }
}
