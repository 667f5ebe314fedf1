//! The board as it is shown: 64 squares, seen from one side.

pub mod description;
pub mod drawing;
pub mod piece_shapes;
pub mod text;
pub mod tiles;

use cozy_chess::{Piece, Square};
use game::seat::Seat;

/// The kinds of pieces, in the order that descriptions list them.
pub const PIECE_ORDER: [Piece; Piece::NUM] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// A chess board to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChessBoard {
    /// The seat from whose side the board is shown.
    pub viewer: Seat,
    /// Whether the text board shows figurines instead of letters.
    pub figurines: bool,
    /// The piece on each square, in the order of [`Square::ALL`]: a1, b1, and so on.
    pub pieces: [Option<ColoredPiece>; Square::NUM],
    /// The squares of the last move: its target, then its origin.
    pub last_move: Vec<Square>,
    /// The square of a king in check.
    pub checked_king: Option<Square>,
    /// The pieces that each seat has lost, strongest first.
    pub captured: [Vec<Piece>; 2],
}

/// A piece with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColoredPiece {
    /// The owner.
    pub seat: Seat,
    /// The kind of piece.
    pub piece: Piece,
}

impl ChessBoard {
    /// Returns the piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<ColoredPiece> {
        self.pieces[square as usize]
    }

    /// Returns the square at a row and column, counted from the viewer's top left.
    pub fn square_at(&self, row: usize, column: usize) -> Square {
        let (rank, file) = if self.viewer == Seat::First { (7 - row.min(7), column) } else { (row, 7 - column.min(7)) };
        Square::index((rank.min(7)) * 8 + file.min(7))
    }
}
