//! What the solver has found out about positions, in a table of a fixed size.

use crate::connect_four::perfect::standard_board::Goal;

/// The places in which a position may stand.
const BUCKET_SIZE: usize = 4;
/// The bits of a position's number.
const KEY_MASK: u64 = (1 << 49) - 1;
/// The first bit of the work that an answer has cost.
const WORK_SHIFT: u32 = 58;

/// What is known: the side on turn wins, does not win, draws at least, loses.
const WINS: u64 = 1 << 49;
const NO_WIN: u64 = 1 << 50;
const DRAWS: u64 = 1 << 51;
const NO_DRAW: u64 = 1 << 52;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct KnownResults(u64);

impl KnownResults {
    /// Returns whether the side on turn reaches a goal, if that is known.
    #[inline]
    pub fn reaches(self, goal: Goal) -> Option<bool> {
        let [yes, no] = if goal == Goal::Win { [WINS, NO_WIN] } else { [DRAWS, NO_DRAW] };
        (self.0 & (yes | no) != 0).then_some(self.0 & yes != 0)
    }
}

/// The table: a number of eight bytes for each position, with all bits of the position, so that no two are ever mixed up.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Vec<[u64; BUCKET_SIZE]>,
}

impl TranspositionTable {
    /// Returns an empty table for so many positions, a power of two.
    pub fn new(positions: usize) -> TranspositionTable {
        TranspositionTable { buckets: vec![[0; BUCKET_SIZE]; (positions / BUCKET_SIZE).next_power_of_two()] }
    }

    /// Returns what is known of a position, by its number.
    #[inline]
    pub fn get(&self, key: u64) -> KnownResults {
        let places = &self.buckets[self.index(key)];
        KnownResults(places.iter().find(|place| **place & KEY_MASK == key).copied().unwrap_or_default())
    }

    /// Writes down the answer to a question that has cost so many nodes.
    pub fn put(&mut self, key: u64, goal: Goal, answer: bool, nodes: u64) {
        let index = self.index(key);
        let places = &mut self.buckets[index];
        let answers = match (goal, answer) {
            (Goal::Win, true) => WINS | DRAWS,
            (Goal::Win, false) => NO_WIN,
            (Goal::Draw, true) => DRAWS,
            (Goal::Draw, false) => NO_WIN | NO_DRAW,
        };
        let work = u64::from(nodes.checked_ilog2().unwrap_or_default()) << WORK_SHIFT;
        if let Some(place) = places.iter_mut().find(|place| **place & KEY_MASK == key) {
            *place = (*place & ((1 << WORK_SHIFT) - 1) | answers) | work.max(*place >> WORK_SHIFT << WORK_SHIFT);
            return;
        }
        // What was least work goes first.
        let Some(place) = places.iter_mut().min_by_key(|place| **place >> WORK_SHIFT) else { return };
        *place = key | answers | work;
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.buckets.len() - 1)
    }
}
