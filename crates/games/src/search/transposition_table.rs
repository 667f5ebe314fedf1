//! A transposition table of fixed size.

/// How a stored value bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The stored value is exact.
    Exact,
    /// The stored value is a lower bound.
    Lower,
    /// The stored value is an upper bound.
    Upper,
}

impl Bound {
    /// Returns the kind of a search's result, `best`, for the window from `alpha` to `beta`.
    pub fn from_search(best: i32, alpha: i32, beta: i32) -> Bound {
        if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
pub struct TableEntry<M> {
    key: u64,
    /// The best move found, if any; the next search tries it first.
    pub mv: Option<M>,
    /// The value for the side to move.
    pub value: i32,
    /// The depth of the search in plies.
    pub depth: i16,
    /// The kind of the value.
    pub bound: Bound,
}

/// A table with two slots per index. The first prefers the deeper search, and the second always takes the newest.
#[derive(Debug)]
pub struct TranspositionTable<M> {
    slots: Vec<[Option<TableEntry<M>>; 2]>,
}

impl<M: Copy> TranspositionTable<M> {
    /// Returns an empty table for about this number of positions, rounded up to a power of two.
    pub fn new(positions: usize) -> TranspositionTable<M> {
        TranspositionTable { slots: vec![[None; 2]; (positions / 2).next_power_of_two()] }
    }

    /// Returns the entry with this key.
    pub fn probe(&self, key: u64) -> Option<&TableEntry<M>> {
        self.slots.get(self.index(key))?.iter().flatten().find(|known| known.key == key)
    }

    /// Stores the result of searching the position with this key.
    pub fn store(&mut self, key: u64, mv: Option<M>, value: i32, depth: i16, bound: Bound) {
        let index = self.index(key);
        let Some([deepest, newest]) = self.slots.get_mut(index) else { return };
        let entry = TableEntry { key, mv, value, depth, bound };
        match deepest {
            // Keep a deeper entry only if it belongs to another position.
            Some(old) if old.key != key && old.depth > depth => *newest = Some(entry),
            Some(old) if old.key == key => *old = TableEntry { mv: mv.or(old.mv), ..entry },
            _ => *newest = deepest.replace(entry).or(*newest),
        }
    }

    fn index(&self, key: u64) -> usize {
        // Use the upper half, which the multiplication at the end of most keys mixes best. An index needs no more bits.
        (key >> 32) as usize & (self.slots.len() - 1)
    }
}
