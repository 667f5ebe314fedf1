//! The nine boards as the computer sees them: with the chances on each, kept up to date move by move.

use game::contract::Outcome;

use crate::marks::bits;
use crate::search::alpha_beta::{SearchPosition, Tuning};
use crate::search::random::Random;
use crate::ultimate_tic_tac_toe::computer::chances::ChanceTable;
use crate::ultimate_tic_tac_toe::game::UltimateTicTacToe;

/// The lines of three boards.
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// What does not change during a search.
pub(super) struct SearchTables {
    chances: ChanceTable,
    /// A number for each seat and cell, and one for each set of active boards.
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

/// A position with what the search needs.
#[derive(Clone, Copy)]
pub(super) struct SearchBoard<'a> {
    tables: &'a SearchTables,
    pub(super) state: State,
}

/// What changes from move to move.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) game: UltimateTicTacToe,
    /// The chances of both seats on each board.
    chances: [[i16; 9]; 2],
    marks_key: u64,
}

impl<'a> SearchBoard<'a> {
    pub(super) fn new(ground: &'a SearchTables, game: UltimateTicTacToe) -> SearchBoard<'a> {
        let mut field = SearchBoard { tables: ground, state: State { game, chances: [[0; 9]; 2], marks_key: 0 } };
        for board in 0..9 {
            field.update_chances(board);
            for (seat, set) in game.marks_on(board).into_iter().enumerate() {
                for cell in bits(set.into()) {
                    field.state.marks_key ^= ground.zobrist_keys[seat * 81 + board * 9 + cell];
                }
            }
        }
        field
    }

    /// Looks the chances on a board up.
    fn update_chances(&mut self, board: usize) {
        let [one, other] = self.tables.chances.look_up(self.state.game.marks_on(board));
        self.state.chances[0][board] = one;
        self.state.chances[1][board] = other;
    }
}

impl SearchPosition for SearchBoard<'_> {
    /// The board and the cell, as the number of the cell among all 81.
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
        let past = self.state;
        let (board, cell) = (usize::from(mv / 9), usize::from(mv % 9));
        self.state.marks_key ^= self.tables.zobrist_keys[past.game.side_to_move.index() * 81 + usize::from(mv)];
        self.state.game.place(board, cell);
        self.update_chances(board);
        past
    }

    fn undo(&mut self, past: State) {
        self.state = past;
    }

    fn game_result(&self) -> Option<i32> {
        Some(match self.state.game.outcome? {
            Outcome::Won(seat) if seat == self.state.game.side_to_move => 1,
            Outcome::Won(_) => -1,
            Outcome::Draw => 0,
        })
    }

    /// Returns the chances of three boards in a row, and a little for each board.
    fn evaluate(&self) -> i32 {
        let [own, other] = [self.state.game.side_to_move, self.state.game.side_to_move.other()].map(|seat| {
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
