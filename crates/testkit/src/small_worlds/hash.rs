//! Hashes of 128 bits, for sets of visited states.

use std::fmt::{self, Debug, Write};

/// An FNV-1a hash with 128 bits, which takes eight bytes at a time.
struct Hasher(u128);

const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;

impl Hasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul(PRIME);
        self.0 ^= self.0 >> 67;
    }
}

impl Write for Hasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for chunk in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
        self.add(text.len() as u64);
        Ok(())
    }
}

/// Returns the hash of a value's `Debug` text.
pub fn hash(value: &impl Debug) -> u128 {
    let mut hasher = Hasher(BASIS);
    write!(hasher, "{value:?}").expect("hashing never fails");
    hasher.0
}
