//! Sets of cells, and the JSON of a position.

use game::{Game, InvalidState, PositionJson, Rules, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::othello::{GameConfig, Othello};
use crate::rows::Rows;

/// The rows of symbols: black and white discs.
const ROWS: Rows = Rows { columns: SIZE, rows: SIZE, symbols: ['B', 'W'] };

/// A side, by the color of its discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "OthelloColor")]
pub enum Color {
    /// The first seat, which moves first.
    Black,
    /// The second seat.
    White,
}

/// The board, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "OthelloPosition")]
pub struct Position {
    /// The rows from row 1 at the top, each from the left: `B` is a black disc, `W` a white disc, and `.` a free cell.
    pub board: Vec<String>,
    /// The side to move. It has a legal move unless the game is over.
    pub current_player: Color,
}

impl From<Seat> for Color {
    fn from(seat: Seat) -> Color {
        [Color::Black, Color::White][seat.index()]
    }
}

impl From<Color> for Seat {
    fn from(color: Color) -> Seat {
        Seat::BOTH[color as usize]
    }
}

impl PositionJson for Othello {
    type Position = Position;

    fn from_position(_config: &GameConfig, position: &Position) -> Result<Othello, InvalidState> {
        let mut discs = [0_u64; 2];
        for (cell, owner) in ROWS.parse(&position.board)?.into_iter().enumerate() {
            if let Some(owner) = owner {
                discs[owner.index()] |= 1 << cell;
            }
        }
        let seat = Seat::from(position.current_player);
        let [own, other] = [discs[seat.index()], discs[seat.other().index()]];
        if moves(own, other) == 0 && moves(other, own) != 0 {
            let [own, other] = [seat, seat.other()].map(|seat| Othello::INFO.seats[seat.index()]);
            let expected = format!("{other}, because {own} has no move and passes");
            return Err(InvalidState::unexpected("currentPlayer", own, &expected));
        }
        Ok(Othello { discs, side_to_move: seat, flipped: 0, passed: None })
    }

    fn position(&self) -> Position {
        Position { board: ROWS.format(|cell| self.owner(cell)), current_player: self.side_to_move().into() }
    }
}

// Bitboards: legal moves and flipped discs.
//
// A set of cells is a `u64`. Its lowest bit is a1 at the top left, and the cells follow row by row.
// Moves are generated with the [Kogge-Stone algorithm](https://www.chessprogramming.org/Kogge-Stone_Algorithm).

/// The side length of the board.
pub(super) const SIZE: usize = 8;

/// All cells except those of the leftmost and rightmost columns, where horizontal and diagonal moves can't flip discs.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The leftmost column.
const LEFT: u64 = 0x0101_0101_0101_0101;
/// The rightmost column.
const RIGHT: u64 = 0x8080_8080_8080_8080;

/// The discs of the starting position: black's on e4 and d5, and white's on d4 and e5.
pub(super) const START: [u64; 2] = [1 << 28 | 1 << 35, 1 << 27 | 1 << 36];

/// The bit shifts of the four axes, each with the cells where discs can be flipped along it.
const DIRECTIONS: [(u32, u64); 4] = [(1, INNER_COLUMNS), (7, INNER_COLUMNS), (8, u64::MAX), (9, INNER_COLUMNS)];

/// For each cell, the rays to the edge of the board: four toward higher bits, then four toward lower bits.
static RAYS: [[[u64; 4]; 2]; 64] = rays();

const fn rays() -> [[[u64; 4]; 2]; 64] {
    let directions: [[(i32, i32); 4]; 2] = [[(0, 1), (1, -1), (1, 0), (1, 1)], [(0, -1), (-1, 1), (-1, 0), (-1, -1)]];
    let mut rays = [[[0; 4]; 2]; 64];
    let mut index = 0;
    while index < 64 * 8 {
        let (cell, side, direction) = (index / 8, index / 4 % 2, index % 4);
        let (down, right) = directions[side][direction];
        let (mut row, mut column) = (cell as i32 / 8 + down, cell as i32 % 8 + right);
        while 0 <= row && row < 8 && 0 <= column && column < 8 {
            rays[cell][side][direction] |= 1 << (row * 8 + column);
            (row, column) = (row + down, column + right);
        }
        index += 1;
    }
    rays
}

/// Returns the legal moves of the side with the discs `own`.
#[inline]
pub fn moves(own: u64, other: u64) -> u64 {
    let mut moves = 0;
    for (shift, mask) in DIRECTIONS {
        let inner = other & mask;
        let up = {
            let run = inner & (own << shift);
            let run = run | inner & (run << shift);
            let pairs = inner & (inner << shift);
            let run = run | pairs & (run << (2 * shift));
            run | pairs & (run << (2 * shift))
        };
        let down = {
            let run = inner & (own >> shift);
            let run = run | inner & (run >> shift);
            let pairs = inner & (inner >> shift);
            let run = run | pairs & (run >> (2 * shift));
            run | pairs & (run >> (2 * shift))
        };
        moves |= up << shift | down >> shift;
    }
    moves & !(own | other)
}

/// Returns the discs of `other` that a disc of `own` on `cell` flips.
#[inline]
pub fn flips(own: u64, other: u64, cell: u32) -> u64 {
    let [up, down] = &RAYS[cell as usize % 64];
    let mut flipped = 0;
    for ray in up {
        // The carry runs through the opponent's discs to the first other cell.
        let end = (other | !ray).wrapping_add(1) & own & ray;
        flipped |= end.saturating_sub(1) & ray;
    }
    for ray in down {
        let ends = ray & !other;
        let end = (1 << 63) >> (ends | 1).leading_zeros() & own & ends;
        flipped |= end.wrapping_neg() << 1 & ray;
    }
    flipped
}

/// Returns a set together with its neighbors in all eight directions.
pub(super) fn with_neighbors(set: u64) -> u64 {
    let row = set | (set & !RIGHT) << 1 | (set & !LEFT) >> 1;
    row | row << 8 | row >> 8
}

/// Iterates over the cells of a set, lowest first.
pub fn iter_cells(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let cell = set.trailing_zeros();
        set &= set - 1;
        Some(cell)
    })
}

/// Counts the positions `depth` plies ahead. `depth` is at least 1, and a pass doesn't count as a ply.
pub(super) fn perft(own: u64, other: u64, depth: u32) -> u64 {
    let (mut own, mut other) = (own, other);
    let mut legal = moves(own, other);
    if legal == 0 {
        (own, other) = (other, own);
        legal = moves(own, other);
    }
    if depth == 1 {
        return legal.count_ones().into();
    }
    let count_after = |cell: u32| {
        let flipped = flips(own, other, cell);
        perft(other & !flipped, own | flipped | 1 << cell, depth - 1)
    };
    iter_cells(legal).map(count_after).sum()
}
