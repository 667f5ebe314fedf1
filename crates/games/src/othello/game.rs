//! The rules of Othello.

use game::contract::{DiceRules, Ending, Outcome, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::othello::bitboards::{SIZE, START, flips, iter_cells, moves, perft};
use crate::othello::config::GameConfig;

/// A move: a disc placed on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OthelloMove")]
pub struct Move {
    /// The cell, counted from 0 at the top left, row by row.
    pub position: u32,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Othello {
    /// The discs of each seat.
    pub discs: [u64; 2],
    pub(super) side_to_move: Seat,
    /// The discs that the last move flipped. Not part of the serialized position.
    pub(super) flipped: u64,
    /// The side that had to pass after the last move. Not part of the serialized position.
    pub(super) passed: Option<Seat>,
}

impl Othello {
    /// Returns the owner of the disc on a cell, or `None` if the cell is free.
    pub fn owner(&self, cell: usize) -> Option<Seat> {
        let owns_cell = |seat: &Seat| cell < SIZE * SIZE && self.discs[seat.index()] >> cell & 1 == 1;
        Seat::BOTH.into_iter().find(owns_cell)
    }

    /// Returns the number of discs of each seat.
    pub fn disc_counts(&self) -> [u32; 2] {
        self.discs.map(u64::count_ones)
    }

    /// Returns the discs of the side to move and of its opponent.
    pub(super) fn sides(&self) -> [u64; 2] {
        [self.side_to_move, self.side_to_move.other()].map(|seat| self.discs[seat.index()])
    }

    /// Returns the discs that a move to a free cell flips.
    pub(super) fn flipped_by(&self, mv: &Move) -> u64 {
        let [own, other] = self.sides();
        if mv.position < 64 { flips(own, other, mv.position) } else { 0 }
    }
}

impl Rules for Othello {
    type Config = GameConfig;
    type Move = Move;

    fn start(_config: &GameConfig) -> Result<Othello, InvalidState> {
        Ok(Othello { discs: START, side_to_move: Seat::First, flipped: 0, passed: None })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        let [own, other] = self.sides();
        iter_cells(moves(own, other)).map(|position| Move { position }).collect()
    }

    fn play(&self, mv: &Move) -> Othello {
        let [own, other] = self.sides();
        let flipped = self.flipped_by(mv);
        let (own, other) = (own | flipped | 1 << mv.position, other & !flipped);
        let discs = if self.side_to_move == Seat::First { [own, other] } else { [other, own] };
        let next = self.side_to_move.other();
        let passes = moves(other, own) == 0 && moves(own, other) != 0;
        let (side_to_move, passed) = if passes { (self.side_to_move, Some(next)) } else { (next, None) };
        Othello { discs, side_to_move, flipped, passed }
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome()?;
        let reason = match outcome {
            Outcome::Draw => Some(format!("{} discs each", self.disc_counts()[0]).into()),
            Outcome::Won(_) => None,
        };
        Some(Ending { outcome, reason })
    }

    fn outcome(&self) -> Option<Outcome> {
        let [own, other] = self.sides();
        // `play` passes automatically, so the side to move can move unless the game is over.
        if moves(own, other) != 0 {
            return None;
        }
        Some(match self.disc_counts() {
            [black, white] if black > white => Outcome::Won(Seat::First),
            [black, white] if black < white => Outcome::Won(Seat::Second),
            _ => Outcome::Draw,
        })
    }

    /// Counts positions like [`perft`]: a pass isn't a ply, because the game passes automatically.
    fn perft(&self, depth: u32) -> u64 {
        let [own, other] = self.sides();
        if depth == 0 { 1 } else { perft(own, other, depth) }
    }
}

impl DiceRules for Othello {}
