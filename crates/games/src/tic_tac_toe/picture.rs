//! The board that people see.

use game::board::Board;
use game::board::grid::{Grid, Make};
use game::contract::Display;

use crate::marks::{LOOKS, Player};
use crate::tic_tac_toe::game::{Move, TicTacToe};
use crate::tic_tac_toe::lines;

impl Display for TicTacToe {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(Grid {
            columns: self.size,
            cells: (0..self.cells()).map(|index| self.mark(index).map(Player::piece)).collect(),
            looks: LOOKS,
            last: last.map(|mv| mv.position as usize).into_iter().collect(),
            changed: Vec::new(),
            lines: self.winning_lines(),
            make: Make::default(),
        })
    }

    fn cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.position as usize)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        lines::completed(self.size, self.k, |index| self.mark(index))
    }
}
