//! The computer: a tree grown by games that are played on, in which stones stay joined where two cells join them.

mod search_board;
mod tree;

use game::contract::{Engine, Rules};
use game::engine::{EngineMove, Level};

use crate::hex::computer::search_board::SearchBoard;
use crate::hex::computer::tree::Tree;
use crate::hex::game::{Hex, Move};
use crate::search::fixed_point::ONE;
use crate::search::random::Random;

/// The games that each level plays on, on a board of [`CELLS`] cells; on a larger one fewer, as they take longer.
const ROLLOUTS: [u32; 8] = [30, 50, 80, 150, 400, 1_500, 9_000, 75_000];
const STANDARD_CELLS: usize = 121;

/// The smallest board on which the first stone is better not the best one, as it would be taken over.
const MIN_BALANCED_SIZE: usize = 7;

impl Engine for Hex {
    const ENGINE_VERSION: u32 = 1;

    const SCORE_SCALE: i32 = 367;

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        if self.winner.is_some() {
            return None;
        }
        let mut random = Random::new(seed);
        let place = |cell: usize| Move { position: cell as u32, swap: false };
        if let Some(cell) = balanced_opening(self, &mut random) {
            return Some(EngineMove { mv: place(cell), nodes: 1, score: 0 });
        }
        // A chain that can be finished is finished.
        if let Some(cell) = self.free_cells().find(|cell| self.play(&place(*cell)).winner.is_some()) {
            return Some(EngineMove { mv: place(cell), nodes: 1, score: 1_000 });
        }
        let games = *ROLLOUTS.get(usize::from(level.number() - 1))?;
        let cells = self.size * self.size;
        let games = (games as usize * STANDARD_CELLS / cells.max(STANDARD_CELLS)) as u32;
        let field = SearchBoard::new(self);
        let found = Tree::new().search(&field, games, &mut random)?;
        let value = (i64::from(found.value) * 2_000 / i64::from(ONE)) as i32 - 1_000;
        let own = EngineMove { mv: place(field.cell_index(found.place)), nodes: found.nodes, score: value };
        // Whoever swaps has what the other side has now, with the other side on turn.
        match self.swap_move() {
            Some(swap) if value < 0 => Some(EngineMove { mv: swap, score: -value, ..own }),
            _ => Some(own),
        }
    }
}

/// Returns a first stone that is worth about as much as the move after it; `None` where it is not the first, or cannot be
/// taken over.
fn balanced_opening(game: &Hex, random: &mut Random) -> Option<usize> {
    if !game.can_swap || game.stone_count() > 0 || game.size < MIN_BALANCED_SIZE {
        return None;
    }
    let size = game.size;
    let near = [2 * size, size + 2][random.below(2)];
    Some(if random.below(2) == 0 { near } else { size * size - 1 - near })
}
