//! The computer: alpha-beta over the cells that complete a line; on the usual board the highest level is perfect.

mod field;

use crate::game::choice::{Chosen, Level};
use crate::games::connect_four::computer::field::{Field, Ground};
use crate::games::connect_four::discs::{Mask, Shape};
use crate::games::connect_four::game::{ConnectFour, Move};
use crate::games::connect_four::perfect::best::best;
use crate::games::connect_four::perfect::book;
use crate::games::connect_four::perfect::solver::Solver;
use crate::games::connect_four::perfect::usual::Discs;
use crate::search::alpha_beta::{Limits, Position, SURELY, Thought, think};
use crate::search::random::Random;

/// The board of which all is known.
const USUAL: Shape = Shape { columns: 7, rows: 6, k: 4 };
/// The discs up to which a position that the book does not know may take seconds.
const SLOW: u32 = 9;
/// The most nodes of the solver, some seconds' worth.
const SOLVER_NODES: u64 = 60_000_000;
/// The nodes after which wins that are near are seen, and the order of the moves is good enough for the solver.
const SKETCH_NODES: u64 = 100_000;
/// The positions that the solver remembers, in 2 MB: what stays in the processor's cache is quicker than more would be.
const REMEMBERED: usize = 1 << 18;

/// Returns what a level may do.
fn limits(level: Level) -> Limits {
    let (depth, nodes, margin) = match level.number() {
        1 => (1, 1_000, 60),
        2 => (1, 1_000, 40),
        3 => (2, 2_000, 30),
        4 => (4, 10_000, 16),
        5 => (6, 40_000, 10),
        6 => (9, 120_000, 6),
        7 => (14, 400_000, 3),
        _ => (100, 1_500_000, 0),
    };
    Limits { nodes, depth, margin }
}

/// Returns the move that the computer plays; `None` after the end.
pub(super) fn choose(game: &ConnectFour, level: Level, seed: u64) -> Option<Chosen<Move>> {
    if game.outcome.is_some() {
        None
    } else if game.shape.bits() <= 64 {
        search::<u64>(game, level, seed)
    } else {
        search::<u128>(game, level, seed)
    }
}

/// Tests if a level may think for seconds in a position, or in those that follow.
pub(super) fn is_slow(game: &ConnectFour, level: Level) -> bool {
    knowable(game, level).is_some_and(|discs| discs.taken.count_ones() <= SLOW && book::look_up(discs).is_none())
}

/// Returns the position, if the level is the highest and can find out what it is worth.
fn knowable(game: &ConnectFour, level: Level) -> Option<Discs> {
    let taken = (game.discs[0] | game.discs[1]) as u64;
    let discs = Discs { own: game.discs[game.to_move.index()] as u64, taken };
    (level == Level::MAX && game.shape == USUAL).then_some(discs)
}

/// Returns a move that keeps what the position is worth: the book's, or the first in the order of thoughts; `None` where they see
/// the end themselves, or where finding out takes too long.
fn perfect(discs: Discs, thought: &mut Thought<u8>) -> Option<(u8, i32)> {
    let &(_, value) = thought.moves.first()?;
    if value.abs() >= SURELY {
        return None;
    }
    let found = book::look_up(discs).or_else(|| {
        let cells: Vec<u64> = thought.moves.iter().map(|(place, _)| 1 << place).collect();
        let mut solver = Solver::new(REMEMBERED);
        let found = best(&mut solver, discs, &cells, -1, SOLVER_NODES);
        thought.nodes += solver.nodes;
        found
    });
    found.map(|(cell, worth)| (cell.trailing_zeros() as u8, worth * SURELY))
}

fn search<M: Mask>(game: &ConnectFour, level: Level, seed: u64) -> Option<Chosen<Move>> {
    let ground = Ground::<M>::new(game.shape);
    let mut field = Field::new(&ground, game);
    // Who has learned the game today overlooks that the other side is about to win.
    field.careless = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    field.moves(&mut moves);
    let limits = limits(level);
    // Where the solver gives up, or sees no sense in it, it is the thoughts that count.
    let (mut thought, mut spent) = (None, 0);
    if let Some(discs) = knowable(game, level) {
        let sketch = Limits { nodes: SKETCH_NODES, ..limits };
        let mut sketched = think(&mut field, moves.clone(), sketch, &mut random);
        if let Some((cell, value)) = perfect(discs, &mut sketched) {
            return Some(chosen(game, cell, sketched.nodes, value));
        }
        if sketched.moves.first().is_some_and(|(_, value)| value.abs() >= SURELY) {
            thought = Some(sketched);
        } else {
            spent = sketched.nodes;
        }
    }
    let thought = thought.unwrap_or_else(|| think(&mut field, moves, limits, &mut random));
    let (cell, value) = thought.pick(limits.margin, &mut random)?;
    Some(chosen(game, cell, spent + thought.nodes, value))
}

fn chosen(game: &ConnectFour, cell: u8, nodes: u64, value: i32) -> Chosen<Move> {
    let column = u32::from(cell) / (game.shape.rows as u32 + 1);
    Chosen { mv: Move { column }, nodes, value }
}
