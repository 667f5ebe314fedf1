//! The position and rules of ultimate tic-tac-toe.

use std::fmt;

use game::contract::{DiceRules, Ending, Outcome, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ultimate_tic_tac_toe::bitboards::{ALL, has_line, next_active};
use crate::ultimate_tic_tac_toe::config::GameConfig;
use crate::xo::{Cell, Player, bits};

/// A move: a mark in a cell of a board. Boards and cells are numbered from 0 at the top left, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeMove")]
pub struct Move {
    /// The board, 0 to 8.
    pub board: u32,
    /// The cell of that board, 0 to 8.
    pub cell: u32,
}

/// The status of one of the nine boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SubBoardStatus {
    /// Neither side has three in a row, and a cell is free.
    #[default]
    InProgress,
    /// X has three in a row.
    WonX,
    /// O has three in a row.
    WonO,
    /// The board is full, and neither side has three in a row. It counts for neither side.
    Draw,
}

/// A position, stored as masks of nine bits. Playing a move allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UltimateTicTacToe {
    /// The marks of each side on each board, by seat.
    pub(super) marks: [[u16; 9]; 2],
    /// The boards that each side has won, by seat.
    pub(super) won: [u16; 2],
    /// The boards that are full without a winner.
    pub(super) drawn: u16,
    /// The boards that the next mark may go to. [`ALL`] includes complete boards, and 0 means that the game is over.
    pub(super) active: u16,
    pub(super) side_to_move: Seat,
    pub(super) outcome: Option<Outcome>,
}

impl fmt::Display for SubBoardStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SubBoardStatus::InProgress => "in-progress",
            SubBoardStatus::WonX => "won-x",
            SubBoardStatus::WonO => "won-o",
            SubBoardStatus::Draw => "draw",
        })
    }
}

impl UltimateTicTacToe {
    /// Returns the mark in a cell of a board; `None` if the cell is free or out of range.
    pub fn mark(&self, board: usize, cell: usize) -> Cell {
        let has = |seat: &Seat| {
            let marks = self.marks[seat.index()].get(board).copied().unwrap_or(0);
            cell < 9 && marks >> cell & 1 == 1
        };
        Seat::BOTH.into_iter().find(has).map(Player::from)
    }

    /// Returns the status of a board.
    pub fn status(&self, board: usize) -> SubBoardStatus {
        match self.owner(board) {
            Some(Player::X) => SubBoardStatus::WonX,
            Some(Player::O) => SubBoardStatus::WonO,
            None if board < 9 && self.drawn >> board & 1 == 1 => SubBoardStatus::Draw,
            None => SubBoardStatus::InProgress,
        }
    }

    /// Returns the winner of a board.
    pub(super) fn owner(&self, board: usize) -> Cell {
        let has = |seat: &Seat| board < 9 && self.won[seat.index()] >> board & 1 == 1;
        Seat::BOTH.into_iter().find(has).map(Player::from)
    }

    /// Returns the boards that are won or drawn.
    pub(super) fn complete(&self) -> u16 {
        self.won[0] | self.won[1] | self.drawn
    }

    /// Returns the boards that the next mark can go into.
    pub(super) fn playable(&self) -> u32 {
        (self.active & !self.complete()).into()
    }

    /// Returns the marks of each side on a board, by seat.
    pub(super) fn marks_on(&self, board: usize) -> [u16; 2] {
        self.marks.map(|marks| marks[board])
    }

    /// Returns the occupied cells of a board.
    pub(super) fn taken(&self, board: usize) -> u16 {
        self.marks[0][board] | self.marks[1][board]
    }

    /// Returns the free cells of a board.
    pub(super) fn free_cells(&self, board: usize) -> u32 {
        (!self.taken(board) & ALL).into()
    }

    /// Plays a legal move.
    pub(super) fn place(&mut self, board: usize, cell: usize) {
        let mover = self.side_to_move;
        let own = mover.index();
        self.side_to_move = mover.other();
        self.marks[own][board] |= 1 << cell;
        if has_line(self.marks[own][board]) {
            self.won[own] |= 1 << board;
            if has_line(self.won[own]) {
                self.outcome = Some(Outcome::Won(mover));
                self.active = 0;
                return;
            }
        } else if self.taken(board) == ALL {
            self.drawn |= 1 << board;
        }
        let complete = self.complete();
        if complete == ALL {
            self.outcome = Some(Outcome::Draw);
            self.active = 0;
        } else {
            self.active = next_active(cell, complete);
        }
    }
}

impl Rules for UltimateTicTacToe {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<UltimateTicTacToe, InvalidState> {
        Ok(UltimateTicTacToe {
            marks: [[0; 9]; 2],
            won: [0; 2],
            drawn: 0,
            active: ALL,
            side_to_move: config.first_player.into(),
            outcome: None,
        })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    /// Returns the legal moves, board by board.
    fn legal_moves(&self) -> Vec<Move> {
        let moves =
            |board| bits(self.free_cells(board)).map(move |cell| Move { board: board as u32, cell: cell as u32 });
        bits(self.playable()).flat_map(moves).collect()
    }

    fn play(&self, mv: &Move) -> UltimateTicTacToe {
        let mut after = *self;
        after.place(mv.board as usize, mv.cell as usize);
        after
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome?;
        let reason = match outcome {
            Outcome::Won(_) => "three boards in a row",
            Outcome::Draw => "every board is finished",
        };
        Some(Ending { outcome, reason: Some(reason.into()) })
    }

    /// Iterates over the masks, which needs no list of moves.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        for board in bits(self.playable()) {
            for cell in bits(self.free_cells(board)) {
                let mut after = *self;
                after.place(board, cell);
                count += after.perft(depth - 1);
            }
        }
        count
    }
}

impl DiceRules for UltimateTicTacToe {}
