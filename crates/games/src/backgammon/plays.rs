//! The play generator: finds every legal play of a roll, one for each resulting position.
//!
//! The points where a side can land don't change during its turn, since hitting a blot only removes it. So the
//! generator computes a mask of them once. The possible sources for a die are that mask shifted by the die.
//!
//! It never compares positions to find duplicates. For doubles, the sources of a play never ascend, so that each set of
//! sources comes up once, and different sets give different positions. For two different dice, it remembers which pairs
//! of sources it has played. Two pairs give the same position only if one checker moves with both dice, or if both
//! checkers are borne off.

use game::{InvalidState, Roll, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::backgammon::position::step;
use crate::backgammon::{OWN_BAR, Placement, Step};

/// The dice of a roll that are left to play: up to four, all equal or two different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    faces: [u8; 4],
    count: u8,
}

/// A legal play: its steps, and the placement after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// The steps in an order that can be played. In a double the rearmost checker moves first. Otherwise the larger die
    /// comes first, unless only the other order leads to this position.
    pub steps: Vec<Step>,
    /// The placement after the play.
    pub board_after: Placement,
}

/// A play generator with a reusable buffer.
#[derive(Debug)]
pub struct PlayGenerator {
    found: Vec<Node>,
}

/// The bits of the home board.
const HOME: u32 = 0b111_1110;
/// The bits of the 24 points.
const POINTS: u32 = 0x1ff_fffe;
/// One checker on each point, as a number. A lookup is faster than shifting a number this wide.
const ONE: [u128; 32] = {
    let mut one = [1; 32];
    let mut point = 1;
    while point < one.len() {
        one[point] = one[point - 1] << 4;
        point += 1;
    }
    one
};

/// A play in progress.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The mover's checkers, as in [`Placement`].
    own: u128,
    /// The blots hit, in the mover's numbers.
    hits: u32,
    /// The steps so far, one byte each with the last in the lowest byte: the source and the die.
    path: u32,
    steps: u8,
}

/// The points where the mover can land, in the mover's numbers.
#[derive(Clone, Copy)]
struct Targets {
    /// The points that the opponent hasn't made.
    open: u32,
    /// The opponent's blots.
    blots: u32,
    /// Whether a larger die bears off any checker.
    overshoot: bool,
}

impl Dice {
    /// No dice.
    pub const NONE: Dice = Dice { faces: [0; 4], count: 0 };

    /// Returns the dice of a new roll. A double is played four times.
    pub fn from_roll([one, two]: Roll) -> Dice {
        if one == two { Dice { faces: [one; 4], count: 4 } } else { Dice { faces: [one, two, 0, 0], count: 2 } }
    }

    /// Returns the dice left of a roll, as other programs write them. Two equal dice are a new double.
    ///
    /// # Errors
    /// Returns an error if no roll could leave these dice.
    pub fn from_remaining(list: &[u8]) -> Result<Dice, InvalidState> {
        let fair = list.iter().all(|die| (1..=6).contains(die));
        match *list {
            [] => Ok(Dice::NONE),
            [one] if fair => Ok(Dice { faces: [one, 0, 0, 0], count: 1 }),
            [one, two] if fair => Ok(Dice::from_roll([one, two])),
            [one, _, _] | [one, _, _, _] if fair && list.iter().all(|die| *die == one) => {
                Ok(Dice { faces: [one; 4], count: list.len() as u8 })
            }
            _ => {
                let message = "Invalid dice: `dice` has to be what is left of a roll: at most two dice, or four of a double, \
                               each 1 to 6";
                Err(InvalidState { message: message.to_owned(), context: json!({ "dice": list }) })
            }
        }
    }

    /// Returns the dice, each as often as it can be played.
    pub fn faces(&self) -> &[u8] {
        &self.faces[..usize::from(self.count)]
    }

    /// Returns the dice without one die of this value.
    pub fn without(&self, die: u8) -> Dice {
        let Some(at) = self.faces().iter().position(|face| *face == die) else { return *self };
        let mut rest = *self;
        rest.faces.copy_within(at + 1.., at);
        rest.faces[3] = 0;
        rest.count -= 1;
        rest
    }
}

/// Returns every legal play, one for each distinct resulting position, ordered by the rearmost checkers. The list is
/// empty if no checker can move.
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
    /// Finds every distinct position that a roll can lead to, and returns their number.
    pub fn generate(&mut self, board: &Placement, seat: Seat, dice: Dice, overshoot: bool) -> usize {
        self.found.clear();
        let own = board.sides[seat.index()];
        let targets = Targets::new(board, seat, overshoot);
        let start = Node { own, hits: 0, path: 0, steps: 0 };
        let held = points_with_one_and_two(own)[0] & !1;
        match *dice.faces() {
            [] => {}
            [one, two] if one != two => {
                self.search_two_dice(targets, start, held, u32::from(one.max(two)), u32::from(one.min(two)));
            }
            [die, ..] => {
                let mut most = 1;
                self.search_equal_dice(targets, start, held, u32::from(die), u32::MAX, dice.count, &mut most);
            }
        }
        self.found.len()
    }

    /// Returns the positions found by the last call of `generate`, which must have had the same board and seat.
    pub fn boards(&self, board: &Placement, seat: Seat) -> impl Iterator<Item = Placement> {
        self.found.iter().map(move |node| node.after(board, seat))
    }

    /// Searches the plays of a double. `below` is the mask of sources still allowed, and `most` the largest number of dice
    /// used so far.
    #[allow(clippy::too_many_arguments)]
    fn search_equal_dice(
        &mut self,
        targets: Targets,
        node: Node,
        held: u32,
        die: u32,
        below: u32,
        left: u8,
        most: &mut u8,
    ) {
        let sources = targets.sources(held, die) & below;
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
            self.found.extend(bits(sources).map(|from| node.moved(targets, from, die)));
        } else {
            for from in bits(sources) {
                let next = node.moved(targets, from, die);
                self.search_equal_dice(targets, next, next.held(held, from, die), die, (2 << from) - 1, left - 1, most);
            }
        }
    }

    /// Searches the plays of two different dice: both dice in either order, or else a single one, the larger if possible.
    fn search_two_dice(&mut self, targets: Targets, start: Node, held: u32, larger: u32, smaller: u32) {
        // For each source of the smaller die, the sources of the larger die that were played with it.
        let mut done = [0_u32; 32];
        let is_done = |done: &[u32; 32], from: u32, with: u32| done[with as usize & 31] >> from & 1 != 0;
        // Whether an earlier pair of sources gives the same position. That happens if both checkers are borne off with
        // either die, or if one checker moves with both dice and neither route has a blot.
        let is_duplicate = |done: &[u32; 32], from: u32, with: u32| {
            let exchanged = from.max(with) <= smaller && is_done(done, with, from);
            exchanged || {
                let other = with.saturating_sub(larger);
                let quiet = targets.blots & (1 << from | 1 << other) == 0;
                from + smaller == with && other > 0 && quiet && is_done(done, with, other)
            }
        };
        for from in bits(targets.sources(held, larger)) {
            let node = start.moved(targets, from, larger);
            for with in bits(targets.sources(node.held(held, from, larger), smaller)) {
                if !is_duplicate(&done, from, with) {
                    done[with as usize & 31] |= 1 << from;
                    self.found.push(node.moved(targets, with, smaller));
                }
            }
        }
        for with in bits(targets.sources(held, smaller)) {
            let node = start.moved(targets, with, smaller);
            let sources = targets.sources(node.held(held, with, smaller), larger) & !done[with as usize & 31];
            for from in bits(sources) {
                if !is_duplicate(&done, from, with) {
                    done[with as usize & 31] |= 1 << from;
                    self.found.push(node.moved(targets, from, larger));
                }
            }
        }
        for die in [larger, smaller] {
            if self.found.is_empty() {
                self.found.extend(bits(targets.sources(held, die)).map(|from| start.moved(targets, from, die)));
            }
        }
    }
}

/// Iterates over the points of a mask, the rearmost first.
fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let point = mask.checked_ilog2()?;
        mask ^= 1 << point;
        Some(point)
    })
}

/// Returns the points with at least one checker of a side, and those with at least two, including the bar and the tray.
fn points_with_one_and_two(side: u128) -> [u32; 2] {
    let two = side >> 1 | side >> 2 | side >> 3;
    [side | two, two].map(|lowest| pack_nibbles(lowest as u64) | pack_nibbles((lowest >> 64) as u64) << 16)
}

/// Packs the lowest bits of 16 nibbles.
fn pack_nibbles(nibbles: u64) -> u32 {
    let mut bits = nibbles & 0x1111_1111_1111_1111;
    bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) as u32 & 0xffff
}

impl Targets {
    fn new(board: &Placement, seat: Seat, overshoot: bool) -> Targets {
        // The opponent's 1 point is the mover's 24 point.
        let turned = |points: u32| points.reverse_bits() >> (u32::BITS - 1 - OWN_BAR);
        let [one, two] = points_with_one_and_two(board.sides[seat.other().index()]).map(turned);
        Targets { open: !two & POINTS, blots: one & !two & POINTS, overshoot }
    }

    /// Returns the points with a checker that this die can move.
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
    fn moved(self, targets: Targets, from: u32, die: u32) -> Node {
        let to = from.saturating_sub(die);
        Node {
            own: self.own - ONE[from as usize & 31] + ONE[to as usize & 31],
            hits: self.hits | targets.blots & 1 << to,
            path: self.path << 8 | from << 3 | die,
            steps: self.steps + 1,
        }
    }

    /// Returns the points that the mover occupies after the last step, including the bar.
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

// The moves of a game: plays and cube actions.

/// A move: a play or a cube action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "BackgammonMove")]
pub enum Move {
    /// A play.
    Play(Steps),
    /// A cube action.
    Cube(CubeMove),
}

/// The steps of a play, in canonical order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// In a record, these fields share an object with the event's own fields.
#[schemars(rename = "BackgammonSteps", extend("additionalProperties" = true))]
pub struct Steps {
    /// The steps, one per die.
    pub moves: Vec<Step>,
}

/// A cube action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// In a record, these fields share an object with the event's own fields.
#[schemars(rename = "BackgammonAction", extend("additionalProperties" = true))]
pub struct CubeMove {
    /// The action.
    pub cube: CubeAction,
}

/// The four cube actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BackgammonDeed")]
pub enum CubeAction {
    /// Rolls without doubling.
    Roll,
    /// Offers to double the stakes.
    Double,
    /// Accepts the double and becomes the owner of the cube.
    Take,
    /// Declines the double and loses the game at the old stakes.
    Drop,
}

impl CubeAction {
    /// All actions.
    pub const ALL: [CubeAction; 4] = [CubeAction::Roll, CubeAction::Double, CubeAction::Take, CubeAction::Drop];

    /// Returns the word for the action.
    pub fn word(self) -> &'static str {
        match self {
            CubeAction::Roll => "roll",
            CubeAction::Double => "double",
            CubeAction::Take => "take",
            CubeAction::Drop => "drop",
        }
    }
}
