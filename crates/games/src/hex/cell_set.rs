//! Sets of cells, a number with a bit for each cell of a row, and how they hang together.
//!
//! Each row lies half a cell further to the right than the one above, so a cell touches two in the row above, its own column and
//! the next, and two in the row below, its own column and the one before.

/// The longest side of a board.
pub const MAX_SIZE: usize = 19;

/// A set of cells of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellSet(pub [u32; MAX_SIZE]);

impl CellSet {
    /// Tests if a cell is in the set.
    pub fn contains(&self, row: usize, column: usize) -> bool {
        self.0.get(row).is_some_and(|cells| cells >> column & 1 == 1)
    }

    /// Adds a cell.
    pub fn add(&mut self, row: usize, column: usize) {
        if let Some(cells) = self.0.get_mut(row) {
            *cells |= 1 << column;
        }
    }

    /// Returns the number of cells.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|cells| cells.count_ones()).sum()
    }

    /// Adds all cells of another set that hang together with cells of this one, itself within the other.
    pub fn flood_fill(&mut self, within: &CellSet) {
        loop {
            let before = *self;
            // Downwards and upwards in turn, so that a chain is followed over many rows at once.
            for row in (0..MAX_SIZE).chain((0..MAX_SIZE).rev()) {
                self.0[row] = fill_row(self.0[row] | self.neighbors_in_row(row) & within.0[row], within.0[row]);
            }
            if *self == before {
                return;
            }
        }
    }

    /// Returns the cells of a row that touch cells of the set in the rows above and below.
    fn neighbors_in_row(&self, row: usize) -> u32 {
        let above = row.checked_sub(1).map_or(0, |row| self.0[row]);
        let below = self.0.get(row + 1).copied().unwrap_or_default();
        above | above >> 1 | below | below << 1
    }

    /// Tests if a cell touches one of the set.
    pub fn touches(&self, row: usize, column: usize) -> bool {
        let own = self.0.get(row).copied().unwrap_or_default();
        (own << 1 | own >> 1 | self.neighbors_in_row(row)) >> column & 1 == 1
    }
}

/// Returns the cells of a row that a set reaches from side to side.
fn fill_row(mut set: u32, within: u32) -> u32 {
    if set == 0 {
        return 0;
    }
    // Runs double in length with each step.
    let (mut up, mut down) = (within, within);
    for by in [1, 2, 4, 8, 16] {
        set |= up & (set << by) | down & (set >> by);
        up &= up << by;
        down &= down >> by;
    }
    set
}

/// Returns the six cells around one, as far as they are on a board of this size, in the order of the clock.
pub fn neighbors(size: usize, row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
    [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)].into_iter().filter_map(move |(down, right)| {
        let place = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
        (place.0 < size && place.1 < size).then_some(place)
    })
}
