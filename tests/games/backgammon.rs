//! Tests of backgammon's rules on bare boards: generating, validating, formatting and parsing plays.

mod chances;
mod computer;
mod flow;
mod forced;
mod nets;
mod plain;
mod plays;
mod sentences;
mod written;

use game::Seat;
use games::backgammon::{Dice, Placement, Step};

pub(crate) const WHITE: Seat = Seat::First;
pub(crate) const BLACK: Seat = Seat::Second;

/// Returns a board with these points (positive is White) and these checkers on White's and Black's bar.
pub(crate) fn board(points: &[(usize, i8)], bar: [u8; 2]) -> Placement {
    let mut all = [0; 24];
    points.iter().for_each(|&(index, count)| all[index] = count);
    Placement::new(all, bar, [0, 0]).unwrap()
}

/// Returns the board with the colors swapped.
pub(crate) fn mirrored(board: &Placement) -> Placement {
    let points = board.points();
    let two = |count: fn(&Placement, Seat) -> u8| [count(board, BLACK), count(board, WHITE)];
    Placement::new(std::array::from_fn(|index| -points[23 - index]), two(Placement::bar), two(Placement::off)).unwrap()
}

pub(crate) fn dice(left: &[u8]) -> Dice {
    Dice::from_remaining(left).unwrap()
}

pub(crate) fn steps(list: &[(i8, i8, u8)]) -> Vec<Step> {
    list.iter().map(|&(from, to, die)| Step { from, to, die }).collect()
}

/// A seeded pseudorandom number generator.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, many: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % many as u64) as usize
    }
}
