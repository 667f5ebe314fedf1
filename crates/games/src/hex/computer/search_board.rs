//! A board for fast rollouts: it has a frame of stones beyond the edges, and a list of the free cells.

use crate::hex::bitboards::CellSet;
use crate::hex::game::Hex;
use crate::search::random::Random;

/// The owner of a free cell. Other owners are the indices of the seats, 0 and 1.
pub(super) const FREE: u8 = 2;

/// A position for rollouts. Its cells are counted row by row, with the frame.
#[derive(Clone)]
pub(super) struct SearchBoard {
    size: usize,
    /// The owner of each cell.
    owners: Vec<u8>,
    /// The free cells in any order.
    pub(super) free: Vec<u16>,
    /// The index of each free cell in `free`.
    free_index: Vec<u16>,
    /// The index of the side to move, 0 or 1.
    pub(super) side_to_move: u8,
}

impl SearchBoard {
    pub(super) fn new(game: &Hex) -> SearchBoard {
        let (size, width) = (game.size, game.size + 2);
        let mut board = SearchBoard {
            size,
            owners: vec![FREE; width * width],
            free: Vec::new(),
            free_index: vec![0; width * width],
            side_to_move: game.side_to_move.index() as u8,
        };
        for cell in 0..width * width {
            let (row, column) = (cell / width, cell % width);
            let is_inside = |index: usize| (1..=size).contains(&index);
            board.owners[cell] = match (is_inside(row), is_inside(column)) {
                // The frame beyond an edge belongs to the side that connects to it.
                (false, _) => 0,
                (_, false) => 1,
                _ => game.stone((row - 1) * size + column - 1).map_or(FREE, |seat| seat.index() as u8),
            };
            if board.owners[cell] == FREE {
                board.free_index[cell] = board.free.len() as u16;
                board.free.push(cell as u16);
            }
        }
        board
    }

    /// Copies another board of the same size, without allocating.
    pub(super) fn copy_from(&mut self, other: &SearchBoard) {
        self.owners.copy_from_slice(&other.owners);
        self.free_index.copy_from_slice(&other.free_index);
        self.free.clear();
        self.free.extend_from_slice(&other.free);
        self.side_to_move = other.side_to_move;
    }

    /// Returns the index of a cell on the board without the frame, as in [`Hex`].
    pub(super) fn cell_index(&self, cell: u16) -> usize {
        let (width, cell) = (self.size + 2, usize::from(cell));
        (cell / width - 1) * self.size + cell % width - 1
    }

    /// Returns the owner of a cell.
    #[inline]
    pub(super) fn owner(&self, cell: u16) -> u8 {
        self.owners[usize::from(cell)]
    }

    /// Places a stone of the side to move.
    #[inline]
    pub(super) fn play(&mut self, cell: u16) {
        self.owners[usize::from(cell)] = self.side_to_move;
        self.side_to_move = 1 - self.side_to_move;
        let index = self.free_index[usize::from(cell)];
        if let Some(last) = self.free.pop()
            && last != cell
        {
            self.free[usize::from(index)] = last;
            self.free_index[usize::from(last)] = index;
        }
    }

    /// Returns the six neighbors of a cell, clockwise.
    #[inline]
    fn neighbors(&self, cell: u16) -> [u16; 6] {
        let width = self.size as u16 + 2;
        [cell - width, cell - width + 1, cell + 1, cell + width, cell + width - 1, cell - 1]
    }

    /// Returns the number of cells, with the frame.
    pub(super) fn cell_count(&self) -> usize {
        self.owners.len()
    }

    /// Returns the cells of the frame beyond the first edge of the side to move.
    pub(super) fn first_edge(&self) -> impl Iterator<Item = u16> {
        let step = if self.side_to_move == 0 { 1 } else { self.size as u16 + 2 };
        (1..=self.size as u16).map(move |nth| nth * step)
    }

    /// Whether a cell of the frame is beyond the last edge of the side to move.
    pub(super) fn is_last_edge(&self, cell: u16) -> bool {
        let width = self.size as u16 + 2;
        (if self.side_to_move == 0 { cell / width } else { cell % width }) == width - 1
    }

    /// Returns the six neighbors of a cell, clockwise. For a cell of the frame, those outside the board are `None`.
    pub(super) fn checked_neighbors(&self, cell: u16) -> [Option<u16>; 6] {
        if self.is_inside(cell) {
            return self.neighbors(cell).map(Some);
        }
        let width = i32::from(self.size as u16) + 2;
        [-width, 1 - width, 1, width, width - 1, -1].map(|offset| {
            let neighbor = u16::try_from(i32::from(cell) + offset).ok()?;
            self.is_inside(neighbor).then_some(neighbor)
        })
    }

    /// Whether a cell is on the board, and not in the frame.
    fn is_inside(&self, cell: u16) -> bool {
        let width = self.size as u16 + 2;
        [cell / width, cell % width].iter().all(|index| (1..width - 1).contains(index))
    }

    /// Plays until the board is full, and returns the winner.
    ///
    /// Moves are random, except that a side saves its bridges: if the opponent plays into one, it takes the other cell.
    pub(super) fn rollout(&mut self, mut last_move: Option<u16>, random: &mut Random) -> u8 {
        while !self.free.is_empty() {
            let reply = last_move.and_then(|last_move| self.bridge_reply(last_move, random));
            let mv = match reply {
                Some(mv) => mv,
                None => self.free[random.below(self.free.len())],
            };
            self.play(mv);
            last_move = Some(mv);
        }
        self.winner()
    }

    /// Returns the cell that saves a bridge of the side to move after the opponent's last move.
    #[inline]
    fn bridge_reply(&self, last_move: u16, random: &mut Random) -> Option<u16> {
        let neighbors = self.neighbors(last_move);
        let owners = neighbors.map(|cell| self.owner(cell));
        let mut found = None;
        let mut count = 0;
        for nth in 0..6 {
            let (before, after) = (owners[(nth + 5) % 6], owners[(nth + 1) % 6]);
            if owners[nth] == FREE && before == self.side_to_move && after == self.side_to_move {
                count += 1;
                if count == 1 || random.below(count) == 0 {
                    found = Some(neighbors[nth]);
                }
            }
        }
        found
    }

    /// Returns the winner on a full board. There is always exactly one.
    fn winner(&self) -> u8 {
        let (width, mut red, mut linked) = (self.size + 2, CellSet::default(), CellSet::default());
        for (row, cells) in self.owners.chunks_exact(width).skip(1).take(self.size).enumerate() {
            red.0[row] = (1..=self.size).fold(0, |set, column| set | u32::from(cells[column] == 0) << (column - 1));
        }
        linked.0[0] = red.0[0];
        linked.flood_fill(&red);
        u8::from(linked.0[self.size - 1] == 0)
    }
}
