//! Exact bearoff chances: the distribution of the number of rolls a side needs for its last few checkers.

use std::collections::HashMap;

use game::seat::Seat;

use crate::backgammon::computer::chances::{CERTAIN, Chances};
use crate::backgammon::placement::{CHECKERS, Placement};
use crate::backgammon::plays::{Dice, PlayGenerator};

/// The most checkers per side that are computed exactly.
const MAX_CHECKERS: u32 = 6;
/// The length of a distribution: one more than the most rolls that few checkers can need.
const ROLL_COUNTS: usize = 13;
/// A chance of 1, in the fixed point of this module.
const ONE: i64 = 1 << 40;
/// The points of the home board, as nibbles.
const HOME: u128 = 0xfff_fff0;

/// The chance, for each number of rolls, that a side needs exactly that number.
type Distribution = [i64; ROLL_COUNTS];

/// A cache of distributions, by the checkers in the home board.
#[derive(Debug, Default)]
pub struct BearOff {
    known: HashMap<u128, Distribution>,
}

impl BearOff {
    /// Returns the chances of the side on roll. Returns `None` unless both sides have only a few checkers left, all in
    /// their home boards.
    ///
    /// Each side minimizes its expected number of rolls.
    pub fn chances(&mut self, board: &Placement, seat: Seat) -> Option<Chances> {
        let [own, theirs] = [seat, seat.other()].map(|side| board.sides[side.index()] & !15);
        if [own, theirs].into_iter().any(|side| side & !HOME != 0 || checkers(side) > MAX_CHECKERS) {
            return None;
        }
        let (own, theirs) = (self.roll_distribution(own), self.roll_distribution(theirs));
        let mut left = ONE;
        let mut win = 0_i64;
        // The side on roll wins if its opponent needs at least as many rolls.
        for (mine, others) in own.iter().zip(&theirs) {
            win += (mine >> 20) * (left >> 20);
            left -= others;
        }
        let win = (win >> 24) as i32;
        Some(Chances { win: win.clamp(0, CERTAIN), ..Chances::default() })
    }

    /// Returns the distribution of the number of rolls a side needs.
    fn roll_distribution(&mut self, side: u128) -> Distribution {
        if side == 0 {
            let mut no_rolls = [0; ROLL_COUNTS];
            no_rolls[0] = ONE;
            return no_rolls;
        }
        if let Some(known) = self.known.get(&side) {
            return *known;
        }
        let mut sum = [0; ROLL_COUNTS];
        let left = u128::from(CHECKERS).saturating_sub(u128::from(checkers(side)));
        let board = Placement { sides: [side | left, 0] };
        let mut generator = PlayGenerator::default();
        for one in 1..=6 {
            for two in one..=6 {
                generator.generate(&board, Seat::First, Dice::from_roll([one, two]), false);
                let afters: Vec<u128> =
                    generator.boards(&board, Seat::First).map(|after| after.sides[0] & !15).collect();
                let distributions = afters.into_iter().map(|after| self.roll_distribution(after));
                let best = distributions.min_by_key(mean).unwrap_or_default();
                let times = if one == two { 1 } else { 2 };
                for (sum, chance) in sum[1..].iter_mut().zip(best) {
                    *sum += times * chance;
                }
            }
        }
        let distribution = sum.map(|chance| chance / 36);
        self.known.insert(side, distribution);
        distribution
    }
}

/// Returns the expected number of rolls, in fixed point.
fn mean(distribution: &Distribution) -> i64 {
    (0..).zip(distribution).map(|(rolls, chance)| rolls * chance).sum()
}

fn checkers(side: u128) -> u32 {
    (1..7).map(|point| (side >> (4 * point)) as u32 & 15).sum()
}
