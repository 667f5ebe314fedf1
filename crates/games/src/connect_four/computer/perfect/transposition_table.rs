//! The solver's transposition table.

use crate::connect_four::computer::perfect::standard_board::Goal;

/// The number of entries in a bucket. A position can be in any entry of its bucket.
const BUCKET_SIZE: usize = 4;
/// The bits of an entry that hold the position's key.
const KEY_MASK: u64 = (1 << 49) - 1;
/// The lowest of an entry's bits that hold the binary logarithm of its nodes.
const WORK_SHIFT: u32 = 58;

// The results for the side to move: it wins, doesn't win, at least draws, loses.
const WINS: u64 = 1 << 49;
const NO_WIN: u64 = 1 << 50;
const DRAWS: u64 = 1 << 51;
const NO_DRAW: u64 = 1 << 52;

/// The known results of a position.
#[derive(Clone, Copy, Debug)]
pub struct KnownResults(u64);

impl KnownResults {
    /// Whether the side to move reaches a goal, or `None` if that isn't known.
    #[inline]
    pub fn reaches(self, goal: Goal) -> Option<bool> {
        let [yes, no] = if goal == Goal::Win { [WINS, NO_WIN] } else { [DRAWS, NO_DRAW] };
        if self.0 & (yes | no) == 0 { None } else { Some(self.0 & yes != 0) }
    }
}

/// A table of eight-byte entries. An entry contains the whole key, so there are no collisions.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Vec<[u64; BUCKET_SIZE]>,
}

impl TranspositionTable {
    /// Returns an empty table for `positions` positions, a power of two.
    pub fn new(positions: usize) -> TranspositionTable {
        TranspositionTable { buckets: vec![[0; BUCKET_SIZE]; (positions / BUCKET_SIZE).next_power_of_two()] }
    }

    /// Returns the known results of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> KnownResults {
        let entries = &self.buckets[self.index(key)];
        KnownResults(entries.iter().find(|entry| **entry & KEY_MASK == key).copied().unwrap_or_default())
    }

    /// Stores whether the side to move reaches a goal. `nodes` is the number of nodes that the answer took.
    pub fn put(&mut self, key: u64, goal: Goal, answer: bool, nodes: u64) {
        let index = self.index(key);
        let entries = &mut self.buckets[index];
        let results = match (goal, answer) {
            (Goal::Win, true) => WINS | DRAWS,
            (Goal::Win, false) => NO_WIN,
            (Goal::Draw, true) => DRAWS,
            (Goal::Draw, false) => NO_WIN | NO_DRAW,
        };
        let work = u64::from(nodes.checked_ilog2().unwrap_or_default()) << WORK_SHIFT;
        if let Some(entry) = entries.iter_mut().find(|entry| **entry & KEY_MASK == key) {
            *entry = (*entry & ((1 << WORK_SHIFT) - 1) | results) | work.max(*entry >> WORK_SHIFT << WORK_SHIFT);
            return;
        }
        // Replace the entry that took the least work.
        let Some(entry) = entries.iter_mut().min_by_key(|entry| **entry >> WORK_SHIFT) else { return };
        *entry = key | results | work;
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.buckets.len() - 1)
    }
}
