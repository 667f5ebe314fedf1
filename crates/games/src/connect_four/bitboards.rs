//! Bitboards, and the lines in them.
//!
//! Cells go column by column from the left, each from the bottom, with one bit above the column that stays empty. So the step to
//! a neighbor is the same everywhere, and no line wraps around from one column to the next. See
//! <https://www.chessprogramming.org/Connect_Four>.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Not, Shl, Shr};

/// The most columns or rows of a board.
pub const MAX_SIDE: usize = 10;
/// The longest winning line.
pub const MAX_K: usize = 6;

/// A set of cells: 64 bits if the board fits, or else 128.
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
    /// The empty set.
    const EMPTY: Self;

    /// Converts a set. It must fit.
    fn from_u128(set: u128) -> Self;

    /// Returns the number of cells.
    fn count(self) -> u32;

    /// Returns the index of the lowest bit; the number of bits of the type if the set is empty.
    fn lowest_bit(self) -> u32;

    /// Returns a hash of the set.
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

/// The size of a board and the length of a winning line.
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
    /// Returns the number of bits of a bitboard.
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

    /// Returns the set of a single cell. The column counts from the left and the height from the bottom, both from 0.
    pub fn cell_mask(&self, column: usize, height: usize) -> u128 {
        1 << (column * (self.rows + 1) + height)
    }

    /// Returns the steps between neighbors in the four directions, in bits.
    fn directions(&self) -> [usize; 4] {
        [1, self.rows, self.rows + 1, self.rows + 2]
    }

    /// Whether a set contains a line.
    #[inline]
    pub fn has_line<M: Mask>(&self, set: M) -> bool {
        self.directions().into_iter().any(|step| {
            // Runs of two, four and so on. Each bit is the first cell of a run.
            let (mut runs, mut length) = (set, 1);
            while length < self.k {
                let more = length.min(self.k - length);
                runs = runs & (runs >> (more * step));
                length += more;
            }
            runs != M::EMPTY
        })
    }

    /// Returns the cells that would complete a line of this set, taken or not.
    #[inline]
    pub fn completing_cells<M: Mask>(&self, set: M) -> M {
        let mut found = M::EMPTY;
        for step in self.directions() {
            // The cells with `length` cells of the set right before them, and right after them.
            let (mut before, mut after) = ([!M::EMPTY; MAX_K], [!M::EMPTY; MAX_K]);
            for length in 1..self.k {
                before[length] = before[length - 1] & (set << (length * step));
                after[length] = after[length - 1] & (set >> (length * step));
            }
            for length in 0..self.k {
                found = found | (before[length] & after[self.k - 1 - length]);
            }
        }
        found
    }
}

/// Counts the positions `depth` plies ahead. `depth` is at least 1, the game must not be over, and `own` are the discs of the
/// side to move.
///
/// The array holds [`Shape::bottom_row`] and [`Shape::all_cells`].
pub fn perft<M: Mask>(shape: &Shape, [bottom_row, board]: [M; 2], own: M, other: M, depth: u32) -> u64 {
    let mut cells = ((own | other) + bottom_row) & board;
    // The last ply needs no moves played.
    if depth == 1 {
        return cells.count().into();
    }
    let mut positions = 0;
    while cells != M::EMPTY {
        let cell = M::from_u128(1) << cells.lowest_bit() as usize;
        cells = cells & !cell;
        let after = own | cell;
        if !shape.has_line(after) {
            positions += perft(shape, [bottom_row, board], other, after, depth - 1);
        }
    }
    positions
}
