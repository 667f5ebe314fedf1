//! The nine boards with incrementally updated winning probabilities.

use game::contract::Outcome;
use game::seat::Seat;

use crate::search::alpha_beta::{SearchPosition, Tuning};
use crate::search::random::Random;
use crate::ultimate_tic_tac_toe::computer::chances::ChanceTable;
use crate::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use crate::xo::bits;

/// The lines of three boards.
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The values of a mark in each cell of a board for [`SearchBoard::counts_single_boards`], in the unit of the probabilities.
const CELL_VALUES: [i32; 9] = [400, 200, 400, 200, 600, 200, 400, 200, 400];

/// Tables that stay the same during a search.
pub(super) struct SearchTables {
    chances: ChanceTable,
    /// The Zobrist keys of each seat and cell, then of each set of active boards.
    zobrist_keys: Vec<u64>,
}

impl SearchTables {
    pub(super) fn new() -> SearchTables {
        let mut random = Random::new(9);
        SearchTables {
            chances: ChanceTable::new(),
            zobrist_keys: (0..2 * 81 + 512).map(|_| random.next_u64()).collect(),
        }
    }
}

/// A position with the data that the search needs.
#[derive(Clone, Copy)]
pub(super) struct SearchBoard<'a> {
    tables: &'a SearchTables,
    pub(super) state: State,
    /// Whether to evaluate each board separately and to prefer central cells, even though they often send the opponent to the
    /// middle board.
    pub(super) counts_single_boards: bool,
}

/// The part of a [`SearchBoard`] that changes with every move.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) game: UltimateTicTacToe,
    /// The winning probabilities of both seats on each board.
    chances: [[i16; 9]; 2],
    /// The Zobrist hash of the marks.
    marks_key: u64,
}

impl<'a> SearchBoard<'a> {
    pub(super) fn new(tables: &'a SearchTables, game: UltimateTicTacToe) -> SearchBoard<'a> {
        let state = State { game, chances: [[0; 9]; 2], marks_key: 0 };
        let mut search_board = SearchBoard { tables, state, counts_single_boards: false };
        for board in 0..9 {
            search_board.update_chances(board);
            for (seat, set) in game.marks_on(board).into_iter().enumerate() {
                for cell in bits(set.into()) {
                    search_board.state.marks_key ^= tables.zobrist_keys[seat * 81 + board * 9 + cell];
                }
            }
        }
        search_board
    }

    /// Returns the sum of a side's probabilities of winning each board, plus the values of its cells.
    fn value_of_single_boards(&self, seat: Seat) -> i32 {
        let chances = self.state.chances[seat.index()].iter().map(|chance| i32::from(*chance));
        let marks = (0..9).flat_map(|board| bits(self.state.game.marks_on(board)[seat.index()].into()));
        chances.sum::<i32>() + marks.map(|cell| CELL_VALUES[cell]).sum::<i32>()
    }

    /// Updates the winning probabilities of a board.
    fn update_chances(&mut self, board: usize) {
        let [first, second] = self.tables.chances.look_up(self.state.game.marks_on(board));
        self.state.chances[0][board] = first;
        self.state.chances[1][board] = second;
    }
}

impl SearchPosition for SearchBoard<'_> {
    /// The board times nine plus the cell.
    type Move = u8;
    type Undo = State;

    const TUNING: Tuning = Tuning::without_lmr(81);

    fn moves(&self, found: &mut Vec<u8>) {
        for board in bits(self.state.game.playable()) {
            found.extend(bits(self.state.game.free_cells(board)).map(|cell| (board * 9 + cell) as u8));
        }
    }

    fn history_slot(mv: u8) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u8) -> State {
        let before = self.state;
        let (board, cell) = (usize::from(mv / 9), usize::from(mv % 9));
        self.state.marks_key ^= self.tables.zobrist_keys[before.game.side_to_move.index() * 81 + usize::from(mv)];
        self.state.game.place(board, cell);
        self.update_chances(board);
        before
    }

    fn undo(&mut self, before: State) {
        self.state = before;
    }

    fn game_result(&self) -> Option<i32> {
        Some(match self.state.game.outcome? {
            Outcome::Won(seat) if seat == self.state.game.side_to_move => 1,
            Outcome::Won(_) => -1,
            Outcome::Draw => 0,
        })
    }

    /// Returns the difference of both sides' probabilities of three boards in a row, plus a small bonus for single boards.
    fn evaluate(&self) -> i32 {
        let seats = [self.state.game.side_to_move, self.state.game.side_to_move.other()];
        if self.counts_single_boards {
            let [own, other] = seats.map(|seat| self.value_of_single_boards(seat));
            return own - other;
        }
        let [own, other] = seats.map(|seat| {
            let chances = &self.state.chances[seat.index()];
            let [mut rows, mut single] = [0, 0];
            for line in LINES {
                let [a, b, c] = line.map(|board| i64::from(chances[board]));
                rows += a * b * c;
                single += a + b + c;
            }
            (rows >> 24) + (single >> 6)
        });
        (own - other) as i32
    }

    fn key(&self) -> u64 {
        let active = usize::from(self.state.game.active & 511);
        self.state.marks_key
            ^ self.tables.zobrist_keys[162 + active]
            ^ [0, 0x9e37_79b9_7f4a_7c15][self.state.game.side_to_move.index()]
    }

    fn plies_left(&self) -> i16 {
        (0..9).map(|board| self.state.game.free_cells(board).count_ones() as i16).sum()
    }
}
