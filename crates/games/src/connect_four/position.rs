//! Sets of cells, and the JSON of a position.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Not, Shl, Shr};

use game::{InvalidState, Outcome, PositionJson, Rules, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connect_four::{ConnectFour, GameConfig};
use crate::rows::{Rows, invalid_row};

/// Returns the rows of symbols of a board of this shape: red and yellow discs.
fn rows(shape: Shape) -> Rows {
    Rows { columns: shape.columns, rows: shape.rows, symbols: ['R', 'Y'] }
}

/// A side, by the color of its discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ConnectFourColor")]
pub enum Color {
    /// The first seat, which moves first.
    Red,
    /// The second seat.
    Yellow,
}

/// A position: the board, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ConnectFourPosition")]
pub struct Position {
    /// The rows from the top, each a string from the left: `R` is a red disc, `Y` a yellow one, `.` a free cell.
    pub board: Vec<String>,
    /// The side to move; after the end, the side that would be next.
    pub current_player: Color,
}

impl From<Seat> for Color {
    fn from(seat: Seat) -> Color {
        [Color::Red, Color::Yellow][seat.index()]
    }
}

impl From<Color> for Seat {
    fn from(color: Color) -> Seat {
        Seat::BOTH[color as usize]
    }
}

impl PositionJson for ConnectFour {
    type Position = Position;

    /// Returns the game at a position. If both sides have a line, the side that isn't to move has won, since it moved last.
    fn from_position(config: &GameConfig, position: &Position) -> Result<ConnectFour, InvalidState> {
        let mut game = ConnectFour::start(config)?;
        let shape = game.shape;
        let owners = rows(shape).parse(&position.board)?;
        for (cell, owner) in owners.iter().enumerate().rev() {
            let Some(owner) = owner else { continue };
            if owners.get(cell + shape.columns) == Some(&None) {
                return Err(invalid_row(&position.board, cell / shape.columns, "a disc below each disc"));
            }
            let height = shape.rows - 1 - cell / shape.columns;
            game.discs[owner.index()] |= shape.cell_mask(cell % shape.columns, height);
        }
        game.side_to_move = position.current_player.into();
        let won = [game.side_to_move.other(), game.side_to_move]
            .into_iter()
            .find(|seat| shape.has_line(game.discs[seat.index()]));
        game.outcome = match won {
            Some(seat) => Some(Outcome::Won(seat)),
            None if game.discs[0] | game.discs[1] == shape.all_cells::<u128>() => Some(Outcome::Draw),
            None => None,
        };
        Ok(game)
    }

    fn position(&self) -> Position {
        let board = rows(self.shape).format(|cell| self.disc(cell));
        Position { board, current_player: self.side_to_move.into() }
    }
}

// Bitboards, and the lines in them.
//
// Cells go column by column from the left, each from the bottom, with one bit above the column that stays empty. So the step to
// a neighbor is the same everywhere, and no line wraps around from one column to the next. See
// <https://www.chessprogramming.org/Connect_Four>.

/// The most columns or rows of a board.
pub(super) const MAX_SIDE: usize = 10;
/// The longest winning line.
pub(super) const MAX_K: usize = 6;

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
pub(super) fn perft<M: Mask>(shape: &Shape, [bottom_row, board]: [M; 2], own: M, other: M, depth: u32) -> u64 {
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
