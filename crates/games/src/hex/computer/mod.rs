//! The computer: a tree grown by games that are played on, in which stones stay joined where two cells join them.

mod field;
mod tree;

use game::choice::{Chosen, Level};
use game::contract::{Engine, Rules};

use crate::hex::computer::field::Field;
use crate::hex::computer::tree::Tree;
use crate::hex::game::{Hex, Move};
use crate::search::random::Random;
use crate::search::whole::ONE;

/// The games that each level plays on, on a board of [`CELLS`] cells; on a larger one fewer, as they take longer.
const GAMES: [u32; 8] = [30, 50, 80, 150, 400, 1_500, 9_000, 75_000];
const CELLS: usize = 121;

/// The smallest board on which the first stone is better not the best one, as it would be taken over.
const WIDE: usize = 7;

impl Engine for Hex {
    const ENGINE: u32 = 1;

    const EDGE: i32 = 367;

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        if self.winner.is_some() {
            return None;
        }
        let mut random = Random::new(seed);
        let place = |cell: usize| Move { position: cell as u32, swap: false };
        if let Some(cell) = fair(self, &mut random) {
            return Some(Chosen { mv: place(cell), nodes: 1, value: 0 });
        }
        // A chain that can be finished is finished.
        if let Some(cell) = self.free().find(|cell| self.play(&place(*cell)).winner.is_some()) {
            return Some(Chosen { mv: place(cell), nodes: 1, value: 1_000 });
        }
        let games = *GAMES.get(usize::from(level.number() - 1))?;
        let cells = self.size * self.size;
        let games = (games as usize * CELLS / cells.max(CELLS)) as u32;
        let field = Field::new(self);
        let found = Tree::new().grow(&field, games, &mut random)?;
        let value = (i64::from(found.value) * 2_000 / i64::from(ONE)) as i32 - 1_000;
        let own = Chosen { mv: place(field.cell(found.place)), nodes: found.nodes, value };
        // Whoever swaps has what the other side has now, with the other side on turn.
        match self.swap() {
            Some(swap) if value < 0 => Some(Chosen { mv: swap, value: -value, ..own }),
            _ => Some(own),
        }
    }
}

/// Returns a first stone that is worth about as much as the move after it; `None` where it is not the first, or cannot be
/// taken over.
fn fair(game: &Hex, random: &mut Random) -> Option<usize> {
    if !game.can_swap || game.count() > 0 || game.size < WIDE {
        return None;
    }
    let size = game.size;
    let near = [2 * size, size + 2][random.below(2)];
    Some(if random.below(2) == 0 { near } else { size * size - 1 - near })
}
