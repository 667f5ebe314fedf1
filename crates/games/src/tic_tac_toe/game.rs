//! The position and rules of tic-tac-toe.

use game::contract::{DiceRules, Ending, Outcome, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tic_tac_toe::config::{GameConfig, MIN_SIZE};
use crate::tic_tac_toe::lines::{MAX_SIZE, Marks};
use crate::xo::{Cell, NO_CELL_LEFT, Player, bits};

/// A position: one bitboard for each side, the side to move and the outcome.
///
/// Playing a move allocates nothing, and checks only the four lines through the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe {
    /// The marks of each side, by seat.
    pub(super) marks: [Marks; 2],
    pub(super) size: usize,
    pub(super) k: usize,
    pub(super) free_count: usize,
    pub(super) side_to_move: Seat,
    pub(super) outcome: Option<Outcome>,
}

/// A mark in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TicTacToeMove")]
pub struct Move {
    /// The cell, from 0 at the top left, row by row.
    pub position: u32,
}

impl Rules for TicTacToe {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<TicTacToe, InvalidState> {
        let &GameConfig { board_size: size, k_in_row: k, first_player, .. } = config;
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(InvalidState::unexpected("config.boardSize", size, &format!("{MIN_SIZE} to {MAX_SIZE}")));
        }
        if !(MIN_SIZE..=size).contains(&k) {
            return Err(InvalidState::unexpected(
                "config.kInRow",
                k,
                &format!("{MIN_SIZE} to {size} on {size}x{size} board"),
            ));
        }
        Ok(TicTacToe {
            marks: [Marks::default(); 2],
            size,
            k,
            free_count: size * size,
            side_to_move: first_player.into(),
            outcome: None,
        })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.free_cells().map(|index| Move { position: index as u32 }).collect()
    }

    fn play(&self, mv: &Move) -> TicTacToe {
        let index = mv.position as usize;
        let mut after = *self;
        after.place(index / self.size, index % self.size);
        after
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome?;
        let reason = match outcome {
            Outcome::Won(_) => format!("{} in a row", self.k).into(),
            Outcome::Draw => NO_CELL_LEFT.into(),
        };
        Some(Ending { outcome, reason: Some(reason) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Plays and takes back each move on one board, which is faster than copying it.
    fn perft(&self, depth: u32) -> u64 {
        perft_in_place(&mut self.clone(), depth)
    }
}

impl DiceRules for TicTacToe {}

impl TicTacToe {
    /// Returns the number of cells.
    pub fn cell_count(&self) -> usize {
        self.size * self.size
    }

    /// Returns the mark in a cell; `None` if it is free.
    pub fn mark(&self, index: usize) -> Cell {
        let has = |seat: &Seat| self.marks[seat.index()].has(index / self.size, index % self.size);
        Seat::BOTH.into_iter().find(has).map(Player::from)
    }

    /// Returns the free cells in order; none if the game is over.
    pub fn free_cells(&self) -> impl Iterator<Item = usize> {
        let rows = if self.outcome.is_some() { 0 } else { self.size };
        (0..rows).flat_map(move |row| bits(self.free_in_row(row)).map(move |column| row * self.size + column))
    }

    fn free_in_row(&self, row: usize) -> u32 {
        let [first, second] = &self.marks;
        !(first.row(row) | second.row(row)) & ((1 << self.size) - 1)
    }

    fn place(&mut self, row: usize, column: usize) {
        let mover = self.side_to_move;
        let marks = &mut self.marks[mover.index()];
        marks.flip(row, column);
        self.free_count -= 1;
        self.side_to_move = mover.other();
        self.outcome = if marks.is_in_line(row, column, self.k) {
            Some(Outcome::Won(mover))
        } else if self.free_count == 0 {
            Some(Outcome::Draw)
        } else {
            None
        };
    }

    fn take_back(&mut self, row: usize, column: usize) {
        self.side_to_move = self.side_to_move.other();
        self.marks[self.side_to_move.index()].flip(row, column);
        self.free_count += 1;
        self.outcome = None;
    }
}

/// Counts the positions `depth` plies ahead. Leaves the board unchanged.
fn perft_in_place(game: &mut TicTacToe, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.outcome.is_some() {
        return 0;
    }
    let mut count = 0;
    for row in 0..game.size {
        for column in bits(game.free_in_row(row)) {
            game.place(row, column);
            count += perft_in_place(game, depth - 1);
            game.take_back(row, column);
        }
    }
    count
}
