//! Renders the board: a rhombus of hexagons, with a colored band along each side's edges.

pub mod drawing;
pub mod text;
pub mod tiles;

use game::board::drawing::palette::Ink;
use game::board::piece::{Form, Glyph, PieceStyle};
use game::seat::Seat;

/// The styles of the stones.
pub const STYLES: [PieceStyle; 2] = [
    PieceStyle { ink: Ink::CRIMSON, glyph: Glyph { name: "red", letter: 'R', form: Form::Disc } },
    PieceStyle { ink: Ink::BLUE, glyph: Glyph { name: "blue", letter: 'B', form: Form::Disc } },
];

/// A board of hexagons, ready to be rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexBoard {
    /// The length of a side.
    pub size: usize,
    /// The owners of the stones, row by row from the top left; `None` if a cell is free.
    pub cells: Vec<Option<Seat>>,
    /// The style of each seat's stones.
    pub styles: [PieceStyle; 2],
    /// The cells of the last move.
    pub last_move: Vec<usize>,
    /// The winning chain from edge to edge; empty if there is none.
    pub chain: Vec<usize>,
}
