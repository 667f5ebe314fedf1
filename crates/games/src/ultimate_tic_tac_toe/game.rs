//! The position and rules of ultimate tic-tac-toe.

use game::contract::{Display, Ending, Interop, Outcome, Rules};
use game::rule::RuleError;
use game::seat::Seat;
use serde_json::json;

use crate::marks::{Cell, Player, bits};
use crate::ultimate_tic_tac_toe::rule::{ALL, MoveError, has_line, next_active};
use crate::ultimate_tic_tac_toe::state::{ActiveBoards, GameConfig, Move, Position, SubBoardStatus};

/// A position, stored as masks of nine bits. Playing a move allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UltimateTicTacToe {
    /// The marks of each side on each board, by seat.
    marks: [[u16; 9]; 2],
    /// The boards that each side has won, by seat.
    won: [u16; 2],
    /// The boards that are full without a winner.
    drawn: u16,
    /// The boards that the next mark may go to. [`ALL`] includes complete boards, and 0 means that the game is over.
    pub(super) active: u16,
    pub(super) side_to_move: Seat,
    pub(super) outcome: Option<Outcome>,
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
    fn taken(&self, board: usize) -> u16 {
        self.marks[0][board] | self.marks[1][board]
    }

    /// Returns the free cells of a board.
    pub(super) fn free_cells(&self, board: usize) -> u32 {
        (!self.taken(board) & ALL).into()
    }

    /// Returns the first rule that a move breaks, or `None` if it's legal.
    pub(super) fn move_error(&self, mv: &Move) -> Option<MoveError> {
        let (board, cell) = (mv.board as usize, mv.cell as usize);
        let has = |mask: u16, index: usize| mask >> index & 1 == 1;
        if self.outcome.is_some() {
            Some(MoveError::GameOver)
        } else if board >= 9 || cell >= 9 {
            Some(MoveError::OutOfRange)
        } else if !has(self.active, board) {
            Some(MoveError::InactiveBoard)
        } else if has(self.complete(), board) {
            Some(MoveError::CompleteBoard)
        } else if has(self.taken(board), cell) {
            Some(MoveError::OccupiedCell)
        } else {
            None
        }
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

    /// Sets the status of a board.
    ///
    /// # Errors
    /// Returns `INVALID_STATE` if the board's cells contradict the status.
    fn set_status(&mut self, board: usize, status: SubBoardStatus) -> Result<(), RuleError> {
        let [x, o] = [0, 1].map(|seat| has_line(self.marks[seat][board]));
        let is_full = self.taken(board) == ALL;
        let expected = match (x, o) {
            (true, true) if status == SubBoardStatus::WonO => SubBoardStatus::WonO,
            (true, _) => SubBoardStatus::WonX,
            (_, true) => SubBoardStatus::WonO,
            _ if is_full => SubBoardStatus::Draw,
            _ => SubBoardStatus::InProgress,
        };
        if status != expected {
            let expected = format!("{expected} on these cells");
            return Err(RuleError::invalid_state(&format!("subBoardStatuses[{board}]"), json!(status), &expected));
        }
        match status {
            SubBoardStatus::WonX => self.won[0] |= 1 << board,
            SubBoardStatus::WonO => self.won[1] |= 1 << board,
            SubBoardStatus::Draw => self.drawn |= 1 << board,
            SubBoardStatus::InProgress => {}
        }
        Ok(())
    }

    /// Returns the active boards of a position as a mask.
    ///
    /// # Errors
    /// Returns `INVALID_STATE` if the rest of the position contradicts them.
    fn check_active_boards(&self, active_boards: &ActiveBoards) -> Result<u16, RuleError> {
        let invalid = |expected: &str| Err(RuleError::invalid_state("activeBoards", json!(active_boards), expected));
        let ActiveBoards::Boards(list) = active_boards else {
            return if self.outcome.is_none() { Ok(ALL) } else { invalid("[] after the end") };
        };
        let in_progress = |board: &usize| *board < 9 && self.complete() >> board & 1 == 0;
        match (self.outcome, list.is_empty()) {
            (Some(_), true) => Ok(0),
            (Some(_), false) => invalid("[] after the end"),
            (None, false) if list.iter().all(in_progress) => Ok(active_boards.mask()),
            (None, _) => invalid("\"all\" or a list of boards in progress"),
        }
    }
}

impl Rules for UltimateTicTacToe {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<UltimateTicTacToe, RuleError> {
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

impl Interop for UltimateTicTacToe {
    type Position = Position;

    /// Returns the game at a position. The statuses and active boards must agree with the cells.
    ///
    /// If both sides have a line on a board, its status decides who won it. If both sides have a line of boards, the first one in
    /// the order of [`lines`](crate::tic_tac_toe::lines::lines) wins.
    fn from_position(config: &GameConfig, position: &Position) -> Result<UltimateTicTacToe, RuleError> {
        let mut game = UltimateTicTacToe::start(config)?;
        game.side_to_move = position.current_player.into();
        for (board, (cells, status)) in position.boards.iter().zip(position.sub_board_statuses).enumerate() {
            for (cell, &player) in cells.iter().enumerate() {
                if let Some(player) = player {
                    game.marks[Seat::from(player).index()][board] |= 1 << cell;
                }
            }
            game.set_status(board, status)?;
        }
        let winner = game.winning_lines().first().and_then(|line| game.owner(line[0]));
        game.outcome = match winner {
            Some(player) => Some(Outcome::Won(player.into())),
            None if game.complete() == ALL => Some(Outcome::Draw),
            None => None,
        };
        game.active = game.check_active_boards(&position.active_boards)?;
        Ok(game)
    }

    fn position(&self) -> Position {
        Position {
            boards: std::array::from_fn(|board| std::array::from_fn(|cell| self.mark(board, cell))),
            sub_board_statuses: std::array::from_fn(|board| self.status(board)),
            active_boards: ActiveBoards::from_mask(self.active),
            current_player: self.side_to_move.into(),
        }
    }
}
