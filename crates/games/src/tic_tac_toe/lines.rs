//! Lines of k cells on a square board: all of them in order, and whether a new mark has completed one.
//!
//! Both questions are answered from the same four directions. Neither allocates: a line is a start and a step, and
//! the marks of a side are an array of bit rows that lives on the stack.

/// The biggest board that [`Marks`] has room for.
pub const MAX_SIZE: usize = 19;

/// The ways in which a line leaves its topmost (or leftmost) cell, as rows down and columns right: rows, columns, main
/// diagonals, anti-diagonals. This is also the order in which lines are told.
const DIRECTIONS: [(usize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The cells of a line, as its first cell and the distance from each cell to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    first: usize,
    step: usize,
    length: usize,
}

impl Line {
    /// Returns the cells, from the top left (of an anti-diagonal: from the top right).
    pub fn cells(self) -> impl Iterator<Item = usize> {
        (0..self.length).map(move |nth| self.first + nth * self.step)
    }
}

/// Returns every line of `k` cells (at least 1) on a board of `size` by `size`: rows, columns, main diagonals,
/// anti-diagonals, each kind from the top left. There are none when `k` is more than the board has.
pub fn lines(size: usize, k: usize) -> impl Iterator<Item = Line> {
    let reach = k.saturating_sub(1);
    DIRECTIONS.into_iter().flat_map(move |(down, right)| {
        // A line can start where it does not leave the board before its last cell.
        let rows = size.saturating_sub(down * reach);
        let columns = size.saturating_sub(right.unsigned_abs() * reach);
        let leftmost = if right < 0 { reach } else { 0 };
        let step = (down * size).saturating_add_signed(right);
        (0..rows * columns).map(move |nth| {
            // Columns are told one after the other, all else row by row.
            let (row, column) = if right == 0 { (nth % rows, nth / rows) } else { (nth / columns, nth % columns) };
            Line { first: row * size + leftmost + column, step, length: k }
        })
    })
}

/// Returns every completed line of a board, each as its cells, in the order of [`lines`].
///
/// Allocates for completed lines only: while there is none, the empty list takes no memory.
pub fn completed_lines<T: PartialEq>(size: usize, k: usize, mark: impl Fn(usize) -> Option<T>) -> Vec<Vec<usize>> {
    let whole = |line: &Line| {
        let first = mark(line.first);
        first.is_some() && line.cells().all(|cell| mark(cell) == first)
    };
    lines(size, k).filter(whole).map(|line| line.cells().collect()).collect()
}

/// The marks of one side, a bit each, with an empty rim around the board so that no step off a line needs a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    rows: [u32; MAX_SIZE + 2],
}

impl Marks {
    /// Tests if there is a mark in a cell; `false` off the board.
    pub fn has(&self, row: usize, column: usize) -> bool {
        self.rows.get(row + 1).is_some_and(|bits| bits >> (column + 1) & 1 == 1)
    }

    /// Puts a mark in a cell, or takes it away again; does nothing off the board.
    pub fn flip(&mut self, row: usize, column: usize) {
        if row < MAX_SIZE && column < MAX_SIZE {
            self.rows[row + 1] ^= 2 << column;
        }
    }

    /// Returns the marks of a row, the leftmost column in the lowest bit.
    pub fn row(&self, row: usize) -> u32 {
        self.rows.get(row + 1).map_or(0, |bits| bits >> 1)
    }

    /// Tests if the mark in a cell stands in a line of `k`: looks along the four lines through that cell and nowhere else.
    pub fn is_in_line(&self, row: usize, column: usize, k: usize) -> bool {
        DIRECTIONS.into_iter().any(|(down, right)| {
            let down = down.cast_signed();
            1 + self.run_length(row, column, down, right) + self.run_length(row, column, -down, -right) >= k
        })
    }

    /// Counts the marks that follow each other from a cell in one direction, the cell itself not counted.
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
