//! The board as the computer sees it.

use crate::othello::computer::evaluate::evaluate;
use crate::othello::discs::{flips, iter_cells, moves};
use crate::search::alpha_beta::{SearchPosition, Tuning};

/// The move of a side that has none.
pub(super) const PASS: u8 = 64;

/// The cells as they promise at first sight: the corners, the middle and the middle of the edges above and below, what lies between
/// them, and last what touches a corner.
const MOVE_ORDER: [u64; 4] = [
    0x8100_0000_0000_0081,
    0x3c00_3c3c_3c3c_003c,
    0x0000_8181_8181_0000 | 0x003c_4242_4242_3c00,
    0x42c3_0000_0000_c342,
];

/// A position with what the search needs.
#[derive(Clone, Copy)]
pub(super) struct SearchBoard {
    state: State,
    /// Whether discs are all that counts.
    pub(super) greedy: bool,
}

/// What changes from move to move.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// The discs of the side on turn, and of the other one.
    own: u64,
    other: u64,
    /// The moves of the side on turn.
    legal: u64,
}

impl SearchBoard {
    pub(super) fn new(own: u64, other: u64) -> SearchBoard {
        SearchBoard { state: State { own, other, legal: moves(own, other) }, greedy: false }
    }
}

impl SearchPosition for SearchBoard {
    /// The cell, or [`PASS`].
    type Move = u8;
    type Undo = State;

    const TUNING: Tuning = Tuning::without_lmr(65);

    fn moves(&self, found: &mut Vec<u8>) {
        let State { own, other, legal: open } = self.state;
        if open == 0 && moves(other, own) != 0 {
            found.push(PASS);
        }
        for kind in MOVE_ORDER {
            found.extend(iter_cells(open & kind).map(|cell| cell as u8));
        }
    }

    fn history_slot(mv: u8) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u8) -> State {
        let past = self.state;
        let State { own, other, .. } = past;
        let (own, other) = if mv == PASS {
            (other, own)
        } else {
            let turned = flips(own, other, mv.into());
            (other & !turned, own | turned | 1 << mv)
        };
        self.state = State { own, other, legal: moves(own, other) };
        past
    }

    fn undo(&mut self, past: State) {
        self.state = past;
    }

    fn game_result(&self) -> Option<i32> {
        let State { own, other, legal: open } = self.state;
        let over = open == 0 && moves(other, own) == 0;
        over.then(|| (own.count_ones() as i32 - other.count_ones() as i32).signum())
    }

    fn evaluate(&self) -> i32 {
        let State { own, other, legal: open } = self.state;
        if self.greedy { 4 * (own.count_ones() as i32 - other.count_ones() as i32) } else { evaluate(own, other, open) }
    }

    fn key(&self) -> u64 {
        let mixed = self.state.own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.state.other.rotate_left(29);
        (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }

    /// Passing is no choice.
    fn is_forced(&self) -> bool {
        self.state.legal == 0
    }

    fn plies_left(&self) -> i16 {
        (!(self.state.own | self.state.other)).count_ones() as i16
    }
}
