//! Every way to play a throw, each resulting position once.
//!
//! What can be landed on does not change while one side moves (a blot that is hit only leaves), so a mask of open points is
//! worked out once, and the sources for a die are that mask shifted by the die. Doubles are searched with sources that
//! never rise: each set of sources is then met once, and no two sets give the same position. For two different dice both
//! orders are tried, and positions that have been met are looked up.

use serde_json::json;

use super::board::{Board, OWN_BAR, Step, step};
use crate::dice::Throw;
use crate::game::{RuleError, Seat};

/// What is left to be played of a throw: up to four dice, all alike or two different ones.
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
    pub after: Board,
}

/// The search, with room for what it finds: to be kept and used again where many throws are looked at.
#[derive(Debug)]
pub struct Generator {
    found: Vec<Node>,
    met: Box<[u16; SLOTS]>,
}

/// Two different dice lead to fewer than 2 x 15 x 16 positions.
const SLOTS: usize = 512;
const HOME: u32 = 0b111_1110;
const POINTS: u32 = 0x1ff_fffe;

#[derive(Clone, Copy, Debug)]
struct Node {
    own: u128,
    /// The blots that were hit, as the mover counts.
    hits: u32,
    /// The points that the mover holds, the bar among them.
    held: u32,
    /// The steps so far, a byte each: the source, and the die.
    path: [u8; 4],
    steps: u8,
}

#[derive(Clone, Copy)]
struct View {
    open: u32,
    blots: u32,
    overshoot: bool,
}

impl Dice {
    /// No dice.
    pub const NONE: Dice = Dice { faces: [0; 4], count: 0 };

    /// A fresh throw: a double is played four times.
    #[must_use]
    pub fn thrown([one, two]: Throw) -> Dice {
        if one == two { Dice { faces: [one; 4], count: 4 } } else { Dice { faces: [one, two, 0, 0], count: 2 } }
    }

    /// What is left of a throw, as other programs write it. Two equal dice are a fresh double.
    ///
    /// # Errors
    /// `INVALID_STATE` for a list that no throw leaves.
    pub fn left(list: &[u8]) -> Result<Dice, RuleError> {
        let fair = list.iter().all(|die| (1..=6).contains(die));
        match *list {
            [] => Ok(Dice { faces: [0; 4], count: 0 }),
            [one] if fair => Ok(Dice { faces: [one, 0, 0, 0], count: 1 }),
            [one, two] if fair => Ok(Dice::thrown([one, two])),
            [one, _, _] | [one, _, _, _] if fair && list.iter().all(|die| *die == one) => {
                Ok(Dice { faces: [one; 4], count: list.len() as u8 })
            }
            _ => Err(RuleError {
                code: "INVALID_STATE",
                message: "Invalid dice: `dice` is what is left of a throw, from no die to two, or up to four of a double, each 1 to 6".to_owned(),
                context: json!({ "dice": list }),
            }),
        }
    }

    /// The dice, each as often as it can be played.
    #[must_use]
    pub fn faces(&self) -> &[u8] {
        &self.faces[..usize::from(self.count)]
    }

    /// The dice without one of these.
    #[must_use]
    pub fn without(&self, die: u8) -> Dice {
        let Some(at) = self.faces().iter().position(|face| *face == die) else { return *self };
        let mut rest = *self;
        rest.faces.copy_within(at + 1.., at);
        rest.faces[3] = 0;
        rest.count -= 1;
        rest
    }
}

/// Every distinct position that a throw can be played to, in the order of the rearmost checkers. Empty when nothing moves.
#[must_use]
pub fn plays(board: &Board, seat: Seat, dice: Dice, overshoot: bool) -> Vec<Play> {
    let mut generator = Generator::default();
    generator.search(board, seat, dice, overshoot);
    generator.found.iter().map(|node| Play { steps: node.steps(seat), after: node.after(board, seat) }).collect()
}

/// How many dice can be used at most.
#[must_use]
pub fn usable(board: &Board, seat: Seat, dice: Dice, overshoot: bool) -> u8 {
    let mut generator = Generator::default();
    generator.search(board, seat, dice, overshoot);
    generator.found.first().map_or(0, |node| node.steps)
}

impl Default for Generator {
    fn default() -> Generator {
        Generator { found: Vec::with_capacity(64), met: Box::new([0; SLOTS]) }
    }
}

impl Generator {
    /// Finds every distinct position that a throw can be played to, and gives their number.
    pub fn search(&mut self, board: &Board, seat: Seat, dice: Dice, overshoot: bool) -> usize {
        self.found.clear();
        let own = board.sides[seat.index()];
        let view = View::of(board, seat, overshoot);
        let start = Node { own, hits: 0, held: held(own), path: [0; 4], steps: 0 };
        match *dice.faces() {
            [] => {}
            [one, two] if one != two => self.either(view, start, u32::from(one.max(two)), u32::from(one.min(two))),
            [die, ..] => {
                let mut most = 1;
                self.alike(view, start, u32::from(die), OWN_BAR, dice.count, &mut most);
            }
        }
        self.found.len()
    }

    /// The positions that the last search has found, on the board that it was given.
    pub fn boards(&self, board: &Board, seat: Seat) -> impl Iterator<Item = Board> {
        self.found.iter().map(move |node| node.after(board, seat))
    }

    /// Dice that are all alike: `most` is how many could be used so far.
    fn alike(&mut self, view: View, node: Node, die: u32, highest: u32, left: u8, most: &mut u8) {
        let mut sources = if left == 0 { 0 } else { view.sources(node.held, die) & ((2 << highest) - 1) };
        if sources == 0 {
            if node.steps > *most {
                self.found.clear();
                *most = node.steps;
            }
            if node.steps == *most {
                self.found.push(node);
            }
            return;
        }
        while sources != 0 {
            let from = sources.ilog2();
            sources ^= 1 << from;
            self.alike(view, node.moved(view, from, die), die, from, left - 1, most);
        }
    }

    /// Two different dice: both in either order; else one of them, the larger if it can be played.
    fn either(&mut self, view: View, start: Node, larger: u32, smaller: u32) {
        self.met.fill(0);
        for (first, second) in [(larger, smaller), (smaller, larger)] {
            for node in sources(view, start, first) {
                for both in sources(view, node, second) {
                    self.meet(both);
                }
            }
        }
        for die in [larger, smaller] {
            if self.found.is_empty() {
                self.found.extend(sources(view, start, die));
            }
        }
    }

    /// Keeps a position if it is new.
    fn meet(&mut self, node: Node) {
        let mixed = (node.own as u64 ^ (node.own >> 59) as u64 ^ u64::from(node.hits) << 17)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (mixed >> 55) as usize;
        loop {
            match self.met[slot] {
                0 => break,
                at => {
                    let there = &self.found[usize::from(at) - 1];
                    if there.own == node.own && there.hits == node.hits {
                        return;
                    }
                }
            }
            slot = (slot + 1) % SLOTS;
        }
        self.found.push(node);
        self.met[slot] = self.found.len() as u16;
    }
}

/// The positions one step ahead, the rearmost checker first.
fn sources(view: View, node: Node, die: u32) -> impl Iterator<Item = Node> {
    let mut sources = view.sources(node.held, die);
    std::iter::from_fn(move || {
        let from = sources.checked_ilog2()?;
        sources ^= 1 << from;
        Some(node.moved(view, from, die))
    })
}

/// The points that a side holds, as it counts.
fn held(side: u128) -> u32 {
    (1..=OWN_BAR).fold(0, |held, point| held | u32::from(side >> (4 * point) & 15 != 0) << point)
}

impl View {
    fn of(board: &Board, seat: Seat, overshoot: bool) -> View {
        let theirs = board.sides[seat.other().index()];
        let (mut open, mut blots) = (0, 0);
        for point in 1..OWN_BAR {
            let count = theirs >> (4 * (OWN_BAR - point)) & 15;
            open |= u32::from(count < 2) << point;
            blots |= u32::from(count == 1) << point;
        }
        View { open, blots, overshoot }
    }

    /// The points from which a checker can be moved by a die.
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
    fn moved(mut self, view: View, from: u32, die: u32) -> Node {
        let to = from.saturating_sub(die);
        self.own = self.own - (1 << (4 * from)) + (1 << (4 * to));
        if self.own >> (4 * from) & 15 == 0 {
            self.held &= !(1 << from);
        }
        if to > 0 {
            self.held |= 1 << to;
            self.hits |= view.blots & 1 << to;
        }
        self.path[usize::from(self.steps)] = (from << 3 | die) as u8;
        self.steps += 1;
        self
    }

    fn steps(&self, seat: Seat) -> Vec<Step> {
        let path = &self.path[..usize::from(self.steps)];
        let taken = path.iter().map(|byte| (u32::from(byte >> 3), byte & 7));
        taken.map(|(from, die)| step(seat, from, from.saturating_sub(u32::from(die)), die)).collect()
    }

    fn after(&self, board: &Board, seat: Seat) -> Board {
        let mut after = *board;
        after.sides[seat.index()] = self.own;
        let theirs = &mut after.sides[seat.other().index()];
        let mut hits = self.hits;
        while hits != 0 {
            let point = hits.trailing_zeros();
            hits &= hits - 1;
            *theirs = *theirs - (1 << (4 * (OWN_BAR - point))) + (1 << (4 * OWN_BAR));
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_as_many_plays_as_the_books_say() {
        let counts: Vec<usize> = (1..=6)
            .flat_map(|one| (one..=6).map(move |two| [one, two]))
            .map(|throw| plays(&Board::START, Seat::First, Dice::thrown(throw), false).len())
            .collect();
        assert_eq!(counts, [42, 15, 16, 14, 8, 10, 75, 17, 18, 8, 14, 73, 17, 9, 14, 52, 9, 14, 4, 7, 11]);
        assert_eq!(counts.iter().sum::<usize>(), 447);
    }
}
