//! Sets of cells, and the JSON of a position.

use game::{InvalidState, PositionJson, Rules, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hex::{GameConfig, Hex};
use crate::rows::Rows;

/// Returns the rows of symbols of a board of this size: red and blue stones.
fn rows(size: usize) -> Rows {
    Rows { columns: size, rows: size, symbols: ['R', 'B'] }
}

/// A side, by the color of its stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "HexColor")]
pub enum Color {
    /// The first seat, which connects top and bottom.
    Red,
    /// The second seat, which connects left and right.
    Blue,
}

/// A position: the board, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "HexPosition")]
pub struct Position {
    /// The rows from the top, which is row 1, each a string from the left: `R` is a red stone, `B` a blue one, `.` a free cell.
    pub board: Vec<String>,
    /// The side to move; after the end, the side that would be next.
    pub current_player: Color,
}

impl From<Seat> for Color {
    fn from(seat: Seat) -> Color {
        [Color::Red, Color::Blue][seat.index()]
    }
}

impl From<Color> for Seat {
    fn from(color: Color) -> Seat {
        Seat::BOTH[color as usize]
    }
}

impl PositionJson for Hex {
    type Position = Position;

    fn from_position(config: &GameConfig, position: &Position) -> Result<Hex, InvalidState> {
        let mut game = Hex::start(config)?;
        game.side_to_move = position.current_player.into();
        for (cell, owner) in rows(game.size).parse(&position.board)?.into_iter().enumerate() {
            if let Some(owner) = owner {
                game.place_stone(owner, cell);
            }
        }
        Ok(game)
    }

    fn position(&self) -> Position {
        let board = rows(self.size).format(|cell| self.stone(cell));
        Position { board, current_player: self.side_to_move.into() }
    }
}

// Bitboards with an integer for each row, and connections between cells.
//
// Each row is half a cell further to the right than the one above. So a cell's neighbors are in its own and the next column of
// the row above, in its own and the previous column of the row below, and to its left and right.

/// The largest board size.
pub(super) const MAX_SIZE: usize = 19;

/// A set of cells, as a bitmask for each row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CellSet(pub [u32; MAX_SIZE]);

impl CellSet {
    /// Whether a cell is in the set.
    pub(super) fn contains(&self, row: usize, column: usize) -> bool {
        self.0.get(row).is_some_and(|cells| cells >> column & 1 == 1)
    }

    /// Adds a cell.
    pub(super) fn add(&mut self, row: usize, column: usize) {
        if let Some(cells) = self.0.get_mut(row) {
            *cells |= 1 << column;
        }
    }

    /// Returns the number of cells.
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|cells| cells.count_ones()).sum()
    }

    /// Adds all cells of `within` that are connected to this set through cells of `within`. This set is a subset of `within`.
    pub(super) fn flood_fill(&mut self, within: &CellSet) {
        loop {
            let before = *self;
            // Alternating down and up follows a chain across many rows at once.
            for row in (0..MAX_SIZE).chain((0..MAX_SIZE).rev()) {
                self.0[row] = fill_row(self.0[row] | self.neighbors_in_row(row) & within.0[row], within.0[row]);
            }
            if *self == before {
                return;
            }
        }
    }

    /// Returns the cells of a row that touch a cell of the set in the row above or below.
    fn neighbors_in_row(&self, row: usize) -> u32 {
        let above = row.checked_sub(1).map_or(0, |row| self.0[row]);
        let below = self.0.get(row + 1).copied().unwrap_or_default();
        above | above >> 1 | below | below << 1
    }

    /// Whether a cell touches a cell of the set.
    pub(super) fn touches(&self, row: usize, column: usize) -> bool {
        let own = self.0.get(row).copied().unwrap_or_default();
        (own << 1 | own >> 1 | self.neighbors_in_row(row)) >> column & 1 == 1
    }
}

/// Returns the cells of `within` that are connected to `set` in a row. The set is a subset of `within`.
fn fill_row(mut set: u32, within: u32) -> u32 {
    if set == 0 {
        return 0;
    }
    // Each step doubles the length of the filled runs (Kogge-Stone).
    let (mut up, mut down) = (within, within);
    for shift in [1, 2, 4, 8, 16] {
        set |= up & (set << shift) | down & (set >> shift);
        up &= up << shift;
        down &= down >> shift;
    }
    set
}

/// Returns the up to six neighbors of a cell on a board of this size, as rows and columns, clockwise.
pub fn neighbors(size: usize, row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
    [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)].into_iter().filter_map(move |(down, right)| {
        let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
        if row < size && column < size { Some((row, column)) } else { None }
    })
}
