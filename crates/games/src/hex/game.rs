//! The position and rules of Hex.

use std::collections::VecDeque;

use game::contract::{DiceRules, Ending, Outcome, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hex::bitboards::{CellSet, neighbors};
use crate::hex::config::GameConfig;

/// A move: a new stone, or a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "HexMove")]
pub struct Move {
    /// The cell, from 0 at the top left, row by row.
    pub position: u32,
    /// Whether the move takes over Red's first stone. The stone moves to `position`, its mirror image.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swap: bool,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hex {
    /// The length of a side.
    pub size: usize,
    /// Whether the game has the swap rule.
    pub(super) can_swap: bool,
    /// The stones of each seat.
    pub(super) stones: [CellSet; 2],
    /// The stones that are connected to their seat's first edge: Red's to the top, Blue's to the left.
    linked: [CellSet; 2],
    pub(super) side_to_move: Seat,
    pub(super) winner: Option<Seat>,
    /// Whether the last move was a swap. This isn't part of the position.
    pub(super) was_swapped: bool,
}

impl Hex {
    /// Places a stone, and updates the stones connected to the edge and the winner.
    pub(super) fn place_stone(&mut self, seat: Seat, cell: usize) {
        let (row, column) = (cell / self.size, cell % self.size);
        let (own, linked) = (&mut self.stones[seat.index()], &mut self.linked[seat.index()]);
        own.add(row, column);
        let distance = if seat == Seat::First { row } else { column };
        if distance == 0 || linked.touches(row, column) {
            linked.add(row, column);
            linked.flood_fill(own);
            let end = self.size - 1;
            let has_won = match seat {
                Seat::First => linked.0[end] != 0,
                Seat::Second => linked.0.iter().any(|row| row >> end & 1 == 1),
            };
            if has_won {
                self.winner = Some(seat);
            }
        }
    }

    /// Returns the owner of the stone in a cell, counted from 0 at the top left, row by row; `None` if it's free.
    pub fn stone(&self, cell: usize) -> Option<Seat> {
        let has = |seat: &Seat| self.stones[seat.index()].contains(cell / self.size, cell % self.size);
        Seat::BOTH.into_iter().find(has)
    }

    /// Returns the number of stones.
    pub(super) fn stone_count(&self) -> usize {
        self.stones.iter().map(|stones| stones.count() as usize).sum()
    }

    /// Returns the free cells, row by row from the top left.
    pub(super) fn free_cells(&self) -> impl Iterator<Item = usize> {
        (0..self.size * self.size).filter(|cell| self.stone(*cell).is_none())
    }

    /// Returns the move that takes over the first stone; `None` if it's illegal.
    pub(super) fn swap_move(&self) -> Option<Move> {
        if !self.can_swap || self.side_to_move == Seat::First || self.stone_count() != 1 || self.winner.is_some() {
            return None;
        }
        let stone = (0..self.size * self.size).find(|cell| self.stone(*cell) == Some(Seat::First))?;
        // The mirror image is as far from Blue's edges as the stone was from Red's.
        let mirrored = stone % self.size * self.size + stone / self.size;
        Some(Move { position: mirrored as u32, swap: true })
    }

    /// Returns the shortest chain between the winner's edges, starting at the top or left; `None` before the end.
    pub(super) fn winning_chain(&self) -> Option<Vec<usize>> {
        let (seat, size) = (self.winner?, self.size);
        let distance = |cell: usize| if seat == Seat::First { cell / size } else { cell % size };
        let is_own = |cell: &usize| self.stone(*cell) == Some(seat);
        // A breadth-first search. The parent of a cell at the first edge is the cell itself.
        let mut parents: Vec<Option<usize>> = vec![None; size * size];
        let mut queue: VecDeque<usize> = (0..size * size).filter(|cell| distance(*cell) == 0).filter(is_own).collect();
        queue.iter().for_each(|cell| parents[*cell] = Some(*cell));
        while let Some(cell) = queue.pop_front() {
            if distance(cell) == size - 1 {
                let parent = |cell: &usize| parents[*cell].filter(|parent| parent != cell);
                let mut chain: Vec<usize> = std::iter::successors(Some(cell), parent).collect();
                chain.reverse();
                return Some(chain);
            }
            let neighbors = neighbors(size, cell / size, cell % size).map(|(row, column)| row * size + column);
            for next in neighbors.filter(is_own) {
                if parents[next].is_none() {
                    parents[next] = Some(cell);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

impl Rules for Hex {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Hex, InvalidState> {
        Ok(Hex {
            size: config.checked_size()?,
            can_swap: config.swap,
            stones: [CellSet::default(); 2],
            linked: [CellSet::default(); 2],
            side_to_move: Seat::First,
            winner: None,
            was_swapped: false,
        })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.winner.is_some() {
            return Vec::new();
        }
        let cells = self.free_cells().map(|cell| Move { position: cell as u32, swap: false });
        cells.chain(self.swap_move()).collect()
    }

    fn play(&self, mv: &Move) -> Hex {
        let mut after = Hex { was_swapped: mv.swap, side_to_move: self.side_to_move.other(), ..*self };
        if mv.swap {
            (after.stones, after.linked) = Default::default();
        }
        after.place_stone(self.side_to_move, mv.position as usize);
        after
    }

    fn ending(&self) -> Option<Ending> {
        let reason = ["a chain from top to bottom", "a chain from left to right"][self.winner?.index()];
        Some(Ending { outcome: self.outcome()?, reason: Some(reason.into()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Won)
    }

    /// The last ply needs no moves played.
    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ if self.winner.is_some() => 0,
            1 => (self.size * self.size - self.stone_count() + usize::from(self.swap_move().is_some())) as u64,
            _ => self.legal_moves().iter().map(|mv| self.play(mv).perft(depth - 1)).sum(),
        }
    }
}

impl DiceRules for Hex {}
