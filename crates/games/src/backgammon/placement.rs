//! The checkers of both sides, and the step that moves one checker.
//!
//! Each side is a `u128` of 26 nibbles, indexed by that side's own point numbers. Nibbles 1 to 24 are the points, 25 is
//! the bar, and 0 holds the checkers borne off. Both sides move downward, so a step is an addition.

use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::backgammon::side::color_name;

/// The number of checkers per side.
pub const CHECKERS: u8 = 15;
/// The index of the bar in a step, only as its source.
pub const BAR: i8 = -1;
/// The index of the tray in a step, only as its target.
pub const OFF: i8 = 24;
/// The bar, in its owner's numbers.
pub const OWN_BAR: u32 = 25;

/// The checkers of both sides: on the points, on the bar and borne off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    pub(super) sides: [u128; 2],
}

/// A move of one checker by one die. Points are numbered from 0 to 23 for both sides: White moves down, Black moves up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "BackgammonStep")]
pub struct Step {
    /// The source: a point, or -1 for the bar.
    pub from: i8,
    /// The target: a point, or 24 for a checker borne off.
    pub to: i8,
    /// The die used.
    pub die: u8,
}

impl Placement {
    /// The starting position.
    pub const START: Placement = {
        let side = 5 << (4 * 6) | 3 << (4 * 8) | 5 << (4 * 13) | 2 << (4 * 24);
        Placement { sides: [side, side] }
    };

    /// Returns the placement with these checkers. On the points, positive numbers are White's checkers and negative
    /// ones Black's.
    ///
    /// # Errors
    /// Returns an error if a side has more than 15 checkers; the message names the field.
    pub fn new(points: [i8; 24], bar: [u8; 2], off: [u8; 2]) -> Result<Placement, InvalidState> {
        let mut sides = [0_u128; 2];
        for seat in Seat::BOTH {
            let (own, name) = (seat.index(), color_name(seat));
            let on = points.map(|count| if own == 0 { count } else { count.saturating_neg() }.max(0).unsigned_abs());
            let total = on.into_iter().chain([bar[own], off[own]]).map(u32::from).sum::<u32>();
            if total > u32::from(CHECKERS) {
                let message = format!(
                    "Invalid board: {name} has {total} checkers on `board`, `bar` and `borneOff`, and a side has at most 15"
                );
                let context = json!({ "player": name, "checkers": total });
                return Err(InvalidState { message, context });
            }
            for (index, count) in on.into_iter().enumerate() {
                sides[own] |= u128::from(count) << (4 * own_point(seat, index as i8));
            }
            sides[own] |= u128::from(bar[own]) << (4 * OWN_BAR) | u128::from(off[own]);
        }
        Ok(Placement { sides })
    }

    /// Returns the points: positive numbers are White's checkers, negative ones Black's.
    pub fn points(&self) -> [i8; 24] {
        std::array::from_fn(|index| {
            let [white, black] = Seat::BOTH.map(|seat| self.count(seat, own_point(seat, index as i8)) as i8);
            white - black
        })
    }

    /// Returns the number of a side's checkers on the bar.
    pub fn bar(&self, seat: Seat) -> u8 {
        self.count(seat, OWN_BAR)
    }

    /// Returns the number of checkers a side has borne off.
    pub fn off(&self, seat: Seat) -> u8 {
        self.count(seat, 0)
    }

    /// Returns the number of a side's checkers on a point in its own numbers; 25 is its bar, 0 its tray.
    pub fn count(&self, seat: Seat, point: u32) -> u8 {
        (self.sides[seat.index()] >> (4 * point) & 15) as u8
    }

    /// Returns a side's pip count.
    pub fn pips(&self, seat: Seat) -> u32 {
        (1..=OWN_BAR).map(|point| point * u32::from(self.count(seat, point))).sum()
    }

    /// Whether a side has borne off all its checkers.
    pub fn has_won(&self, seat: Seat) -> bool {
        let side = self.sides[seat.index()];
        side != 0 && side < 16
    }

    /// Whether checkers of the two sides still have to pass each other.
    pub fn has_contact(&self) -> bool {
        let rearmost = |seat: Seat| (1..=OWN_BAR).rev().find(|point| self.count(seat, *point) > 0).unwrap_or(0);
        rearmost(Seat::First) + rearmost(Seat::Second) > OWN_BAR
    }

    /// Returns the placement after a legal step.
    pub fn with_step(mut self, seat: Seat, step: Step) -> Placement {
        let (from, to) = (own_point(seat, step.from), own_target(seat, step.to));
        let (own, other) = (seat.index(), seat.other().index());
        self.sides[own] = self.sides[own] - (1 << (4 * from)) + (1 << (4 * to));
        if to > 0 && self.count(seat.other(), OWN_BAR - to) == 1 {
            self.sides[other] = self.sides[other] - (1 << (4 * (OWN_BAR - to))) + (1 << (4 * OWN_BAR));
        }
        self
    }
}

/// Converts the source of a step to the mover's own numbers.
pub fn own_point(seat: Seat, index: i8) -> u32 {
    match (index, seat) {
        (BAR, _) => OWN_BAR,
        (_, Seat::First) => u32::from((index + 1).unsigned_abs()),
        (_, Seat::Second) => u32::from((24 - index).unsigned_abs()),
    }
}

/// Converts the target of a step to the mover's own numbers.
pub fn own_target(seat: Seat, index: i8) -> u32 {
    if index == OFF { 0 } else { own_point(seat, index) }
}

/// Returns a step between two points in the mover's own numbers.
pub(super) fn step(seat: Seat, from: u32, to: u32, die: u8) -> Step {
    let index = |point: u32| if seat == Seat::First { point as i8 - 1 } else { 24 - point as i8 };
    Step { from: if from == OWN_BAR { BAR } else { index(from) }, to: if to == 0 { OFF } else { index(to) }, die }
}
