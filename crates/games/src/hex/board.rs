//! The board as people see it: a rhombus of hexagons, each row half a cell further to the right, with an edge for each side.

pub mod drawing;
pub mod text;
pub mod tiles;

use game::board::drawing::palette::Ink;
use game::board::piece::{Form, Glyph, PieceStyle};
use game::seat::Seat;

/// The look of the stones.
pub const STYLES: [PieceStyle; 2] = [
    PieceStyle { ink: Ink::CRIMSON, glyph: Glyph { name: "red", letter: 'R', form: Form::Disc } },
    PieceStyle { ink: Ink::BLUE, glyph: Glyph { name: "blue", letter: 'B', form: Form::Disc } },
];

/// A rhombus of hexagons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexBoard {
    /// The length of a side.
    pub size: usize,
    /// The owner of the stone on each cell, `None` if it is free: row by row from the top left.
    pub cells: Vec<Option<Seat>>,
    /// The look of each seat's stones.
    pub styles: [PieceStyle; 2],
    /// The cells of the last move.
    pub last: Vec<usize>,
    /// The chain that joins two edges, from one to the other; empty where none does.
    pub chain: Vec<usize>,
}
