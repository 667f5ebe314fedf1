//! A seeded random number generator that is the same on every machine.

/// A splitmix64 generator.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(mix(seed, 0x5eed))
    }

    /// Returns the next number.
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scatter(self.0)
    }

    /// Returns a number below the limit (0 if the limit is 0).
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next_u64() % limit.max(1)
    }

    /// Returns `true` with this probability, in percent.
    pub(crate) fn percent(&mut self, probability: u64) -> bool {
        self.below(100) < probability
    }

    /// Returns a random item.
    pub(crate) fn choose<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[usize::try_from(self.below(all.len() as u64)).expect("a small number")]
    }

    /// Returns a random item, with probabilities proportional to the weights.
    pub(crate) fn choose_weighted<'a, T>(&mut self, all: &'a [(u64, T)]) -> &'a T {
        let mut at = self.below(all.iter().map(|(weight, _)| weight).sum());
        for (weight, item) in all {
            if at < *weight {
                return item;
            }
            at -= weight;
        }
        &all[0].1
    }
}

/// Hashes two numbers.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    scatter(scatter(a.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ b.wrapping_mul(0xd6e8_feb8_6659_fd93))
}

fn scatter(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
