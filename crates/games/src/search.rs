//! The code that the searches of several computer opponents share.
//!
//! Every search is a pure function of a position, a level and a seed. Nodes limit it, never time, so it picks the same
//! move on every machine. It uses no threads, clocks, global state, or floating point in its decisions.
//!
//! A game with an evaluation implements [`alpha_beta::SearchPosition`] and calls [`alpha_beta::search`].

pub(crate) mod alpha_beta;

use game::{Engine, EngineMove, Level, Outcome, Roll};

// Sorting for move ordering.

/// Sorts a list by ascending key; the sort is stable.
///
/// It's an insertion sort, which is fastest for the short and nearly sorted lists of a search. It also has a twentieth of the
/// code size of a general sort, which the compiler would instantiate for each game's list types.
pub(crate) fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..list.len() {
        let item_key = key(&list[end]);
        let mut index = end;
        while index > 0 && item_key < key(&list[index - 1]) {
            list.swap(index, index - 1);
            index -= 1;
        }
    }
}

// Fixed-point math, with the same results on every machine.

/// One, in fixed point.
pub(crate) const ONE: u32 = 1 << 16;

/// Returns the natural logarithm of an integer in fixed point, with an error of at most 0.06; 0 for 0.
pub(crate) fn ln(number: u32) -> u32 {
    let Some(power) = number.checked_ilog2() else { return 0 };
    // Interpolate linearly between powers of two.
    let rest = ((u64::from(number) << 16) >> power) - u64::from(ONE);
    let binary = (u64::from(power) << 16) + rest;
    // The natural logarithm of two, in fixed point.
    u32::try_from((binary * 45_426) >> 16).unwrap_or(u32::MAX)
}

/// Returns the square root of a fixed-point number, in fixed point.
pub(crate) fn sqrt(number: u32) -> u32 {
    u32::try_from((u64::from(number) << 16).isqrt()).unwrap_or(u32::MAX)
}

// A seeded pseudorandom number generator.

/// A [SplitMix64](https://prng.di.unimi.it/splitmix64.c) generator. It only varies the computer's play, and never rolls
/// a table's dice.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns a generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let wide = u128::from(self.next_u64()) * end as u128;
        usize::try_from(wide >> 64).unwrap_or_default()
    }

    /// Returns a roll of two dice.
    pub fn roll(&mut self) -> Roll {
        let mut die = || u8::try_from(self.below(6)).unwrap_or_default() + 1;
        [die(), die()]
    }
}

// The move of level 0, in the games that have it.

/// How many wins in one level 0 sees, of 100.
const WINS_SEEN: usize = 60;

/// Returns the move of level 0, which plays weakly but honestly, so that a child can win. It takes most wins in one. Of its other
/// moves, it plays `skill` of 100 like level 1, and the rest at random. The score is level 1's.
pub(crate) fn choose_weakly<G: Engine>(game: &G, skill: usize, seed: u64) -> Option<EngineMove<G::Move>> {
    let mut random = Random::new(seed);
    let usual = game.choose(Level::ALL[0], random.next_u64())?;
    let (side, mut moves) = (game.side_to_move(), game.legal_moves());
    let wins = |mv: &G::Move| game.play(mv).outcome() == Some(Outcome::Won(side));
    let sees_win = random.below(100) < WINS_SEEN;
    if let Some(win) = moves.iter().position(wins).filter(|_| sees_win) {
        return Some(EngineMove { mv: moves.swap_remove(win), ..usual });
    }
    if random.below(100) < skill {
        return Some(usual);
    }
    Some(EngineMove { mv: moves.swap_remove(random.below(moves.len())), ..usual })
}

// A transposition table of fixed size.

/// How a stored value bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The stored value is exact.
    Exact,
    /// The stored value is a lower bound.
    Lower,
    /// The stored value is an upper bound.
    Upper,
}

impl Bound {
    /// Returns the kind of a search's result, `best`, for the window from `alpha` to `beta`.
    pub(crate) fn from_search(best: i32, alpha: i32, beta: i32) -> Bound {
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
pub(crate) struct TableEntry<M> {
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
pub(crate) struct TranspositionTable<M> {
    slots: Vec<[Option<TableEntry<M>>; 2]>,
}

impl<M: Copy> TranspositionTable<M> {
    /// Returns an empty table for about this number of positions, rounded up to a power of two.
    pub(crate) fn new(positions: usize) -> TranspositionTable<M> {
        TranspositionTable { slots: vec![[None; 2]; (positions / 2).next_power_of_two()] }
    }

    /// Returns an empty table for searches of this number of nodes, with at most 2^20 positions.
    pub(crate) fn for_nodes(nodes: u64) -> TranspositionTable<M> {
        TranspositionTable::new(usize::try_from(nodes).unwrap_or(usize::MAX).clamp(1 << 8, 1 << 20))
    }

    /// Returns the entry with this key.
    pub(crate) fn probe(&self, key: u64) -> Option<&TableEntry<M>> {
        self.slots.get(self.index(key))?.iter().flatten().find(|known| known.key == key)
    }

    /// Stores the result of searching the position with this key.
    pub(crate) fn store(&mut self, key: u64, mv: Option<M>, value: i32, depth: i16, bound: Bound) {
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
