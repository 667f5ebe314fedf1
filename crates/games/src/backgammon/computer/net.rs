//! Integer neural nets, which compute the same result on every machine.
//!
//! A net has two hidden layers. The first one adds up the rows of the inputs that are set. Each hidden layer is clipped
//! to 0..1, and the output goes through a sigmoid.
//!
//! The program is built for size, without vector instructions. So a 64-bit word packs four sums of the first layer, or
//! two of the second, and one addition adds them all. An offset keeps each number above 0 so that no sum borrows from
//! its neighbor, and none is large enough to carry over.

/// The number of outputs of a net: the five chances.
const OUTPUTS: usize = 5;
/// The value of 1 in the first hidden layer. Its weights are eight-bit numbers in the same unit.
pub(crate) const ONE: i16 = 128;
/// The fractional bits of the second layer's weights.
const MIDDLE_BITS: u32 = 8;
/// The fractional bits of the second hidden layer.
const SECOND_BITS: u32 = 10;
/// The fractional bits of the last layer's weights.
const LAST_BITS: u32 = 9;

/// The most inputs that may be set at once. More rows could carry over.
const MAX_SET: usize = 128;
/// The offsets of a first-layer weight and of a bias.
const ROW_OFFSET: i32 = 128;
const FIRST_OFFSET: i32 = 8192;
/// The offset of a second-layer weight.
const MIDDLE_OFFSET: i32 = 1 << 15;

/// A net with 4 * `QUADS` units in its first hidden layer and 2 * `PAIRS` in its second one.
#[derive(Clone, Debug)]
pub(crate) struct Net<const QUADS: usize, const PAIRS: usize> {
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
    pub(crate) fn read(bytes: &[u8], inputs: usize) -> Net<QUADS, PAIRS> {
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
    pub(crate) fn chances(&self, set: &[u16]) -> [i32; OUTPUTS] {
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

// The output function of a net, from a table: 1 / (1 + exp(-x)).

/// The values for x = 0, 1/16, 2/16, …, 12, in 1/65536.
const TABLE: [i32; 193] = [
    32_768, 33_792, 34_813, 35_831, 36_843, 37_847, 38_841, 39_824, 40_793, 41_748, 42_687, 43_608, 44_511, 45_393,
    46_254, 47_094, 47_911, 48_704, 49_474, 50_220, 50_941, 51_638, 52_310, 52_957, 53_581, 54_179, 54_754, 55_306,
    55_834, 56_339, 56_822, 57_284, 57_724, 58_144, 58_544, 58_925, 59_287, 59_632, 59_959, 60_270, 60_565, 60_844,
    61_109, 61_360, 61_598, 61_823, 62_036, 62_238, 62_428, 62_608, 62_778, 62_938, 63_090, 63_233, 63_368, 63_495,
    63_615, 63_728, 63_835, 63_935, 64_030, 64_119, 64_203, 64_283, 64_357, 64_427, 64_494, 64_556, 64_614, 64_669,
    64_721, 64_770, 64_816, 64_859, 64_900, 64_938, 64_974, 65_008, 65_039, 65_069, 65_097, 65_124, 65_149, 65_172,
    65_194, 65_215, 65_234, 65_252, 65_269, 65_285, 65_300, 65_315, 65_328, 65_341, 65_352, 65_364, 65_374, 65_384,
    65_393, 65_402, 65_410, 65_417, 65_425, 65_431, 65_438, 65_444, 65_449, 65_454, 65_459, 65_464, 65_468, 65_472,
    65_476, 65_480, 65_483, 65_486, 65_489, 65_492, 65_495, 65_497, 65_500, 65_502, 65_504, 65_506, 65_508, 65_509,
    65_511, 65_513, 65_514, 65_515, 65_517, 65_518, 65_519, 65_520, 65_521, 65_522, 65_523, 65_523, 65_524, 65_525,
    65_526, 65_526, 65_527, 65_527, 65_528, 65_528, 65_529, 65_529, 65_530, 65_530, 65_530, 65_531, 65_531, 65_531,
    65_532, 65_532, 65_532, 65_532, 65_533, 65_533, 65_533, 65_533, 65_533, 65_534, 65_534, 65_534, 65_534, 65_534,
    65_534, 65_534, 65_534, 65_535, 65_535, 65_535, 65_535, 65_535, 65_535, 65_535, 65_535, 65_535, 65_535, 65_535,
    65_535, 65_535, 65_535, 65_535, 65_535, 65_535, 65_535, 65_536, 65_536, 65_536, 65_536,
];

/// Returns the sigmoid, in 1/65536, of a number in 1/4096. It interpolates linearly, with an error of at most 3/65536.
pub fn sigmoid(x: i32) -> i32 {
    let size = x.unsigned_abs();
    let at = (size >> 8) as usize;
    let value = match (TABLE.get(at), TABLE.get(at + 1)) {
        (Some(low), Some(high)) => low + (((high - low) * (size & 255) as i32 + 128) >> 8),
        _ => 65_536,
    };
    if x < 0 { 65_536 - value } else { value }
}
