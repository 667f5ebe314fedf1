//! The inputs of the nets: the checkers and features that players look at.
//!
//! Every input is 0 or 1, so the first layer of a net only adds up rows of weights. A number is one-hot encoded: it has
//! one input per value, and 0 sets none of them. Everything is seen from the side on roll. Each group of inputs appears
//! twice: for that side, then for its opponent.

use game::Seat;

use crate::backgammon::{CHECKERS, OWN_BAR, Placement};

/// The number of inputs of the contact net, for positions in which the sides still have to pass each other.
pub const CONTACT_INPUTS: usize = 680;
/// The number of inputs of the race net.
pub const RACE_INPUTS: usize = 463;

/// The checkers of one side by point: 1 to 24, and 25 for the bar.
pub type Counts = [u8; 26];

/// The indices of the inputs that are set, in ascending order.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    set: Vec<u16>,
    next: u16,
}

/// A side's checkers as sets of points, in that side's own numbers; bit 25 is the bar.
#[derive(Clone, Copy)]
struct Masks {
    /// The points with any checkers.
    held: u32,
    /// The points with two or more.
    made: u32,
    /// The points with exactly one.
    blots: u32,
}

/// A cache of escaping rolls: how many of the 36 rolls take a checker past the blocked points ahead. The key is the
/// pattern of made points on the twelve points ahead: bit 11 is the next point, bit 0 the farthest.
#[derive(Clone, Debug)]
pub struct Escapes(Vec<u8>);

/// Marks a pattern that hasn't been counted yet.
const NOT_COUNTED: u8 = u8::MAX;

/// The bits of the 24 points.
const POINTS: u32 = 0x1ff_fffe;
/// The bits of the home board.
const HOME: u32 = 0b111_1110;

/// Returns a side's checkers by point.
pub fn counts(board: &Placement, seat: Seat) -> Counts {
    let bytes = board.sides[seat.index()].to_le_bytes();
    let mut counts = [0; 26];
    for (pair, byte) in counts.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&[byte & 15, byte >> 4]);
    }
    counts[0] = 0;
    counts
}

/// Returns a side's pip count.
pub(crate) fn pips(side: &Counts) -> u32 {
    (0..).zip(side).map(|(point, count)| point * u32::from(*count)).sum()
}

impl Inputs {
    /// Returns the indices of the inputs that are set.
    pub fn set(&self) -> &[u16] {
        &self.set
    }

    /// Returns the number of inputs encoded so far, set or not.
    pub fn len(&self) -> usize {
        usize::from(self.next)
    }

    /// Whether no input has been encoded yet.
    pub fn is_empty(&self) -> bool {
        self.next == 0
    }

    /// Encodes a position with contact.
    pub fn contact(&mut self, own: &Counts, theirs: &Counts, escapes: &mut Escapes) {
        self.begin();
        let (mine, others) = (Masks::from_counts(own), Masks::from_counts(theirs));
        for (side, masks, other, against) in [(own, mine, theirs, others), (theirs, others, own, mine)] {
            self.points(&side[1..]);
            self.one_hot(borne_off(side), 15);
            self.base_eight(pips(side), 24);
            self.one_hot(shots(masks, side[25], against), 18);
            let held = masks.held;
            let last = held.checked_ilog2().unwrap_or(0);
            let second = (held & !(1 << last)).checked_ilog2().unwrap_or(0);
            let blocks = from_other_side(against.made);
            self.one_hot(u32::from(escapes.rolls_past(blocks, last)).div_ceil(2), 18);
            self.one_hot(u32::from(escapes.rolls_past(blocks, second)).div_ceil(2), 18);
            let ahead = (from_other_side(masks.made) >> 1) & 0xff_ffff;
            let rear = against.held.checked_ilog2().unwrap_or(0);
            self.one_hot(longest_run(ahead & ((1 << rear.saturating_sub(1)) - 1)), 6);
            self.one_hot(made_points_near(ahead, rear), 6);
            let home = (masks.made & HOME).count_ones();
            self.one_hot(home + 7 * u32::from(other[25].min(3)), 27);
            let back: u32 = side[19..].iter().map(|count| u32::from(*count)).sum();
            let anchors = (masks.made & 0x1f8_0000).count_ones();
            self.one_hot(back.min(6) + 7 * anchors.min(3), 27);
            self.one_hot((masks.blots & HOME).count_ones(), 3);
            let spare: u32 = (7..19).zip(&side[7..19]).map(|(at, count)| (at - 6) * u32::from(*count)).sum();
            self.one_hot(spare.div_ceil(5), 10);
        }
        let lead = pips(theirs) as i32 - pips(own) as i32;
        self.one_hot((lead.clamp(-110, 109) + 110).div_euclid(10) as u32 + 1, 22);
    }

    /// Encodes a race.
    pub fn race(&mut self, own: &Counts, theirs: &Counts) {
        self.begin();
        for side in [own, theirs] {
            self.points(&side[1..25]);
            self.one_hot(borne_off(side), 15);
            self.base_eight(pips(side), 24);
            let to_come: u32 = (7..).zip(&side[7..25]).map(|(at, count)| (at - 1) / 6 * u32::from(*count)).sum();
            self.one_hot(to_come, 16);
        }
        let lead = pips(theirs) as i32 - pips(own) as i32;
        self.one_hot((lead.clamp(-48, 47) + 48).div_euclid(2) as u32 + 1, 48);
        self.one_hot(u32::from(borne_off(own) == 0) + 2 * u32::from(borne_off(theirs) == 0), 3);
    }

    fn begin(&mut self) {
        self.set.clear();
        self.next = 0;
    }

    /// Encodes a number from 1 to `max`, which also stands for all larger ones.
    fn one_hot(&mut self, value: u32, max: u16) {
        if value > 0 {
            self.set.push(self.next + (value as u16).min(max) - 1);
        }
        self.next += max;
    }

    /// Encodes a number as two base-eight digits. `max` limits the higher one.
    fn base_eight(&mut self, value: u32, max: u16) {
        self.one_hot(value / 8, max);
        self.one_hot(value % 8, 7);
    }

    /// Encodes the number of checkers on each point; 6 also stands for all larger numbers.
    fn points(&mut self, points: &[u8]) {
        for count in points {
            if *count > 0 {
                self.set.push(self.next + u16::from((*count).min(6)) - 1);
            }
            self.next += 6;
        }
    }
}

impl Masks {
    fn from_counts(side: &Counts) -> Masks {
        let mut masks = Masks { held: 0, made: 0, blots: 0 };
        for (point, count) in side.iter().enumerate() {
            masks.held |= u32::from(*count > 0) << point;
            masks.made |= u32::from(*count > 1) << point;
        }
        masks.blots = masks.held & !masks.made;
        masks
    }
}

impl Escapes {
    /// Returns an empty cache.
    pub fn new() -> Escapes {
        Escapes(vec![NOT_COUNTED; 4096])
    }

    /// Returns the number of rolls that take a checker past the blocked points, in its owner's numbers.
    fn rolls_past(&mut self, blocked: u32, from: u32) -> u8 {
        let ahead = blocked & POINTS & ((1 << from) - 1);
        let pattern = if from >= 12 { ahead >> (from - 12) } else { ahead << (12 - from) };
        let Some(count) = self.0.get_mut(pattern as usize & 4095) else { return 0 };
        if *count == NOT_COUNTED {
            *count = count_escaping_rolls(pattern & 4095);
        }
        *count
    }
}

impl Default for Escapes {
    fn default() -> Escapes {
        Escapes::new()
    }
}

/// Returns how many of the 36 rolls take a checker past every blocked point within eight points.
fn count_escaping_rolls(pattern: u32) -> u8 {
    let is_open = |distance: u32| distance > 12 || pattern >> (12 - distance) & 1 == 0;
    let goal = (1..=8).rev().find(|distance| !is_open(*distance)).unwrap_or(0);
    let mut count = 0;
    for one in 1..=6 {
        for two in 1..=6 {
            let reached = if one == two {
                let steps = (1..=4).take_while(|step| is_open(step * one)).count() as u32;
                steps * one
            } else if is_open(one + two) && (is_open(one) || is_open(two)) {
                one + two
            } else {
                [one, two].into_iter().filter(|die| is_open(*die)).max().unwrap_or(0)
            };
            count += u8::from(reached > goal);
        }
    }
    count
}

/// Returns a set of points in the opponent's numbers, without the bar and the tray.
fn from_other_side(points: u32) -> u32 {
    ((points & POINTS).reverse_bits() >> (u32::BITS - 1 - OWN_BAR)) & POINTS
}

fn borne_off(side: &Counts) -> u32 {
    u32::from(CHECKERS.saturating_sub(side.iter().sum()))
}

/// Returns the length of the longest run of consecutive points.
fn longest_run(mut points: u32) -> u32 {
    let mut length = 0;
    while points != 0 {
        points &= points >> 1;
        length += 1;
    }
    length
}

/// Returns the number of made points among the six in front of a checker. Bit 0 is its owner's 1 point.
fn made_points_near(points: u32, from: u32) -> u32 {
    let window = if from > 7 { points >> (from - 7) } else { points << (7 - from) };
    (window & 63).count_ones()
}

/// The six doubles, in a set of the 21 distinct rolls. The 15 rolls of two different dice have the lower bits.
const DOUBLES: u32 = 0b11_1111 << 15;

/// Returns the bit of a roll in a set of the 21 distinct rolls.
const fn roll_bit(one: usize, two: usize) -> u32 {
    let (low, high) = if one < two { (one, two) } else { (two, one) };
    if low == high { 1 << (14 + low) } else { 1 << ((high - 1) * (high - 2) / 2 + low - 1) }
}

/// The rolls that contain each die, indexed by the die.
const SHOWING: [u32; 7] = {
    let mut showing = [0; 7];
    let mut one = 1;
    while one <= 6 {
        let mut two = 1;
        while two <= 6 {
            showing[one] |= roll_bit(one, two);
            two += 1;
        }
        one += 1;
    }
    showing
};

/// Returns how many of the 36 rolls hit a blot, halved and rounded up.
///
/// It checks all targets at once: it shifts the set of checkers by a die and intersects it with the targets.
fn shots(side: Masks, bar: u8, other: Masks) -> u32 {
    let (targets, open) = (from_other_side(other.blots), !from_other_side(other.made));
    if targets == 0 {
        return 0;
    }
    let mut hits = 0;
    // A checker on the bar has to enter before any other checker moves.
    let held = if bar > 0 { 1 << OWN_BAR } else { side.held & POINTS };
    for low in 1..=6 {
        if held >> low & targets != 0 {
            hits |= SHOWING.get(low).copied().unwrap_or(0);
        }
        for high in low + 1..=6 {
            if held >> (low + high) & targets & (open >> low | open >> high) != 0 {
                hits |= roll_bit(low, high);
            }
        }
        let two = open >> low & targets;
        let three = two & open >> (2 * low);
        let four = three & open >> (3 * low);
        if (held >> (2 * low) & two) | (held >> (3 * low) & three) | (held >> (4 * low) & four) != 0 {
            hits |= roll_bit(low, low);
        }
    }
    if bar == 1 {
        // The other die has to enter the checker first.
        let entering_dice = (1..=6).filter(|die| open >> (OWN_BAR as usize - die) & 1 != 0);
        for die in entering_dice {
            let hitting_dice = (1..=6).filter(|other| (side.held & POINTS) >> other & targets != 0);
            hits |= hitting_dice.fold(0, |set, other| set | roll_bit(die, other));
        }
    }
    ((hits & !DOUBLES).count_ones() * 2 + (hits & DOUBLES).count_ones()).div_ceil(2)
}
