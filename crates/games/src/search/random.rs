//! A seeded pseudorandom number generator.

use game::roll::Roll;

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
