//! Integer neural nets, which compute the same result on every machine.
//!
//! A net has two hidden layers. The first one adds up the rows of the inputs that are set. Each hidden layer is clipped
//! to 0..1, and the output goes through a sigmoid.
//!
//! The program is built for size, without vector instructions. So a 64-bit word packs four sums of the first layer, or
//! two of the second, and one addition adds them all. An offset keeps each number above 0 so that no sum borrows from
//! its neighbor, and none is large enough to carry over.

use crate::backgammon::computer::sigmoid::sigmoid;

/// The number of outputs of a net: the five chances.
pub const OUTPUTS: usize = 5;
/// The value of 1 in the first hidden layer. Its weights are eight-bit numbers in the same unit.
pub const ONE: i16 = 128;
/// The fractional bits of the second layer's weights.
pub const MIDDLE_BITS: u32 = 8;
/// The fractional bits of the second hidden layer.
pub const SECOND_BITS: u32 = 10;
/// The fractional bits of the last layer's weights.
pub const LAST_BITS: u32 = 9;

/// The most inputs that may be set at once. More rows could carry over.
const MAX_SET: usize = 128;
/// The offsets of a first-layer weight and of a bias.
const ROW_OFFSET: i32 = 128;
const FIRST_OFFSET: i32 = 8192;
/// The offset of a second-layer weight.
const MIDDLE_OFFSET: i32 = 1 << 15;

/// A net with 4 * `QUADS` units in its first hidden layer and 2 * `PAIRS` in its second one.
#[derive(Clone, Debug)]
pub struct Net<const QUADS: usize, const PAIRS: usize> {
    rows: Vec<[u64; QUADS]>,
    first: [u64; QUADS],
    /// The second-layer weights of each unit of the first layer.
    middle: Vec<[u64; PAIRS]>,
    second: [[i32; 2]; PAIRS],
    last: [[[i16; 2]; PAIRS]; OUTPUTS],
    bias: [i32; OUTPUTS],
}

impl<const QUADS: usize, const PAIRS: usize> Net<QUADS, PAIRS> {
    /// Parses the weights. First-layer rows have one byte per number, and everything else two. Biases of the second and
    /// the last layer have four. All are little-endian, and missing bytes are 0.
    pub fn read(bytes: &[u8], inputs: usize) -> Net<QUADS, PAIRS> {
        let mut bytes = bytes.iter().copied();
        let four = |numbers: [i32; 4]| numbers.into_iter().rev().fold(0, |word, number| word << 16 | number as u64);
        let quad = |bytes: &mut _| four(std::array::from_fn(|_| i32::from(read_u8(bytes) as i8) + ROW_OFFSET));
        let rows = (0..inputs).map(|_| std::array::from_fn(|_| quad(&mut bytes))).collect();
        let bias = |bytes: &mut _| i32::from(read_i16(bytes)).clamp(-FIRST_OFFSET, FIRST_OFFSET - 1) + FIRST_OFFSET;
        let first = std::array::from_fn(|_| four(std::array::from_fn(|_| bias(&mut bytes))));
        let mut middle = vec![[0; PAIRS]; 4 * QUADS];
        for unit in 0..2 * PAIRS {
            for word in middle.iter_mut().filter_map(|pairs| pairs.get_mut(unit / 2)) {
                *word |= ((i32::from(read_i16(&mut bytes)) + MIDDLE_OFFSET) as u64) << (32 * (unit % 2));
            }
        }
        let second = std::array::from_fn(|_| std::array::from_fn(|_| read_i32(&mut bytes)));
        let last = std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| read_i16(&mut bytes))));
        let bias = std::array::from_fn(|_| read_i32(&mut bytes));
        Net { rows, first, middle, second, last, bias }
    }

    /// Returns the five chances for the inputs that are set, in 1/65536.
    pub fn chances(&self, set: &[u16]) -> [i32; OUTPUTS] {
        let set = set.get(..MAX_SET).unwrap_or(set);
        let mut sums = self.first;
        for row in set.iter().filter_map(|input| self.rows.get(usize::from(*input))) {
            for (sum, weights) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weights);
            }
        }
        let hidden = self.second_layer(&sums, FIRST_OFFSET + ROW_OFFSET * set.len() as i32);
        let mut chances = [0; OUTPUTS];
        for ((chance, weights), bias) in chances.iter_mut().zip(&self.last).zip(&self.bias) {
            let products = hidden.as_flattened().iter().zip(weights.as_flattened());
            let sum = products.fold(*bias, |sum, (unit, weight)| sum.wrapping_add(unit * i32::from(*weight)));
            *chance = sigmoid(sum >> (SECOND_BITS + LAST_BITS - 12));
        }
        chances
    }

    /// Returns the units of the second layer, from the first layer's sums with their offset. Skips the many units
    /// that are 0.
    fn second_layer(&self, sums: &[u64; QUADS], offset: i32) -> [[i32; 2]; PAIRS] {
        let mut words = [0_u64; PAIRS];
        let mut total = 0;
        for (quad, rows) in sums.iter().zip(self.middle.as_chunks::<4>().0) {
            for (lane, row) in (0..4).zip(rows) {
                let unit = (((quad >> (16 * lane)) & 0xffff) as i32 - offset).min(i32::from(ONE) - 1);
                if unit > 0 {
                    total += i64::from(unit);
                    for (word, weights) in words.iter_mut().zip(row) {
                        *word = word.wrapping_add(weights.wrapping_mul(unit as u64));
                    }
                }
            }
        }
        let mut hidden = [[0; 2]; PAIRS];
        for ((pair, word), biases) in hidden.iter_mut().zip(words).zip(&self.second) {
            for ((unit, sum), bias) in pair.iter_mut().zip([word & 0xffff_ffff, word >> 32]).zip(biases) {
                let sum = sum as i64 - total * i64::from(MIDDLE_OFFSET) + i64::from(*bias);
                *unit = (sum >> (7 + MIDDLE_BITS - SECOND_BITS)).clamp(0, (1 << SECOND_BITS) - 1) as i32;
            }
        }
        hidden
    }
}

fn read_u8(bytes: &mut impl Iterator<Item = u8>) -> u8 {
    bytes.next().unwrap_or(0)
}

fn read_i16(bytes: &mut impl Iterator<Item = u8>) -> i16 {
    i16::from_le_bytes([read_u8(bytes), read_u8(bytes)])
}

fn read_i32(bytes: &mut impl Iterator<Item = u8>) -> i32 {
    i32::from_le_bytes([read_u8(bytes), read_u8(bytes), read_u8(bytes), read_u8(bytes)])
}
