//! The nine boards as the computer sees them: with the chances on each, kept up to date move by move.

use game::contract::Outcome;

use crate::marks::bits;
use crate::search::alpha_beta::{Position, Tuning};
use crate::search::random::Random;
use crate::ultimate_tic_tac_toe::computer::chances::Chances;
use crate::ultimate_tic_tac_toe::game::UltimateTicTacToe;

/// The lines of three boards.
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// What does not change during a search.
pub(super) struct Ground {
    chances: Chances,
    /// A number for each seat and cell, and one for each set of active boards.
    keys: Vec<u64>,
}

impl Ground {
    pub(super) fn new() -> Ground {
        let mut random = Random::new(9);
        Ground { chances: Chances::new(), keys: (0..2 * 81 + 512).map(|_| random.number()).collect() }
    }
}

/// A position with what the search needs.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    ground: &'a Ground,
    pub(super) now: State,
}

/// What changes from move to move.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) game: UltimateTicTacToe,
    /// The chances of both seats on each board.
    chances: [[i16; 9]; 2],
    marks: u64,
}

impl<'a> Field<'a> {
    pub(super) fn new(ground: &'a Ground, game: UltimateTicTacToe) -> Field<'a> {
        let mut field = Field { ground, now: State { game, chances: [[0; 9]; 2], marks: 0 } };
        for board in 0..9 {
            field.look_at(board);
            for (seat, set) in game.marks_on(board).into_iter().enumerate() {
                for cell in bits(set.into()) {
                    field.now.marks ^= ground.keys[seat * 81 + board * 9 + cell];
                }
            }
        }
        field
    }

    /// Looks the chances on a board up.
    fn look_at(&mut self, board: usize) {
        let [one, other] = self.ground.chances.of(self.now.game.marks_on(board));
        self.now.chances[0][board] = one;
        self.now.chances[1][board] = other;
    }
}

impl Position for Field<'_> {
    /// The board and the cell, as the number of the cell among all 81.
    type Move = u8;
    type Past = State;

    const TUNING: Tuning = Tuning::of(81);

    fn moves(&self, found: &mut Vec<u8>) {
        for board in bits(self.now.game.playable()) {
            found.extend(bits(self.now.game.free(board)).map(|cell| (board * 9 + cell) as u8));
        }
    }

    fn place(mv: u8) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u8) -> State {
        let past = self.now;
        let (board, cell) = (usize::from(mv / 9), usize::from(mv % 9));
        self.now.marks ^= self.ground.keys[past.game.to_move.index() * 81 + usize::from(mv)];
        self.now.game.place(board, cell);
        self.look_at(board);
        past
    }

    fn take_back(&mut self, past: State) {
        self.now = past;
    }

    fn ended(&self) -> Option<i32> {
        Some(match self.now.game.outcome? {
            Outcome::Won(seat) if seat == self.now.game.to_move => 1,
            Outcome::Won(_) => -1,
            Outcome::Draw => 0,
        })
    }

    /// Returns the chances of three boards in a row, and a little for each board.
    fn value(&self) -> i32 {
        let [own, other] = [self.now.game.to_move, self.now.game.to_move.other()].map(|seat| {
            let chances = &self.now.chances[seat.index()];
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
        let active = usize::from(self.now.game.active & 511);
        self.now.marks ^ self.ground.keys[162 + active] ^ [0, 0x9e37_79b9_7f4a_7c15][self.now.game.to_move.index()]
    }

    fn plies_left(&self) -> i16 {
        (0..9).map(|board| self.now.game.free(board).count_ones() as i16).sum()
    }
}
