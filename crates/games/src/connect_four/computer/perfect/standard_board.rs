//! Bitboards of the standard board: 7x6 with four in a row.
//!
//! The layout is that of [`bitboards`](crate::connect_four::bitboards), with constant sizes: each column has six cells from
//! the bottom, and one bit above that stays empty.

/// The bits of a column: six cells and an empty bit.
pub const COLUMN_BITS: u32 = 7;
/// The number of cells.
pub const CELL_COUNT: u32 = 42;
/// The lowest cell of each column.
pub const BOTTOM_ROW: u64 = 0x0000_0408_1020_4081;
/// All cells.
pub const BOARD: u64 = BOTTOM_ROW * 0x3f;
/// The cells of the leftmost column.
const COLUMN_MASK: u64 = 0x3f;
/// The columns, from the middle outward.
const COLUMN_ORDER: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];

/// A position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Discs {
    /// The discs of the side to move.
    pub own: u64,
    /// All discs.
    pub taken: u64,
}

/// The result that a side tries to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// At least a draw.
    Draw,
    /// A win.
    Win,
}

impl Goal {
    /// Returns the opponent's goal: the least result that prevents this one.
    pub fn opponent_goal(self) -> Goal {
        if self == Goal::Win { Goal::Draw } else { Goal::Win }
    }
}

impl Discs {
    /// The empty board.
    pub const START: Discs = Discs { own: 0, taken: 0 };

    /// Returns the discs of the opponent of the side to move.
    pub fn opponent(self) -> u64 {
        self.own ^ self.taken
    }

    /// Returns the lowest free cell of each column.
    pub fn landing_cells(self) -> u64 {
        (self.taken + BOTTOM_ROW) & BOARD
    }

    /// Returns the lowest free cell of a column, counted from 0; the empty set if the column is full.
    pub fn landing_cell(self, column: u32) -> u64 {
        self.landing_cells() & (COLUMN_MASK << (COLUMN_BITS * column))
    }

    /// Returns the cells where the side to move wins at once.
    pub fn winning_cells(self) -> u64 {
        completing_cells(self.own) & self.landing_cells()
    }

    /// Returns the position after a disc in this landing cell.
    pub fn after(self, cell: u64) -> Discs {
        Discs { own: self.opponent(), taken: self.taken | cell }
    }

    /// Returns a 49-bit number that is unique to the position.
    pub fn key(self) -> u64 {
        self.own + self.taken + BOTTOM_ROW
    }

    /// Returns the mirror image of the position.
    pub fn mirrored(self) -> Discs {
        Discs { own: mirrored(self.own), taken: mirrored(self.taken) }
    }
}

/// Returns the mirror image of a set, or of a position's key.
pub(super) fn mirrored(set: u64) -> u64 {
    (0..7)
        .fold(0, |mirrored, column| mirrored | ((set >> (COLUMN_BITS * column)) & 0x7f) << (COLUMN_BITS * (6 - column)))
}

/// Returns the cells of a set, from the middle column outward. Each column has at most one cell in the set.
pub fn iter_cells(set: u64) -> impl Iterator<Item = u64> {
    COLUMN_ORDER.into_iter().map(move |column| set & (COLUMN_MASK << (COLUMN_BITS * column))).filter(|cell| *cell != 0)
}

/// Returns the column of a cell, from 0.
pub fn column_of(cell: u64) -> u32 {
    cell.trailing_zeros() / COLUMN_BITS
}

/// Returns the cells that would complete a line of this set, taken or not. The result can include bits above the columns.
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

/// Whether a set contains four in a row.
#[inline]
pub(super) fn has_line(set: u64) -> bool {
    [1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1].into_iter().fold(0, |found, step| {
        let pairs = set & (set >> step);
        found | pairs & (pairs >> (2 * step))
    }) != 0
}
