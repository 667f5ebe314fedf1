//! Weakens the lower levels: they overlook a fixed random share of the moves, their own and the opponent's.
//!
//! The seed determines which ones, so a move is overlooked throughout a search. The lowest level also overlooks every reply
//! but a recapture.

use cozy_chess::{Board, Move as RawMove, Square};

use crate::chess::computer::move_ordering::PieceTo;
use crate::search::random::Random;

/// Decides which moves a search considers.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveFilter {
    seed: u64,
    /// How many of 1,000 moves are overlooked.
    miss_rate: u64,
    /// Whether every reply is overlooked that isn't a recapture.
    only_recaptures: bool,
}

impl MoveFilter {
    /// Returns a filter that overlooks `miss_rate` of 1,000 moves, and perhaps every reply that isn't a recapture.
    pub(super) fn new(seed: u64, miss_rate: u64, only_recaptures: bool) -> MoveFilter {
        MoveFilter { seed, miss_rate, only_recaptures }
    }

    /// Whether no move is overlooked.
    pub(super) fn considers_all(self) -> bool {
        self.miss_rate == 0 && !self.only_recaptures
    }

    /// Whether a move is considered. Recaptures are never overlooked, and captures half as often as other moves.
    pub(super) fn considers(self, board: &Board, mv: RawMove, previous: Option<PieceTo>) -> bool {
        let is_recapture = previous.is_some_and(|previous| usize::from(previous) % Square::NUM == mv.to as usize);
        if self.considers_all() || is_recapture {
            return true;
        }
        if self.only_recaptures && previous.is_some() {
            return false;
        }
        let us = board.side_to_move();
        let piece = board.piece_on(mv.from).map_or(0, |piece| piece as u64);
        let move_key = ((us as u64 * 8 + piece) * 64 + mv.from as u64) * 64 + mv.to as u64;
        let draw = Random::new(self.seed ^ move_key.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64() % 1_000;
        draw >= if board.colors(!us).has(mv.to) { self.miss_rate / 2 } else { self.miss_rate }
    }
}
