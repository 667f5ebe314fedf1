//! The state of a game: the discs, whose turn it is, and what comes of a disc.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::contract::Outcome;
use crate::game::rule::RuleError;
use crate::game::seat::Seat;
use crate::games::connect_four::config::GameConfig;
use crate::games::connect_four::discs::Shape;

/// A disc that is dropped into a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ConnectFourMove")]
pub struct Move {
    /// The column, from 0 at the left.
    pub column: u32,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectFour {
    /// The measures of the board.
    pub shape: Shape,
    /// The discs of both seats, as sets of cells.
    pub discs: [u128; 2],
    pub(super) to_move: Seat,
    pub(super) outcome: Option<Outcome>,
}

impl ConnectFour {
    /// Returns the position before the first move.
    pub(super) fn begun(config: &GameConfig) -> Result<ConnectFour, RuleError> {
        Ok(ConnectFour { shape: config.shape()?, discs: [0; 2], to_move: Seat::First, outcome: None })
    }

    /// Returns the completed lines of the winner, each as its cells: rows, columns, main diagonals, anti-diagonals.
    pub(super) fn lines(&self) -> Vec<Vec<usize>> {
        let Some(Outcome::Won(winner)) = self.outcome else { return Vec::new() };
        let (columns, rows, k) = (self.shape.columns, self.shape.rows, self.shape.k);
        let mut found = Vec::new();
        for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for start in 0..columns * rows {
                let along = |nth: usize| {
                    let column = (start % columns).checked_add_signed(right * nth as isize)?;
                    let row = start / columns + down * nth;
                    (column < columns && row < rows).then_some(row * columns + column)
                };
                let line: Option<Vec<usize>> = (0..k).map(along).collect();
                found.extend(line.filter(|line| line.iter().all(|cell| self.disc(*cell) == Some(winner))));
            }
        }
        found
    }

    /// Returns the position after a disc of the side on turn in a column with room.
    pub(super) fn dropped(&self, column: usize) -> ConnectFour {
        let mut after = *self;
        let own = &mut after.discs[self.to_move.index()];
        *own |= self.shape.bit(column, self.height(column));
        let won = self.shape.has_line(*own).then_some(Outcome::Won(self.to_move));
        let full = (after.discs[0] | after.discs[1] == self.shape.board::<u128>()).then_some(Outcome::Draw);
        after.outcome = won.or(full);
        after.to_move = self.to_move.other();
        after
    }

    /// Returns the owner of the disc on a cell, counted from 0 at the top left, row by row; `None` if it is free.
    pub fn disc(&self, cell: usize) -> Option<Seat> {
        let height = (self.shape.rows - 1).checked_sub(cell / self.shape.columns)?;
        let bit = self.shape.bit(cell % self.shape.columns, height);
        Seat::BOTH.into_iter().find(|seat| self.discs[seat.index()] & bit != 0)
    }

    /// Returns the number of discs in a column.
    pub(super) fn height(&self, column: usize) -> usize {
        let taken = self.discs[0] | self.discs[1];
        (0..self.shape.rows).filter(|height| taken & self.shape.bit(column, *height) != 0).count()
    }

    /// Returns the cell in which a disc comes to rest; `None` if the column is full, or is none.
    pub(super) fn rest(&self, column: usize) -> Option<usize> {
        let height = Some(column).filter(|column| *column < self.shape.columns).map(|column| self.height(column))?;
        (height < self.shape.rows).then(|| self.index(column, height))
    }

    /// Returns the cell at this height of a column, counted from 0 at the top left, row by row.
    pub(super) fn index(&self, column: usize, height: usize) -> usize {
        (self.shape.rows - 1 - height) * self.shape.columns + column
    }
}
