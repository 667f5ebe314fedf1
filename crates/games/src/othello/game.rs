//! The state of a game: the discs, whose turn it is, and what comes of a disc.

use game::contract::{Ending, Outcome, Rules};
use game::rule::RuleError;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::othello::discs::{SIZE, START, flips, iter_cells, moves, perft};

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
    pub(super) side_to_move: Seat,
    /// The discs that the last move has turned over. They follow from what happened and are no part of the position.
    pub(super) flipped: u64,
    /// The side that could not move after it, where the other one can; no part of the position, either.
    pub(super) passed: Option<Seat>,
}

impl Othello {
    /// Returns the owner of the disc on a cell, counted from 0 at the top left, row by row; `None` if it is free.
    pub fn owner(&self, cell: usize) -> Option<Seat> {
        let has = |seat: &Seat| cell < SIZE * SIZE && self.discs[seat.index()] >> cell & 1 == 1;
        Seat::BOTH.into_iter().find(has)
    }

    /// Returns the number of discs of each seat.
    pub fn disc_counts(&self) -> [u32; 2] {
        self.discs.map(u64::count_ones)
    }

    /// Returns the discs of the side on turn, and of the other one.
    pub(super) fn sides(&self) -> [u64; 2] {
        [self.side_to_move, self.side_to_move.other()].map(|seat| self.discs[seat.index()])
    }

    /// Returns the discs that a move to a free cell turns over.
    pub(super) fn flipped_by(&self, mv: &Move) -> u64 {
        let [own, other] = self.sides();
        if mv.position < 64 { flips(own, other, mv.position) } else { 0 }
    }
}

impl Rules for Othello {
    type Config = GameConfig;
    type Move = Move;

    fn start(_config: &GameConfig) -> Result<Othello, RuleError> {
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
        let turned = self.flipped_by(mv);
        let (own, other) = (own | turned | 1 << mv.position, other & !turned);
        let discs = if self.side_to_move == Seat::First { [own, other] } else { [other, own] };
        let next = self.side_to_move.other();
        let passes = moves(other, own) == 0 && moves(own, other) != 0;
        let (to_move, passed) = if passes { (self.side_to_move, Some(next)) } else { (next, None) };
        Othello { discs, side_to_move: to_move, flipped: turned, passed }
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome()?;
        let each = || format!("{} discs each", self.disc_counts()[0]).into();
        Some(Ending { outcome, reason: (outcome == Outcome::Draw).then(each) })
    }

    fn outcome(&self) -> Option<Outcome> {
        let [own, other] = self.sides();
        // A side that cannot move has passed already, so whoever is on turn can move unless it is over.
        (moves(own, other) == 0).then(|| match self.disc_counts() {
            [black, white] if black > white => Outcome::Won(Seat::First),
            [black, white] if black < white => Outcome::Won(Seat::Second),
            _ => Outcome::Draw,
        })
    }

    /// Counts passes as no ply, as they are none at a table.
    fn perft(&self, depth: u32) -> u64 {
        let [own, other] = self.sides();
        if depth == 0 { 1 } else { perft(own, other, depth) }
    }
}
