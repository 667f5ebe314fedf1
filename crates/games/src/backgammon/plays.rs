//! The generator of every way to play a throw, each resulting position once.
//!
//! The points that can be landed on do not change while one side moves (a blot that is hit only leaves), so a mask of them is
//! worked out once, and the sources for a die are that mask shifted by the die.
//!
//! No position is compared with another. Doubles are searched with sources that never rise: each set of sources is then met
//! once, and no two sets give the same position. For two different dice it is kept which pairs of sources have been played;
//! another pair gives the same position only where one checker goes all the way, or where both are borne off.

use game::roll::Roll;
use game::rule::RuleError;
use game::seat::Seat;
use serde_json::json;

use crate::backgammon::placement::{OWN_BAR, Placement, Step, step};

/// The dice of a throw that are left to be played: up to four, all alike or two different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    faces: [u8; 4],
    count: u8,
}

/// A legal way to play: the steps, and the checkers after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// The steps in an order in which they can be made. Of a double the rearmost checker moves first; of two different dice
    /// the larger one is used first, unless only the other order leads here.
    pub steps: Vec<Step>,
    /// The checkers after it.
    pub board_after: Placement,
}

/// The search, with room for what it finds: to be kept and used again where many throws are looked at.
#[derive(Debug)]
pub struct PlayGenerator {
    found: Vec<Node>,
}

const HOME: u32 = 0b111_1110;
const POINTS: u32 = 0x1ff_fffe;
/// The number for one checker on each point. Shifting so wide a number costs more than looking it up.
const ONE: [u128; 32] = {
    let mut one = [1; 32];
    let mut point = 1;
    while point < one.len() {
        one[point] = one[point - 1] << 4;
        point += 1;
    }
    one
};

#[derive(Clone, Copy, Debug)]
struct Node {
    own: u128,
    /// The blots that were hit, as the mover counts.
    hits: u32,
    /// The steps so far, a byte each, the last one lowest: the source, and the die.
    path: u32,
    steps: u8,
}

#[derive(Clone, Copy)]
struct View {
    open: u32,
    blots: u32,
    overshoot: bool,
}

impl Dice {
    /// The absence of dice.
    pub const NONE: Dice = Dice { faces: [0; 4], count: 0 };

    /// Returns the dice of a fresh throw: a double is played four times.
    pub fn from_roll([one, two]: Roll) -> Dice {
        if one == two { Dice { faces: [one; 4], count: 4 } } else { Dice { faces: [one, two, 0, 0], count: 2 } }
    }

    /// Returns the dice that are left of a throw, as other programs write them. Two equal dice are a fresh double.
    ///
    /// # Errors
    /// `INVALID_STATE` for a list that no throw leaves.
    pub fn from_remaining(list: &[u8]) -> Result<Dice, RuleError> {
        let fair = list.iter().all(|die| (1..=6).contains(die));
        match *list {
            [] => Ok(Dice::NONE),
            [one] if fair => Ok(Dice { faces: [one, 0, 0, 0], count: 1 }),
            [one, two] if fair => Ok(Dice::from_roll([one, two])),
            [one, _, _] | [one, _, _, _] if fair && list.iter().all(|die| *die == one) => {
                Ok(Dice { faces: [one; 4], count: list.len() as u8 })
            }
            _ => Err(RuleError::new(
                "INVALID_STATE",
                "Invalid dice: `dice` has to be what is left of a roll: at most two dice, or four of a double, each 1 to 6",
                json!({ "dice": list }),
            )),
        }
    }

    /// Returns the dice, each as often as it can be played.
    pub fn faces(&self) -> &[u8] {
        &self.faces[..usize::from(self.count)]
    }

    /// Returns the dice without one of these.
    pub fn without(&self, die: u8) -> Dice {
        let Some(at) = self.faces().iter().position(|face| *face == die) else { return *self };
        let mut rest = *self;
        rest.faces.copy_within(at + 1.., at);
        rest.faces[3] = 0;
        rest.count -= 1;
        rest
    }
}

/// Returns every distinct position that a throw can be played to, in the order of the rearmost checkers. There is none when
/// no checker can move.
pub fn legal_plays(board: &Placement, seat: Seat, dice: Dice, overshoot: bool) -> Vec<Play> {
    let mut generator = PlayGenerator::default();
    generator.generate(board, seat, dice, overshoot);
    generator.found.iter().map(|node| Play { steps: node.steps(seat), board_after: node.after(board, seat) }).collect()
}

impl Default for PlayGenerator {
    fn default() -> PlayGenerator {
        PlayGenerator { found: Vec::with_capacity(64) }
    }
}

impl PlayGenerator {
    /// Finds every distinct position that a throw can be played to, and gives their number.
    pub fn generate(&mut self, board: &Placement, seat: Seat, dice: Dice, overshoot: bool) -> usize {
        self.found.clear();
        let own = board.sides[seat.index()];
        let view = View::of(board, seat, overshoot);
        let start = Node { own, hits: 0, path: 0, steps: 0 };
        let held = at_least(own)[0] & !1;
        match *dice.faces() {
            [] => {}
            [one, two] if one != two => {
                self.either(view, start, held, u32::from(one.max(two)), u32::from(one.min(two)));
            }
            [die, ..] => {
                let mut most = 1;
                self.alike(view, start, held, u32::from(die), u32::MAX, dice.count, &mut most);
            }
        }
        self.found.len()
    }

    /// Returns the positions that the last search has found, on the board that it was given.
    pub fn boards(&self, board: &Placement, seat: Seat) -> impl Iterator<Item = Placement> {
        self.found.iter().map(move |node| node.after(board, seat))
    }

    /// Searches dice that are all alike: `below` are the sources that come next, `most` is the number of dice that
    /// could be used so far.
    #[allow(clippy::too_many_arguments)]
    fn alike(&mut self, view: View, node: Node, held: u32, die: u32, below: u32, left: u8, most: &mut u8) {
        let sources = view.sources(held, die) & below;
        let reached = node.steps + u8::from(sources != 0);
        if (sources == 0 || left == 1) && reached > *most {
            self.found.clear();
            *most = reached;
        }
        if sources == 0 {
            if node.steps == *most {
                self.found.push(node);
            }
        } else if left == 1 {
            self.found.extend(bits(sources).map(|from| node.moved(view, from, die)));
        } else {
            for from in bits(sources) {
                let next = node.moved(view, from, die);
                self.alike(view, next, next.held(held, from, die), die, (2 << from) - 1, left - 1, most);
            }
        }
    }

    /// Searches two different dice: both in either order; else one of them, the larger if it can be played.
    fn either(&mut self, view: View, start: Node, held: u32, larger: u32, smaller: u32) {
        // For each source of the smaller die, the sources of the larger one that it has been played with.
        let mut done = [0_u32; 32];
        let is_done = |done: &[u32; 32], from: u32, with: u32| done[with as usize & 31] >> from & 1 != 0;
        // Whether another pair of sources, played before, gives the same position: both checkers are borne off, each by the
        // other's die, or one checker goes all the way, and no blot stands on one way or the other.
        let again = |done: &[u32; 32], from: u32, with: u32| {
            let exchanged = from.max(with) <= smaller && is_done(done, with, from);
            exchanged || {
                let other = with.saturating_sub(larger);
                let quiet = view.blots & (1 << from | 1 << other) == 0;
                from + smaller == with && other > 0 && quiet && is_done(done, with, other)
            }
        };
        for from in bits(view.sources(held, larger)) {
            let node = start.moved(view, from, larger);
            for with in bits(view.sources(node.held(held, from, larger), smaller)) {
                if !again(&done, from, with) {
                    done[with as usize & 31] |= 1 << from;
                    self.found.push(node.moved(view, with, smaller));
                }
            }
        }
        for with in bits(view.sources(held, smaller)) {
            let node = start.moved(view, with, smaller);
            let sources = view.sources(node.held(held, with, smaller), larger) & !done[with as usize & 31];
            for from in bits(sources) {
                if !again(&done, from, with) {
                    done[with as usize & 31] |= 1 << from;
                    self.found.push(node.moved(view, from, larger));
                }
            }
        }
        for die in [larger, smaller] {
            if self.found.is_empty() {
                self.found.extend(bits(view.sources(held, die)).map(|from| start.moved(view, from, die)));
            }
        }
    }
}

/// Returns the points of a mask, the rearmost first.
fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let point = mask.checked_ilog2()?;
        mask ^= 1 << point;
        Some(point)
    })
}

/// Returns the points on which a side has at least one checker, and those with at least two; the bar and the tray
/// count, too.
fn at_least(side: u128) -> [u32; 2] {
    let two = side >> 1 | side >> 2 | side >> 3;
    [side | two, two].map(|lowest| narrow(lowest as u64) | narrow((lowest >> 64) as u64) << 16)
}

/// Returns the lowest bit of each of 16 nibbles, side by side.
fn narrow(nibbles: u64) -> u32 {
    let mut bits = nibbles & 0x1111_1111_1111_1111;
    bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) as u32 & 0xffff
}

impl View {
    fn of(board: &Placement, seat: Seat, overshoot: bool) -> View {
        // Their point 1 is the mover's 24.
        let turned = |points: u32| points.reverse_bits() >> (u32::BITS - 1 - OWN_BAR);
        let [one, two] = at_least(board.sides[seat.other().index()]).map(turned);
        View { open: !two & POINTS, blots: one & !two & POINTS, overshoot }
    }

    /// Returns the points from which a checker can be moved by a die.
    fn sources(self, held: u32, die: u32) -> u32 {
        if held >> OWN_BAR != 0 {
            return (self.open >> (OWN_BAR - die) & 1) << OWN_BAR;
        }
        let within = held & (self.open << die) & POINTS;
        if held & !HOME != 0 || held == 0 {
            return within;
        }
        let exact = held & 1 << die;
        let beyond = match held.ilog2() {
            _ if self.overshoot => held & ((1 << die) - 1),
            rearmost if rearmost < die => 1 << rearmost,
            _ => 0,
        };
        within | exact | beyond
    }
}

impl Node {
    fn moved(self, view: View, from: u32, die: u32) -> Node {
        let to = from.saturating_sub(die);
        Node {
            own: self.own - ONE[from as usize & 31] + ONE[to as usize & 31],
            hits: self.hits | view.blots & 1 << to,
            path: self.path << 8 | from << 3 | die,
            steps: self.steps + 1,
        }
    }

    /// Returns the points that the mover holds after this last step, the bar among them.
    fn held(&self, before: u32, from: u32, die: u32) -> u32 {
        let left = self.own & (ONE[from as usize & 31] * 15) == 0;
        (before ^ u32::from(left) << from | 1 << from.saturating_sub(die)) & !1
    }

    fn steps(&self, seat: Seat) -> Vec<Step> {
        let taken = (0..u32::from(self.steps)).rev().map(|at| self.path >> (8 * at) & 255);
        taken
            .map(|byte| {
                let (from, die) = (byte >> 3, byte & 7);
                step(seat, from, from.saturating_sub(die), die as u8)
            })
            .collect()
    }

    fn after(&self, board: &Placement, seat: Seat) -> Placement {
        let mut after = *board;
        after.sides[seat.index()] = self.own;
        let theirs = &mut after.sides[seat.other().index()];
        for point in bits(self.hits) {
            *theirs = *theirs - (1 << (4 * (OWN_BAR - point))) + (1 << (4 * OWN_BAR));
        }
        after
    }
}
