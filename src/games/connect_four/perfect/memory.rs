//! What the solver has found out about positions, in a table of a fixed size.

/// The places in which a position may stand.
const WAYS: usize = 4;
/// The bits of a position's number.
const KEY: u64 = (1 << 49) - 1;
/// The first bit of the work that an answer has cost.
const WORK: u32 = 58;

/// What is known of a position. What is not known is `false`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer {
    /// Whether the side on turn wins.
    pub wins: bool,
    /// Whether it is known not to win.
    pub wins_not: bool,
    /// Whether it at least draws.
    pub draws: bool,
    /// Whether it is known not to draw, but to lose.
    pub draws_not: bool,
}

/// The table: a number of eight bytes for each position, with all bits of the position, so that no two are ever mixed up.
#[derive(Debug)]
pub struct Memory {
    places: Vec<[u64; WAYS]>,
}

/// The bits of what is known: the side on turn wins, does not win, draws, does not draw.
const FLAGS: [u64; 4] = [1 << 49, 1 << 50, 1 << 51, 1 << 52];

impl Memory {
    /// Returns an empty table for so many positions, a power of two.
    pub fn new(positions: usize) -> Memory {
        Memory { places: vec![[0; WAYS]; (positions / WAYS).next_power_of_two()] }
    }

    /// Returns what is known of a position, by its number.
    pub fn get(&self, key: u64) -> Answer {
        let places = &self.places[self.index(key)];
        let Some(place) = places.iter().find(|place| **place & KEY == key) else { return Answer::default() };
        let [wins, wins_not, draws, draws_not] = FLAGS.map(|flag| place & flag != 0);
        Answer { wins, wins_not, draws, draws_not }
    }

    /// Writes down the answer to a question that has cost so many nodes.
    pub fn put(&mut self, key: u64, win: bool, answer: bool, nodes: u64) {
        let index = self.index(key);
        let places = &mut self.places[index];
        let flags = match (win, answer) {
            (true, true) => FLAGS[0] | FLAGS[2],
            (true, false) => FLAGS[1],
            (false, true) => FLAGS[2],
            (false, false) => FLAGS[1] | FLAGS[3],
        };
        let work = u64::from(nodes.checked_ilog2().unwrap_or_default()) << WORK;
        if let Some(place) = places.iter_mut().find(|place| **place & KEY == key) {
            *place = (*place & ((1 << WORK) - 1) | flags) | work.max(*place >> WORK << WORK);
            return;
        }
        // What was least work goes, and ages: what is asked no more shall not stay for ever.
        let Some(place) = places.iter_mut().min_by_key(|place| **place >> WORK) else { return };
        *place = key | flags | work;
    }

    fn index(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.places.len() - 1)
    }
}
