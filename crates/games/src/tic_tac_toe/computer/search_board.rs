//! A board with incremental counts of the marks in every line.
//!
//! A line with marks of both sides is dead and counts for neither. A line that lacks a single mark is a threat: its free cell
//! wins. The board counts these cells, because the opponent can't stop two of them.

use game::Seat;

use crate::Random;
use crate::tic_tac_toe::lines::lines;

/// The most moves to search in a position of a large board.
pub(super) const MAX_CANDIDATES: usize = 14;

/// A position with the counts that the search needs.
#[derive(Clone, Debug)]
pub(super) struct SearchBoard {
    pub(super) size: usize,
    pub(super) k: usize,
    /// The cells of all lines: `k` of the first line, then `k` of the second, and so on.
    line_cells: Vec<u16>,
    /// The index in `lines_by_cell` of each cell's first line, and the total number of entries at the end.
    line_starts: Vec<u32>,
    /// The lines through each cell, cell by cell.
    lines_by_cell: Vec<u16>,
    /// The value of a line by its number of marks, if all are of one side.
    line_values: Vec<i32>,
    /// The Zobrist key of a mark, by cell and seat.
    zobrist_keys: Vec<[u64; 2]>,
    /// Where each of the eight symmetries of the board moves a cell.
    symmetries: Vec<[u16; 8]>,
    marks: Vec<Option<Seat>>,
    /// The number of marks in each line, by seat.
    line_counts: Vec<[u8; 2]>,
    /// The number of lines that a mark in each cell would complete, by seat.
    win_counts: Vec<[u8; 2]>,
    /// The number of cells that complete a line, by seat.
    winning_cell_counts: [u16; 2],
    /// The number of lines that a seat can still complete.
    open_line_counts: [u16; 2],
    /// The sum of the line values, by seat.
    line_scores: [i32; 2],
    pub(super) free_count: usize,
    pub(super) side_to_move: Seat,
    pub(super) winner: Option<Seat>,
    /// The Zobrist keys of the position under each symmetry. Large boards use only the first.
    symmetric_keys: [u64; 8],
    /// Whether the search doesn't extend forced replies, so that it overlooks threats.
    pub(super) ignores_threats: bool,
}

impl SearchBoard {
    /// Returns a board with these marks. Neither side may have a completed line.
    pub(super) fn new(size: usize, k: usize, marks: &[Option<Seat>], side_to_move: Seat) -> SearchBoard {
        let cells = size * size;
        let line_cells: Vec<u16> = lines(size, k).flat_map(|line| line.cells().map(|cell| cell as u16)).collect();
        let mut lines_by_cell = vec![Vec::new(); cells];
        for (line, cells) in line_cells.chunks_exact(k).enumerate() {
            cells.iter().for_each(|cell| lines_by_cell[usize::from(*cell)].push(line as u16));
        }
        let mut line_starts = vec![0];
        for lines in &lines_by_cell {
            line_starts.push(line_starts[line_starts.len() - 1] + lines.len() as u32);
        }
        let line_count = line_cells.len() / k;
        let mut random = Random::new(size as u64);
        let mut board = SearchBoard {
            size,
            k,
            line_starts,
            lines_by_cell: lines_by_cell.concat(),
            line_values: (0..=k).map(|marks| line_value(k, marks)).collect(),
            zobrist_keys: (0..cells).map(|_| [random.next_u64(), random.next_u64()]).collect(),
            marks: vec![None; cells],
            line_counts: vec![[0; 2]; line_count],
            win_counts: vec![[0; 2]; cells],
            winning_cell_counts: [0; 2],
            open_line_counts: [line_count as u16; 2],
            line_scores: [0; 2],
            line_cells,
            free_count: cells,
            side_to_move,
            winner: None,
            symmetric_keys: [0; 8],
            ignores_threats: false,
            symmetries: symmetries(size),
        };
        for (cell, seat) in marks.iter().enumerate() {
            if let Some(seat) = *seat {
                board.set_mark(cell as u16, seat);
            }
        }
        board
    }

    /// Returns the cells without a mark.
    pub(super) fn free_cells(&self) -> impl Iterator<Item = u16> {
        (0..self.marks.len() as u16).filter(|cell| self.is_free(*cell))
    }

    pub(super) fn is_free(&self, cell: u16) -> bool {
        self.marks.get(usize::from(cell)).is_some_and(Option::is_none)
    }

    /// Whether the board is small enough to search every move.
    pub(super) fn is_small(&self) -> bool {
        self.size <= 5
    }

    /// Whether there is a mark at most two cells away.
    fn is_near_mark(&self, cell: u16) -> bool {
        let (row, column) = (usize::from(cell) / self.size, usize::from(cell) % self.size);
        let span = |at: usize| at.saturating_sub(2)..(at + 3).min(self.size);
        span(row).any(|row| self.marks[row * self.size..][span(column)].iter().any(Option::is_some))
    }

    /// Returns the Manhattan distance of a cell from the center of the board, in half cells.
    pub(super) fn distance_from_center(&self, cell: u16) -> usize {
        let off = |at: usize| (2 * at + 1).abs_diff(self.size);
        off(usize::from(cell) / self.size) + off(usize::from(cell) % self.size)
    }

    /// Returns the range of `lines_by_cell` with the lines through a cell.
    fn lines_through(&self, cell: u16) -> std::ops::Range<usize> {
        let cell = usize::from(cell);
        self.line_starts[cell] as usize..self.line_starts[cell + 1] as usize
    }

    /// Returns the cells of each line that has at least `least` marks of a seat and none of its opponent.
    pub(super) fn open_lines(&self, seat: Seat, least: usize) -> impl Iterator<Item = &[u16]> {
        let (own, other) = (seat.index(), seat.other().index());
        let counts = self.line_counts.iter().zip(self.line_cells.chunks_exact(self.k));
        let enough = move |count: &[u8; 2]| count[other] == 0 && usize::from(count[own]) >= least;
        counts.filter(move |(count, _)| enough(count)).map(|(_, cells)| cells)
    }

    /// Returns the number of free cells where a mark of `seat` wins.
    pub(super) fn winning_cell_count(&self, seat: Seat) -> u16 {
        self.winning_cell_counts[seat.index()]
    }

    /// Returns the free cells where a mark of `seat` wins.
    pub(super) fn winning_moves(&self, seat: Seat) -> impl Iterator<Item = u16> {
        let cells = if self.winning_cell_count(seat) == 0 { 0 } else { self.win_counts.len() };
        (0..cells as u16).filter(move |cell| self.win_counts[usize::from(*cell)][seat.index()] > 0)
    }

    /// Adds the free cells, best first: all of them on a small board, or else up to [`MAX_CANDIDATES`] near a mark.
    pub(super) fn promising_moves(&self, found: &mut Vec<u16>) {
        let rank = |cell: u16| (-self.mark_value(cell), self.distance_from_center(cell), cell);
        let near = |cell: &u16| self.is_small() || self.is_near_mark(*cell);
        let mut promising: Vec<(i32, usize, u16)> = self.free_cells().filter(near).map(rank).collect();
        if promising.is_empty() {
            // The board is empty, or no cell near a mark is free.
            promising = self.free_cells().map(rank).collect();
        }
        promising.sort_unstable();
        let width = if self.is_small() { promising.len() } else { MAX_CANDIDATES };
        found.extend(promising.into_iter().take(width).map(|(.., cell)| cell));
    }

    /// Whether a seat can still complete a line.
    pub(super) fn can_win(&self, seat: Seat) -> bool {
        self.open_line_counts[seat.index()] > 0
    }

    /// Whether neither side can complete a line anymore.
    pub(super) fn is_dead(&self) -> bool {
        self.open_line_counts == [0; 2]
    }

    /// Returns the value of the side to move's lines minus the opponent's.
    pub(super) fn evaluate(&self) -> i32 {
        self.line_scores[self.side_to_move.index()] - self.line_scores[self.side_to_move.other().index()]
    }

    /// Returns how much a mark in a cell would add to the side to move's lines and take from the opponent's.
    pub(super) fn mark_value(&self, cell: u16) -> i32 {
        let (own, other) = (self.side_to_move.index(), self.side_to_move.other().index());
        let lines = &self.lines_by_cell[self.lines_through(cell)];
        let gain = |line: &u16| {
            let count = self.line_counts[usize::from(*line)];
            match (usize::from(count[own]), usize::from(count[other])) {
                (mine, 0) => self.line_values[mine + 1] - self.line_values[mine],
                (0, theirs) => self.line_values[theirs],
                _ => 0,
            }
        };
        lines.iter().map(gain).sum()
    }

    /// Returns the hash of the position. On small boards, symmetric positions have the same hash.
    pub(super) fn key(&self) -> u64 {
        let count = if self.is_small() { 8 } else { 1 };
        self.symmetric_keys.iter().take(count).min().unwrap_or(&0)
            ^ [0, 0x9e37_79b9_7f4a_7c15][self.side_to_move.index()]
    }

    /// Passes the turn to the opponent.
    pub(super) fn pass(&mut self) {
        self.side_to_move = self.side_to_move.other();
    }

    /// Marks a free cell for the side to move.
    pub(super) fn place(&mut self, cell: u16) {
        self.set_mark(cell, self.side_to_move);
        self.pass();
    }

    /// Takes back the last move.
    pub(super) fn remove(&mut self, cell: u16) {
        self.pass();
        let seat = self.side_to_move;
        self.winner = None;
        self.free_count += 1;
        self.toggle_keys(cell, seat);
        for at in self.lines_through(cell) {
            let line = usize::from(self.lines_by_cell[at]);
            self.update_line(line, -1);
            self.line_counts[line][seat.index()] -= 1;
        }
        self.marks[usize::from(cell)] = None;
        for at in self.lines_through(cell) {
            self.update_line(usize::from(self.lines_by_cell[at]), 1);
        }
    }

    /// Adds a mark to the keys, or removes it.
    fn toggle_keys(&mut self, cell: u16, seat: Seat) {
        let Some(images) = self.symmetries.get(usize::from(cell)) else { return };
        let count = if self.is_small() { 8 } else { 1 };
        for (key, cell) in self.symmetric_keys.iter_mut().zip(images).take(count) {
            *key ^= self.zobrist_keys[usize::from(*cell)][seat.index()];
        }
    }

    fn set_mark(&mut self, cell: u16, seat: Seat) {
        self.free_count -= 1;
        self.toggle_keys(cell, seat);
        for at in self.lines_through(cell) {
            self.update_line(usize::from(self.lines_by_cell[at]), -1);
        }
        self.marks[usize::from(cell)] = Some(seat);
        for at in self.lines_through(cell) {
            let line = usize::from(self.lines_by_cell[at]);
            self.line_counts[line][seat.index()] += 1;
            if usize::from(self.line_counts[line][seat.index()]) == self.k {
                self.winner = Some(seat);
            }
            self.update_line(line, 1);
        }
    }

    /// Adds a line to the totals (`sign` is 1), or subtracts it (-1).
    fn update_line(&mut self, line: usize, sign: i16) {
        let count = self.line_counts[line];
        let owner = match count {
            [0, 0] => {
                self.open_line_counts = self.open_line_counts.map(|open| open.wrapping_add_signed(sign));
                return;
            }
            [_, 0] => 0,
            [0, _] => 1,
            _ => return,
        };
        self.open_line_counts[owner] = self.open_line_counts[owner].wrapping_add_signed(sign);
        let marks = usize::from(count[owner]);
        self.line_scores[owner] += self.line_values[marks] * i32::from(sign);
        if marks + 1 == self.k {
            let cells = &self.line_cells[line * self.k..(line + 1) * self.k];
            let free = cells.iter().find(|cell| self.marks[usize::from(**cell)].is_none());
            let Some(winning) = free.map(|cell| &mut self.win_counts[usize::from(*cell)][owner]) else { return };
            let before = *winning;
            *winning = winning.wrapping_add_signed(sign as i8);
            if before == 0 || *winning == 0 {
                self.winning_cell_counts[owner] = self.winning_cell_counts[owner].wrapping_add_signed(sign);
            }
        }
    }
}

/// Returns where each of the eight symmetries moves each cell. The first is the identity.
fn symmetries(size: usize) -> Vec<[u16; 8]> {
    let last = size - 1;
    let images = |(row, column): (usize, usize)| {
        let (up, left) = (last - row, last - column);
        let images = [
            (row, column),
            (column, row),
            (up, column),
            (row, left),
            (up, left),
            (left, up),
            (column, up),
            (left, row),
        ];
        images.map(|(row, column)| (row * size + column) as u16)
    };
    (0..size * size).map(|cell| images((cell / size, cell % size))).collect()
}

/// Returns the value of a line with `marks` marks of one side and none of the other. Each more multiplies it by four or five.
fn line_value(k: usize, marks: usize) -> i32 {
    match (marks, k - marks) {
        (0, _) => 0,
        (_, 0) => 4_000,
        (_, 1) => 700,
        (_, 2) => 160,
        (_, 3) => 30,
        (_, 4) => 6,
        _ => 1,
    }
}
