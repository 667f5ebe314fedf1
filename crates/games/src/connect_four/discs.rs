//! Sets of cells as bits, and the lines in them.
//!
//! Cells go column by column from the left, each from the bottom, with one bit above it that stays empty: so the neighbour in any
//! direction is always as many bits away, and no line runs from one column into the next. See
//! <https://www.chessprogramming.org/Connect_Four>.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Not, Shl, Shr};

/// The most columns, and the most rows.
pub const MAX_SIDE: usize = 10;
/// The most cells in a row that win.
pub const MAX_K: usize = 6;

/// A set of cells: 64 bits where the board has no more, else 128.
pub trait Mask:
    Copy
    + Debug
    + PartialEq
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
    /// The set without a cell.
    const EMPTY: Self;

    /// Returns a set that is known to fit.
    fn from_u128(set: u128) -> Self;

    /// Returns the number of cells.
    fn count(self) -> u32;

    /// Returns the place of the lowest bit; of the empty set, the number of bits there are.
    fn lowest_bit(self) -> u32;

    /// Returns a number that tells sets apart, with bits that look random.
    fn hash(self) -> u64;
}

impl Mask for u64 {
    const EMPTY: u64 = 0;

    fn from_u128(set: u128) -> u64 {
        set as u64
    }

    fn count(self) -> u32 {
        self.count_ones()
    }

    fn lowest_bit(self) -> u32 {
        self.trailing_zeros()
    }

    fn hash(self) -> u64 {
        let hash = self.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}

impl Mask for u128 {
    const EMPTY: u128 = 0;

    fn from_u128(set: u128) -> u128 {
        set
    }

    fn count(self) -> u32 {
        self.count_ones()
    }

    fn lowest_bit(self) -> u32 {
        self.trailing_zeros()
    }

    fn hash(self) -> u64 {
        ((self as u64).hash() ^ (self >> 64) as u64).hash()
    }
}

/// The measures of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of discs in a row that win.
    pub k: usize,
}

impl Shape {
    /// Returns the number of bits that a set needs.
    pub fn bit_count(&self) -> usize {
        self.columns * (self.rows + 1)
    }

    /// Returns the lowest cell of each column.
    pub fn bottom_row<M: Mask>(&self) -> M {
        M::from_u128((0..self.columns).fold(0, |set, column| set | self.cell_mask(column, 0)))
    }

    /// Returns all cells.
    pub fn all_cells<M: Mask>(&self) -> M {
        M::from_u128(
            (0..self.columns).fold(0, |set, column| set | ((1 << self.rows) - 1) << (column * (self.rows + 1))),
        )
    }

    /// Returns a cell as a set, by its column from the left and its height from the bottom, both from 0.
    pub fn cell_mask(&self, column: usize, height: usize) -> u128 {
        1 << (column * (self.rows + 1) + height)
    }

    /// Returns the distances between neighbours in the four directions.
    fn directions(&self) -> [usize; 4] {
        [1, self.rows, self.rows + 1, self.rows + 2]
    }

    /// Tests if a set holds a line.
    #[inline]
    pub fn has_line<M: Mask>(&self, set: M) -> bool {
        self.directions().into_iter().any(|step| {
            // Runs of two, of four, and so on: each bit stands for the run that begins there.
            let (mut runs, mut length) = (set, 1);
            while length < self.k {
                let more = length.min(self.k - length);
                runs = runs & (runs >> (more * step));
                length += more;
            }
            runs != M::EMPTY
        })
    }

    /// Returns the cells, taken or not, that complete a line of a set.
    #[inline]
    pub fn completing_cells<M: Mask>(&self, set: M) -> M {
        let mut found = M::EMPTY;
        for step in self.directions() {
            // The cells with so many of the set right before them, and right behind them.
            let (mut before, mut behind) = ([!M::EMPTY; MAX_K], [!M::EMPTY; MAX_K]);
            for length in 1..self.k {
                before[length] = before[length - 1] & (set << (length * step));
                behind[length] = behind[length - 1] & (set >> (length * step));
            }
            for length in 0..self.k {
                found = found | (before[length] & behind[self.k - 1 - length]);
            }
        }
        found
    }
}

/// Counts the positions `depth` plies ahead, at least 1, of a game that is not over: `own` are the discs of the side on turn. The
/// last ply is counted without playing it.
pub fn perft<M: Mask>(shape: &Shape, [floor, board]: [M; 2], own: M, other: M, depth: u32) -> u64 {
    let mut cells = ((own | other) + floor) & board;
    if depth == 1 {
        return cells.count().into();
    }
    let mut found = 0;
    while cells != M::EMPTY {
        let cell = M::from_u128(1) << cells.lowest_bit() as usize;
        cells = cells & !cell;
        let after = own | cell;
        if !shape.has_line(after) {
            found += perft(shape, [floor, board], other, after, depth - 1);
        }
    }
    found
}
