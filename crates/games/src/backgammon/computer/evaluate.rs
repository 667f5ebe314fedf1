//! The evaluation of a position: the chances of the side on roll.

use std::collections::HashMap;

use game::Seat;

use crate::backgammon::computer::net::Net;
use crate::backgammon::{
    CHECKERS, CONTACT_INPUTS, Dice, Escapes, Inputs, Placement, PlayGenerator, RACE_INPUTS, counts, loss_kind,
};

/// The weights of the two nets, written by `training`.
const CONTACT: &[u8] = include_bytes!("weights/contact.bin");
const RACE: &[u8] = include_bytes!("weights/race.bin");

/// The net for positions with contact.
pub(crate) type Contact = Net<80, 16>;
/// The net for races.
pub(crate) type Race = Net<24, 8>;

/// The nets and tables that evaluate positions, with reusable buffers.
#[derive(Debug)]
pub struct Evaluator {
    contact: Contact,
    race: Race,
    bear_off: BearOff,
    escapes: Escapes,
    inputs: Inputs,
    /// The number of positions evaluated so far.
    pub nodes: u64,
}

impl Evaluator {
    /// Returns an evaluator with the built-in weights.
    pub fn new() -> Evaluator {
        Evaluator::from_weights(CONTACT, RACE)
    }

    /// Returns an evaluator with the given weights of the two nets.
    pub fn from_weights(contact: &[u8], race: &[u8]) -> Evaluator {
        Evaluator {
            contact: Net::read(contact, CONTACT_INPUTS),
            race: Net::read(race, RACE_INPUTS),
            bear_off: BearOff::default(),
            escapes: Escapes::new(),
            inputs: Inputs::default(),
            nodes: 0,
        }
    }

    /// Returns the chances of the side on roll.
    pub fn chances(&mut self, board: &Placement, seat: Seat) -> Chances {
        self.nodes += 1;
        if board.has_won(seat.other()) {
            return Chances::won(loss_kind(board, seat)).for_opponent();
        }
        let (own, theirs) = (counts(board, seat), counts(board, seat.other()));
        if board.has_contact() {
            self.inputs.contact(&own, &theirs, &mut self.escapes);
            Chances::from_net(self.contact.chances(self.inputs.set()))
        } else if let Some(chances) = self.bear_off.chances(board, seat) {
            chances
        } else {
            self.inputs.race(&own, &theirs);
            Chances::from_net(self.race.chances(self.inputs.set()))
        }
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

// The chances of winning and losing a single game, a gammon or a backgammon.

/// A chance of 1.
pub const CERTAIN: i32 = 65_536;

/// The chances of each result for one side, in 1/65536. A gammon also counts as a win, and a backgammon as both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chances {
    /// The chance of winning.
    pub win: i32,
    /// The chance of winning a gammon or a backgammon.
    pub win_gammon: i32,
    /// The chance of winning a backgammon.
    pub win_backgammon: i32,
    /// The chance of losing a gammon or a backgammon.
    pub lose_gammon: i32,
    /// The chance of losing a backgammon.
    pub lose_backgammon: i32,
}

impl Chances {
    /// Returns the opponent's chances.
    pub fn for_opponent(self) -> Chances {
        Chances {
            win: CERTAIN - self.win,
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }

    /// Returns the cubeless equity, in 1/65536 points.
    pub fn points(self) -> i32 {
        2 * self.win - CERTAIN + self.win_gammon + self.win_backgammon - self.lose_gammon - self.lose_backgammon
    }

    /// Returns the chances of a side that has won a game of this kind: 1 is a single game, 2 a gammon, 3 a backgammon.
    pub fn won(kind: u32) -> Chances {
        let certain = |least: u32| if kind >= least { CERTAIN } else { 0 };
        Chances { win: CERTAIN, win_gammon: certain(2), win_backgammon: certain(3), ..Chances::default() }
    }

    /// Returns consistent chances from the outputs of a net: gammons never exceed wins, nor backgammons gammons.
    pub fn from_net([win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]: [i32; 5]) -> Chances {
        let win = win.clamp(0, CERTAIN);
        let win_gammon = win_gammon.clamp(0, win);
        let lose_gammon = lose_gammon.clamp(0, CERTAIN - win);
        Chances {
            win,
            win_gammon,
            win_backgammon: win_backgammon.clamp(0, win_gammon),
            lose_gammon,
            lose_backgammon: lose_backgammon.clamp(0, lose_gammon),
        }
    }
}

// Exact bearoff chances: the distribution of the number of rolls a side needs for its last few checkers.

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
pub(crate) struct BearOff {
    known: HashMap<u128, Distribution>,
}

impl BearOff {
    /// Returns the chances of the side on roll. Returns `None` unless both sides have only a few checkers left, all in
    /// their home boards.
    ///
    /// Each side minimizes its expected number of rolls.
    pub(crate) fn chances(&mut self, board: &Placement, seat: Seat) -> Option<Chances> {
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
