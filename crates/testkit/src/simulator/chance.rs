//! Numbers that are the same for the same seed on every machine.

/// A sequence of numbers that follows from its seed (splitmix64).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(mix(seed, 0x5eed))
    }

    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scatter(self.0)
    }

    /// A number below the limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.any() % limit.max(1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, of_hundred: u64) -> bool {
        self.below(100) < of_hundred
    }

    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[usize::try_from(self.below(all.len() as u64)).expect("a small number")]
    }

    /// One of some things, each as often as its weight says.
    pub fn weighed<'a, T>(&mut self, all: &'a [(u64, T)]) -> &'a T {
        let mut at = self.below(all.iter().map(|(weight, _)| weight).sum());
        for (weight, thing) in all {
            if at < *weight {
                return thing;
            }
            at -= weight;
        }
        &all[0].1
    }
}

/// One number from two, with no pattern in it.
pub fn mix(a: u64, b: u64) -> u64 {
    scatter(scatter(a.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ b.wrapping_mul(0xd6e8_feb8_6659_fd93))
}

fn scatter(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
