//! What the solver has found out about positions, in a table of a fixed size.

use crate::connect_four::perfect::usual::Goal;

/// The places in which a position may stand.
const WAYS: usize = 4;
/// The bits of a position's number.
const KEY: u64 = (1 << 49) - 1;
/// The first bit of the work that an answer has cost.
const WORK: u32 = 58;

/// What is known: the side on turn wins, does not win, draws at least, loses.
const WINS: u64 = 1 << 49;
const WINS_NOT: u64 = 1 << 50;
const DRAWS: u64 = 1 << 51;
const DRAWS_NOT: u64 = 1 << 52;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct Answers(u64);

impl Answers {
    /// Returns whether the side on turn reaches a goal, if that is known.
    #[inline]
    pub fn known(self, goal: Goal) -> Option<bool> {
        let [yes, no] = if goal == Goal::Win { [WINS, WINS_NOT] } else { [DRAWS, DRAWS_NOT] };
        (self.0 & (yes | no) != 0).then_some(self.0 & yes != 0)
    }
}

/// The table: a number of eight bytes for each position, with all bits of the position, so that no two are ever mixed up.
#[derive(Debug)]
pub struct Memory {
    places: Vec<[u64; WAYS]>,
}

impl Memory {
    /// Returns an empty table for so many positions, a power of two.
    pub fn new(positions: usize) -> Memory {
        Memory { places: vec![[0; WAYS]; (positions / WAYS).next_power_of_two()] }
    }

    /// Returns what is known of a position, by its number.
    #[inline]
    pub fn get(&self, key: u64) -> Answers {
        let places = &self.places[self.index(key)];
        Answers(places.iter().find(|place| **place & KEY == key).copied().unwrap_or_default())
    }

    /// Writes down the answer to a question that has cost so many nodes.
    pub fn put(&mut self, key: u64, goal: Goal, answer: bool, nodes: u64) {
        let index = self.index(key);
        let places = &mut self.places[index];
        let answers = match (goal, answer) {
            (Goal::Win, true) => WINS | DRAWS,
            (Goal::Win, false) => WINS_NOT,
            (Goal::Draw, true) => DRAWS,
            (Goal::Draw, false) => WINS_NOT | DRAWS_NOT,
        };
        let work = u64::from(nodes.checked_ilog2().unwrap_or_default()) << WORK;
        if let Some(place) = places.iter_mut().find(|place| **place & KEY == key) {
            *place = (*place & ((1 << WORK) - 1) | answers) | work.max(*place >> WORK << WORK);
            return;
        }
        // What was least work goes first.
        let Some(place) = places.iter_mut().min_by_key(|place| **place >> WORK) else { return };
        *place = key | answers | work;
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.places.len() - 1)
    }
}
