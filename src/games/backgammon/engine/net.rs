//! The nets: whole numbers from the first layer to the last, so that every machine comes to the same result.
//!
//! A net has two hidden layers. The first one adds up the rows of the inputs that are set; each layer is cut off below 0
//! and above 1, and the last one goes through a sigmoid. The loops are written over arrays of a known length, which a
//! compiler turns into instructions for eight numbers at a time on every 64-bit machine.

use crate::games::backgammon::engine::sigmoid::sigmoid;

/// The number of chances that a net gives.
pub const OUTPUTS: usize = 5;
/// The unit of the first hidden layer: this much is 1. Weights of the first layer have the same unit, in eight bits.
pub const ONE: i16 = 128;
/// The binary digits after the point in the weights of the second layer.
pub const MIDDLE_BITS: u32 = 8;
/// The binary digits after the point in the second hidden layer.
pub const SECOND_BITS: u32 = 10;
/// The binary digits after the point in the weights of the last layer.
pub const LAST_BITS: u32 = 9;

/// A net with `FIRST` and `SECOND` units in its hidden layers.
#[derive(Clone, Debug)]
pub struct Net<const FIRST: usize, const SECOND: usize> {
    rows: Vec<[i16; FIRST]>,
    first: [i16; FIRST],
    middle: Vec<[i16; FIRST]>,
    second: [i32; SECOND],
    last: [[i16; SECOND]; OUTPUTS],
    bias: [i32; OUTPUTS],
}

impl<const FIRST: usize, const SECOND: usize> Net<FIRST, SECOND> {
    /// Returns the number of bytes of the weights of a net with so many inputs.
    pub const fn size(inputs: usize) -> usize {
        inputs * FIRST + 2 * FIRST + SECOND * (2 * FIRST + 4) + OUTPUTS * (2 * SECOND + 4)
    }

    /// Reads the weights: the rows of the first layer in a byte a number, everything else in two bytes, biases of the
    /// second and the last layer in four, the lowest byte first. What is missing is 0.
    pub fn read(bytes: &[u8], inputs: usize) -> Net<FIRST, SECOND> {
        let mut bytes = bytes.iter().copied();
        let rows = (0..inputs).map(|_| std::array::from_fn(|_| i16::from(byte(&mut bytes) as i8))).collect();
        let first = std::array::from_fn(|_| short(&mut bytes));
        let middle = (0..SECOND).map(|_| std::array::from_fn(|_| short(&mut bytes))).collect();
        let second = std::array::from_fn(|_| long(&mut bytes));
        let last = std::array::from_fn(|_| std::array::from_fn(|_| short(&mut bytes)));
        let bias = std::array::from_fn(|_| long(&mut bytes));
        Net { rows, first, middle, second, last, bias }
    }

    /// Returns the five chances for the inputs that are set, in 1/65536.
    pub fn chances(&self, set: &[u16]) -> [i32; OUTPUTS] {
        let mut sums = self.first;
        for row in set.iter().filter_map(|input| self.rows.get(usize::from(*input))) {
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        for sum in &mut sums {
            *sum = (*sum).clamp(0, ONE - 1);
        }
        let mut hidden = [0_i16; SECOND];
        for ((unit, weights), bias) in hidden.iter_mut().zip(&self.middle).zip(&self.second) {
            let sum = dot(&sums, weights).wrapping_add(*bias);
            *unit = (sum >> (7 + MIDDLE_BITS - SECOND_BITS)).clamp(0, (1 << SECOND_BITS) - 1) as i16;
        }
        let mut chances = [0; OUTPUTS];
        for ((chance, weights), bias) in chances.iter_mut().zip(&self.last).zip(&self.bias) {
            *chance = sigmoid(dot(&hidden, weights).wrapping_add(*bias) >> (SECOND_BITS + LAST_BITS - 12));
        }
        chances
    }
}

/// Returns the sum of products. Its length is known wherever it is used.
#[inline(always)]
fn dot<const N: usize>(one: &[i16; N], two: &[i16; N]) -> i32 {
    let mut sum = 0_i32;
    for (one, two) in one.iter().zip(two) {
        sum = sum.wrapping_add(i32::from(*one) * i32::from(*two));
    }
    sum
}

fn byte(bytes: &mut impl Iterator<Item = u8>) -> u8 {
    bytes.next().unwrap_or(0)
}

fn short(bytes: &mut impl Iterator<Item = u8>) -> i16 {
    i16::from_le_bytes([byte(bytes), byte(bytes)])
}

fn long(bytes: &mut impl Iterator<Item = u8>) -> i32 {
    i32::from_le_bytes([byte(bytes), byte(bytes), byte(bytes), byte(bytes)])
}
