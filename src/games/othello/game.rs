//! The state of a game: the discs, whose turn it is, and what comes of a disc.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::seat::Seat;
use crate::games::othello::discs::{SIZE, flips, moves};

/// The settings of a game: there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OthelloConfig")]
pub struct GameConfig {}

/// A disc that is put on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OthelloMove")]
pub struct Move {
    /// The cell, from 0 at the top left, row by row.
    pub position: u32,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Othello {
    /// The discs of both seats, as sets of cells.
    pub discs: [u64; 2],
    pub(super) to_move: Seat,
    /// The discs that the last move has turned over. They follow from what happened and are no part of the position.
    pub(super) turned: u64,
    /// The side that could not move after it, where the other one can; no part of the position, either.
    pub(super) passed: Option<Seat>,
}

impl Othello {
    /// Returns the position after a legal move.
    pub(super) fn after(&self, mv: &Move) -> Othello {
        let [own, other] = self.sides();
        let turned = self.flipped(mv);
        let (own, other) = (own | turned | 1 << mv.position, other & !turned);
        let discs = if self.to_move == Seat::First { [own, other] } else { [other, own] };
        let next = self.to_move.other();
        let passes = moves(other, own) == 0 && moves(own, other) != 0;
        let (to_move, passed) = if passes { (self.to_move, Some(next)) } else { (next, None) };
        Othello { discs, to_move, turned, passed }
    }

    /// Returns the owner of the disc on a cell, counted from 0 at the top left, row by row; `None` if it is free.
    pub fn disc(&self, cell: usize) -> Option<Seat> {
        let has = |seat: &Seat| cell < SIZE * SIZE && self.discs[seat.index()] >> cell & 1 == 1;
        Seat::BOTH.into_iter().find(has)
    }

    /// Returns the number of discs of each seat.
    pub fn counts(&self) -> [u32; 2] {
        self.discs.map(u64::count_ones)
    }

    /// Returns the discs of the side on turn, and of the other one.
    pub(super) fn sides(&self) -> [u64; 2] {
        [self.to_move, self.to_move.other()].map(|seat| self.discs[seat.index()])
    }

    /// Returns the discs that a move to a free cell turns over.
    pub(super) fn flipped(&self, mv: &Move) -> u64 {
        let [own, other] = self.sides();
        if mv.position < 64 { flips(own, other, mv.position) } else { 0 }
    }
}
