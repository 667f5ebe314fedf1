//! Lines of k cells on a square board, and bitboards that detect them.

/// The largest board size that [`Marks`] supports.
pub const MAX_SIZE: usize = 19;

/// The directions of lines as (rows down, columns right): rows, columns, diagonals, anti-diagonals. [`lines`] lists lines in this
/// order.
const DIRECTIONS: [(usize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// A line, stored as its first cell and the step from each cell to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    first: usize,
    step: usize,
    length: usize,
}

impl Line {
    /// Returns the cells, from top to bottom or left to right.
    pub fn cells(self) -> impl Iterator<Item = usize> {
        (0..self.length).map(move |nth| self.first + nth * self.step)
    }
}

/// Returns every line of `k` cells on a `size` by `size` board: rows, columns, diagonals, then anti-diagonals.
///
/// `k` is at least 1. Each kind starts at the top left. There are no lines if `k` is greater than `size`.
pub fn lines(size: usize, k: usize) -> impl Iterator<Item = Line> {
    let reach = k.saturating_sub(1);
    DIRECTIONS.into_iter().flat_map(move |(down, right)| {
        // A line starts only where its last cell is still on the board.
        let rows = size.saturating_sub(down * reach);
        let columns = size.saturating_sub(right.unsigned_abs() * reach);
        let leftmost = if right < 0 { reach } else { 0 };
        let step = (down * size).saturating_add_signed(right);
        (0..rows * columns).map(move |nth| {
            // Vertical lines go column by column, all others row by row.
            let (row, column) = if right == 0 { (nth % rows, nth / rows) } else { (nth / columns, nth % columns) };
            Line { first: row * size + leftmost + column, step, length: k }
        })
    })
}

/// Returns the cells of every line whose marks are all equal, in the order of [`lines`].
pub fn completed_lines<T: PartialEq>(size: usize, k: usize, mark: impl Fn(usize) -> Option<T>) -> Vec<Vec<usize>> {
    let is_complete = |line: &Line| {
        let first = mark(line.first);
        first.is_some() && line.cells().all(|cell| mark(cell) == first)
    };
    lines(size, k).filter(is_complete).map(|line| line.cells().collect()).collect()
}

/// The marks of one side as a bitboard with an empty border, so that following a line needs no bounds checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    rows: [u32; MAX_SIZE + 2],
}

impl Marks {
    /// Whether a cell has a mark; `false` off the board.
    pub fn has(&self, row: usize, column: usize) -> bool {
        self.rows.get(row + 1).is_some_and(|bits| bits >> (column + 1) & 1 == 1)
    }

    /// Adds or removes the mark in a cell. Does nothing off the board.
    pub fn flip(&mut self, row: usize, column: usize) {
        if row < MAX_SIZE && column < MAX_SIZE {
            self.rows[row + 1] ^= 2 << column;
        }
    }

    /// Returns the marks of a row as bits. The leftmost column is the lowest bit.
    pub fn row(&self, row: usize) -> u32 {
        self.rows.get(row + 1).map_or(0, |bits| bits >> 1)
    }

    /// Whether the mark in a cell is part of `k` in a row. Checks only the four lines through the cell.
    pub fn is_in_line(&self, row: usize, column: usize, k: usize) -> bool {
        DIRECTIONS.into_iter().any(|(down, right)| {
            let down = down.cast_signed();
            1 + self.run_length(row, column, down, right) + self.run_length(row, column, -down, -right) >= k
        })
    }

    /// Counts consecutive marks from a cell in one direction, without the cell itself.
    #[inline]
    fn run_length(&self, row: usize, column: usize, down: isize, right: isize) -> usize {
        let (mut row, mut column) = (row + 1, column + 1);
        let mut length = 0;
        loop {
            row = row.wrapping_add_signed(down);
            column = column.wrapping_add_signed(right);
            let Some(bits) = self.rows.get(row) else { return length };
            if bits >> (column & 31) & 1 == 0 {
                return length;
            }
            length += 1;
        }
    }
}
