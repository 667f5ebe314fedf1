//! The usual board, 7x6 with four in a row, as two sets of cells.
//!
//! Cells go column by column from the left, each from the bottom, with one bit above it that stays empty, as in
//! [`discs`](crate::connect_four::discs), but with the measures known.

/// The bits of a column: six cells, and one that stays empty.
pub const COLUMN_BITS: u32 = 7;
/// The number of cells.
pub const CELL_COUNT: u32 = 42;
/// The lowest cell of each column.
pub const BOTTOM_ROW: u64 = 0x0000_0408_1020_4081;
/// All cells.
pub const BOARD: u64 = BOTTOM_ROW * 0x3f;
/// The cells of the leftmost column.
const COLUMN_MASK: u64 = 0x3f;
/// The columns, those in the middle first.
const COLUMN_ORDER: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];

/// A position: the discs of the side on turn, and all discs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Discs {
    /// The discs of the side on turn.
    pub own: u64,
    /// All discs.
    pub taken: u64,
}

/// What a side wants of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A draw at least.
    Draw,
    /// A win.
    Win,
}

impl Goal {
    /// Returns what the other side wants, to deny this.
    pub fn opponent_goal(self) -> Goal {
        if self == Goal::Win { Goal::Draw } else { Goal::Win }
    }
}

impl Discs {
    /// The empty board.
    pub const START: Discs = Discs { own: 0, taken: 0 };

    /// Returns the discs of the side that is not on turn.
    pub fn opponent(self) -> u64 {
        self.own ^ self.taken
    }

    /// Returns the cells in which a disc comes to rest.
    pub fn landing_cells(self) -> u64 {
        (self.taken + BOTTOM_ROW) & BOARD
    }

    /// Returns the cell of a column, from 0, in which a disc comes to rest; 0 if it is full.
    pub fn landing_cell(self, column: u32) -> u64 {
        self.landing_cells() & (COLUMN_MASK << (COLUMN_BITS * column))
    }

    /// Returns the open cells that win at once.
    pub fn winning_cells(self) -> u64 {
        completing_cells(self.own) & self.landing_cells()
    }

    /// Returns the position after a disc in an open cell.
    pub fn after(self, cell: u64) -> Discs {
        Discs { own: self.opponent(), taken: self.taken | cell }
    }

    /// Returns a number of 49 bits that no other position has.
    pub fn key(self) -> u64 {
        self.own + self.taken + BOTTOM_ROW
    }

    /// Returns the position with left and right exchanged.
    pub fn mirrored(self) -> Discs {
        Discs { own: mirrored(self.own), taken: mirrored(self.taken) }
    }
}

/// Returns a set, or a position's number, with left and right exchanged.
pub(super) fn mirrored(set: u64) -> u64 {
    (0..7).fold(0, |found, column| found | ((set >> (COLUMN_BITS * column)) & 0x7f) << (COLUMN_BITS * (6 - column)))
}

/// Returns the cells of a set one by one, at most one of each column, those in the middle first.
pub fn iter_cells(set: u64) -> impl Iterator<Item = u64> {
    COLUMN_ORDER.into_iter().map(move |column| set & (COLUMN_MASK << (COLUMN_BITS * column))).filter(|cell| *cell != 0)
}

/// Returns the column of a cell, from 0.
pub fn column_of(cell: u64) -> u32 {
    cell.trailing_zeros() / COLUMN_BITS
}

/// Returns the cells, taken or not, that complete a line of a set, and some bits above the columns.
#[inline]
pub(super) fn completing_cells(set: u64) -> u64 {
    let mut found = (set << 1) & (set << 2) & (set << 3);
    for step in [COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1] {
        let pairs = (set << step) & (set << (2 * step));
        found |= pairs & ((set << (3 * step)) | (set >> step));
        let pairs = (set >> step) & (set >> (2 * step));
        found |= pairs & ((set >> (3 * step)) | (set << step));
    }
    found
}

/// Tests if a set holds a line.
#[inline]
pub(super) fn has_line(set: u64) -> bool {
    [1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1].into_iter().fold(0, |found, step| {
        let pairs = set & (set >> step);
        found | pairs & (pairs >> (2 * step))
    }) != 0
}
