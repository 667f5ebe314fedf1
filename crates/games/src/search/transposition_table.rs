//! A table of positions that were met before, of a fixed size.

/// What a value in the table says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is the true one.
    Exact,
    /// The true value is this or more.
    Lower,
    /// The true value is this or less.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct TableEntry<M> {
    key: u64,
    /// The best move that was found, to be tried first.
    pub mv: Option<M>,
    /// The value for the side on turn.
    pub value: i32,
    /// The plies that were looked ahead.
    pub depth: i16,
    /// What the value says.
    pub bound: Bound,
}

/// The table: places for two positions at each index. The first holds what took most work, the second what came last.
#[derive(Debug)]
pub struct TranspositionTable<M> {
    places: Vec<[Option<TableEntry<M>>; 2]>,
}

impl<M: Copy> TranspositionTable<M> {
    /// Returns an empty table for about so many positions, a power of two.
    pub fn new(positions: usize) -> TranspositionTable<M> {
        TranspositionTable { places: vec![[None; 2]; (positions / 2).next_power_of_two()] }
    }

    /// Returns what is known of the position with this key.
    pub fn probe(&self, key: u64) -> Option<&TableEntry<M>> {
        self.places.get(self.index(key))?.iter().flatten().find(|known| known.key == key)
    }

    /// Writes down what was found about the position with this key.
    pub fn store(&mut self, key: u64, mv: Option<M>, value: i32, depth: i16, bound: Bound) {
        let index = self.index(key);
        let Some([deep, last]) = self.places.get_mut(index) else { return };
        let known = TableEntry { key, mv, value, depth, bound };
        match deep {
            // What was found here before by more work is worth keeping only if it is another position.
            Some(old) if old.key != key && old.depth > depth => *last = Some(known),
            Some(old) if old.key == key => *old = TableEntry { mv: mv.or(old.mv), ..known },
            _ => *last = deep.replace(known).or(*last),
        }
    }

    fn index(&self, key: u64) -> usize {
        // The upper half: keys that were made by hand differ least there when mixed, and an index needs no more.
        (key >> 32) as usize & (self.places.len() - 1)
    }
}
