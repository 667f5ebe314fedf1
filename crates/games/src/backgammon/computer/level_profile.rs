//! The levels of play: how far each one looks ahead, and how large its errors are.

use game::engine::Level;
use game::seat::Seat;

use crate::backgammon::computer::inputs::{counts, pips};
use crate::backgammon::placement::{CHECKERS, Placement};
use crate::search::random::Random;

/// The search depth and errors of a level.
#[derive(Clone, Copy, Debug)]
pub struct LevelProfile {
    /// The number of rolls that the search looks ahead.
    pub rolls_ahead: u32,
    /// The standard deviation of the evaluation noise, in 1/1000 of the value of a single game.
    pub noise: i64,
    /// Whether the evaluation knows only pips, blots, made points in the home board, and checkers borne off.
    pub is_beginner: bool,
}

/// The approximate number of positions that are evaluated to choose a move by looking one roll ahead.
const ONE_ROLL_NODES: u64 = 3_000;
/// The approximate number of positions that are evaluated to choose a move by looking two rolls ahead.
const TWO_ROLLS_NODES: u64 = 80_000;

/// The evaluation noise of a position. It depends only on the position and the seed.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    seed: u64,
    spread: i64,
}

impl LevelProfile {
    /// Returns the profile of a level.
    pub fn for_level(level: Level) -> LevelProfile {
        let (rolls_ahead, noise) = match level.number() {
            1 => (0, 100),
            2 => (0, 250),
            3 => (0, 200),
            4 => (0, 135),
            5 => (0, 95),
            6 => (0, 60),
            7 => (1, 40),
            _ => (2, 0),
        };
        LevelProfile { rolls_ahead, noise, is_beginner: level.number() == 1 }
    }

    /// Returns the profile for an analysis with this many evaluated positions.
    pub fn for_analysis(nodes: u64) -> LevelProfile {
        let rolls_ahead = match nodes {
            0..ONE_ROLL_NODES => 0,
            ONE_ROLL_NODES..TWO_ROLLS_NODES => 1,
            _ => 2,
        };
        LevelProfile { rolls_ahead, noise: 0, is_beginner: false }
    }

    /// Returns a beginner's evaluation of a board for the side that just moved, in 1/65536 points.
    pub fn beginner_eval(&self, board: &Placement, seat: Seat) -> i64 {
        let (own, theirs) = (counts(board, seat), counts(board, seat.other()));
        let lead = i64::from(pips(&theirs)) - i64::from(pips(&own));
        let count_points = |range: std::ops::Range<usize>, is_wanted: fn(u8) -> bool| {
            own.get(range).into_iter().flatten().filter(|count| is_wanted(**count)).count() as i64
        };
        let blots = if board.has_contact() { count_points(1..25, |count| count == 1) } else { 0 };
        let points = count_points(1..7, |count| count > 1);
        let off = i64::from(board.off(seat));
        // A win outweighs the noise.
        let win = if board.off(seat) == CHECKERS { 1_000 } else { 0 };
        (lead - 2 * blots + 2 * points + 3 * off + win) * 65_536 / 50
    }
}

impl Noise {
    /// Returns the noise of a position. `spread` is [`LevelProfile::noise`] times the value of a single game.
    pub fn new(board: &Placement, seed: u64, spread: i64) -> Noise {
        Noise { seed: hash_board(board, seed), spread: spread / 1000 }
    }

    /// Returns the error in the evaluation of a board.
    pub fn for_board(&self, board: &Placement) -> i64 {
        self.draw(hash_board(board, self.seed))
    }

    /// Returns the error in a decision about the cube.
    pub fn for_cube(&self) -> i64 {
        self.draw(mix(self.seed ^ 1))
    }

    /// Returns an approximately normally distributed number: the sum of four uniformly distributed ones.
    fn draw(&self, bits: u64) -> i64 {
        let sum: i64 = (0..4).map(|part| (bits >> (16 * part) & 0xffff) as i64 - 0x8000).sum();
        // Each part has a standard deviation of 65536 / sqrt(12), so the sum of the four parts has one of 37837.
        sum * self.spread / 37_837
    }
}

fn hash_board(board: &Placement, seed: u64) -> u64 {
    let halves = board.sides.iter().flat_map(|side| [*side as u64, (side >> 64) as u64]);
    halves.fold(mix(seed), |hash, half| mix(hash ^ half))
}

/// Returns well-mixed bits.
fn mix(bits: u64) -> u64 {
    Random::new(bits).next_u64()
}
