//! The position and rules of connect four.

use game::contract::{DiceRules, Ending, Outcome, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connect_four::bitboards::{Shape, perft};
use crate::connect_four::config::GameConfig;

/// A move: a disc dropped into a column.
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
    /// The size of the board.
    pub shape: Shape,
    /// The discs of each seat, as bitboards in the layout of [`bitboards`](crate::connect_four::bitboards).
    pub discs: [u128; 2],
    pub(super) side_to_move: Seat,
    pub(super) outcome: Option<Outcome>,
}

impl ConnectFour {
    /// Returns the position after the side to move drops a disc into a column that isn't full.
    pub(super) fn drop_disc(&self, column: usize) -> ConnectFour {
        let mut after = *self;
        let own = &mut after.discs[self.side_to_move.index()];
        *own |= self.shape.cell_mask(column, self.height(column));
        if self.shape.has_line(*own) {
            after.outcome = Some(Outcome::Won(self.side_to_move));
        } else if after.discs[0] | after.discs[1] == self.shape.all_cells::<u128>() {
            after.outcome = Some(Outcome::Draw);
        }
        after.side_to_move = self.side_to_move.other();
        after
    }

    /// Returns the owner of the disc in a cell, counted from 0 at the top left, row by row; `None` if it's free.
    pub fn disc(&self, cell: usize) -> Option<Seat> {
        let height = (self.shape.rows - 1).checked_sub(cell / self.shape.columns)?;
        let bit = self.shape.cell_mask(cell % self.shape.columns, height);
        Seat::BOTH.into_iter().find(|seat| self.discs[seat.index()] & bit != 0)
    }

    /// Returns the number of discs in a column.
    pub(super) fn height(&self, column: usize) -> usize {
        let taken = self.discs[0] | self.discs[1];
        (0..self.shape.rows).filter(|height| taken & self.shape.cell_mask(column, *height) != 0).count()
    }

    /// Returns the lowest free cell of a column; `None` if the column is full or doesn't exist.
    pub(super) fn landing_cell(&self, column: usize) -> Option<usize> {
        if column >= self.shape.columns {
            return None;
        }
        let height = self.height(column);
        if height < self.shape.rows { Some(self.cell_index(column, height)) } else { None }
    }

    /// Returns the index of the cell at this height of a column, from 0 at the top left, row by row.
    pub(super) fn cell_index(&self, column: usize, height: usize) -> usize {
        (self.shape.rows - 1 - height) * self.shape.columns + column
    }
}

impl Rules for ConnectFour {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<ConnectFour, InvalidState> {
        Ok(ConnectFour { shape: config.checked_shape()?, discs: [0; 2], side_to_move: Seat::First, outcome: None })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        let columns = if self.outcome.is_some() { 0 } else { self.shape.columns };
        (0..columns)
            .filter(|column| self.landing_cell(*column).is_some())
            .map(|column| Move { column: column as u32 })
            .collect()
    }

    fn play(&self, mv: &Move) -> ConnectFour {
        self.drop_disc(mv.column as usize)
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome?;
        let reason = match outcome {
            Outcome::Won(_) => format!("{} in a row", self.shape.k).into(),
            Outcome::Draw => "the board is full".into(),
        };
        Some(Ending { outcome, reason: Some(reason) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.outcome.is_some() {
            return 0;
        }
        let shape = self.shape;
        let [own, other] = [self.side_to_move, self.side_to_move.other()].map(|seat| self.discs[seat.index()]);
        if shape.bit_count() <= 64 {
            perft(&shape, [shape.bottom_row(), shape.all_cells()], own as u64, other as u64, depth)
        } else {
            perft(&shape, [shape.bottom_row(), shape.all_cells()], own, other, depth)
        }
    }
}

impl DiceRules for ConnectFour {}
