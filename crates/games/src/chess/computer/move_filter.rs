//! What a weaker player does not see: some of the moves, his own and the other side's. Which ones follows from the seed, and is
//! the same everywhere in one search, as it is with somebody who has overlooked that bishop.

use cozy_chess::{Board, Move, Square};

use crate::chess::computer::move_ordering::PieceTo;
use crate::search::random::Random;

/// How much is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveFilter {
    seed: u64,
    /// The moves that are overlooked, in thousandths.
    miss_rate: u64,
}

impl MoveFilter {
    /// Returns the sight of somebody who overlooks so many of a thousand moves.
    pub(super) fn new(seed: u64, blind: u64) -> MoveFilter {
        MoveFilter { seed, miss_rate: blind }
    }

    /// Tests if everything is seen.
    pub(super) fn considers_all(self) -> bool {
        self.miss_rate == 0
    }

    /// Tests if a move is seen. Whoever looks at a move sees what can be taken back after it, and captures are overlooked half
    /// as often as other moves.
    pub(super) fn considers(self, board: &Board, mv: Move, before: Option<PieceTo>) -> bool {
        if self.miss_rate == 0 || before.is_some_and(|before| usize::from(before) % Square::NUM == mv.to as usize) {
            return true;
        }
        let side = board.side_to_move();
        let piece = board.piece_on(mv.from).map_or(0, |piece| piece as u64);
        let name = ((side as u64 * 8 + piece) * 64 + mv.from as u64) * 64 + mv.to as u64;
        let luck = Random::new(self.seed ^ name.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64() % 1_000;
        luck >= if board.colors(!side).has(mv.to) { self.miss_rate / 2 } else { self.miss_rate }
    }
}
