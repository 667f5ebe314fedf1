//! The position for the alpha-beta search.

use crate::othello::bitboards::{flips, iter_cells, moves};
use crate::othello::computer::evaluate::evaluate;
use crate::search::alpha_beta::{SearchPosition, Tuning};

/// The pass of a side without a legal move.
pub(super) const PASS: u8 = 64;

/// The cells in static move order: corners, then the center and the middle of the edges, then the cells between them,
/// and last the neighbors of corners.
const MOVE_ORDER: [u64; 4] = [
    0x8100_0000_0000_0081,
    0x3c00_3c3c_3c3c_003c,
    0x0000_8181_8181_0000 | 0x003c_4242_4242_3c00,
    0x42c3_0000_0000_c342,
];

/// A position for the search.
#[derive(Clone, Copy)]
pub(super) struct SearchBoard {
    state: State,
    /// Whether to evaluate only the number of discs.
    pub(super) greedy: bool,
}

/// The part of the position that a move changes.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// The discs of the side to move.
    own: u64,
    /// The discs of the opponent.
    other: u64,
    /// The legal moves of the side to move.
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
        let State { own, other, legal } = self.state;
        if legal == 0 && moves(other, own) != 0 {
            found.push(PASS);
        }
        for cells in MOVE_ORDER {
            found.extend(iter_cells(legal & cells).map(|cell| cell as u8));
        }
    }

    fn history_slot(mv: u8) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u8) -> State {
        let previous = self.state;
        let State { own, other, .. } = previous;
        let (own, other) = if mv == PASS {
            (other, own)
        } else {
            let flipped = flips(own, other, mv.into());
            (other & !flipped, own | flipped | 1 << mv)
        };
        self.state = State { own, other, legal: moves(own, other) };
        previous
    }

    fn undo(&mut self, previous: State) {
        self.state = previous;
    }

    fn game_result(&self) -> Option<i32> {
        let State { own, other, legal } = self.state;
        if legal != 0 || moves(other, own) != 0 {
            return None;
        }
        Some((own.count_ones() as i32 - other.count_ones() as i32).signum())
    }

    fn evaluate(&self) -> i32 {
        let State { own, other, legal } = self.state;
        if self.greedy {
            4 * (own.count_ones() as i32 - other.count_ones() as i32)
        } else {
            evaluate(own, other, legal)
        }
    }

    fn key(&self) -> u64 {
        let mixed = self.state.own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.state.other.rotate_left(29);
        (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }

    /// Whether the side to move has to pass.
    fn is_forced(&self) -> bool {
        self.state.legal == 0
    }

    fn plies_left(&self) -> i16 {
        (!(self.state.own | self.state.other)).count_ones() as i16
    }
}
