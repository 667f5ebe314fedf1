//! The board as people see it: sixty-four squares with the men on them, seen from one side.

pub mod drawing;
pub mod piece_shapes;
pub mod text;
pub mod tiles;
pub mod words;

use cozy_chess::{Piece, Square};
use game::seat::Seat;

/// The kinds of men, in the order in which people name them.
pub const PIECE_ORDER: [Piece; Piece::NUM] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// A board of sixty-four squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// The seat from whose side it is seen.
    pub viewer: Seat,
    /// Whether the board as text shows figurines instead of letters.
    pub figurines: bool,
    /// The man on each square, in the order of [`Square::ALL`]: a1, b1 and so on.
    pub pieces: [Option<ColoredPiece>; Square::NUM],
    /// The squares of the last move: the one where it ended, then the one where it began.
    pub last_move: Vec<Square>,
    /// The square of a king that is in check.
    pub checked_king: Option<Square>,
    /// The men that each seat has lost, the strongest first.
    pub captured: [Vec<Piece>; 2],
}

/// A man on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColoredPiece {
    /// The owner.
    pub seat: Seat,
    /// The kind.
    pub piece: Piece,
}

impl BoardView {
    /// Returns the man on a square; `None` if it is free.
    pub fn piece_at(&self, square: Square) -> Option<ColoredPiece> {
        self.pieces[square as usize]
    }

    /// Returns the square in a row and a column, both counted from the top left as the viewer sees it.
    pub fn square_at(&self, row: usize, column: usize) -> Square {
        let (rank, file) = if self.viewer == Seat::First { (7 - row.min(7), column) } else { (row, 7 - column.min(7)) };
        Square::index((rank.min(7)) * 8 + file.min(7))
    }
}
