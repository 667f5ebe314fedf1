//! The nine boards, ready to be rendered.

pub mod drawing;
pub mod text;
pub mod tiles;

use game::board::piece::Piece;
use game::seat::Seat;

/// The cells along a side of one board, and the boards along a side of the whole board.
pub(super) const SIDE: usize = 3;
/// The cells along a side of the whole board.
pub(super) const SIZE: usize = SIDE * SIDE;

/// The nine boards. Cell a1 is at the bottom left of the whole board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UltimateBoard {
    /// The marks of all 81 cells, row by row from the top left of the whole board; `None` if free.
    pub cells: Vec<Option<Piece>>,
    /// The status of each board, row by row from the top left.
    pub statuses: Vec<BoardStatus>,
    /// The cells of the last move.
    pub last_move: Vec<usize>,
    /// The boards of each completed line, from end to end.
    pub lines: Vec<Vec<usize>>,
}

/// The status of one of the nine boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStatus {
    /// The next mark can go here.
    Active,
    /// The board isn't finished, but the next mark can't go here.
    Inactive,
    /// The seat has won the board.
    Won(Seat),
    /// The board is full, and neither side has won it.
    Drawn,
}

/// Returns the index of the board that contains a cell of the whole board.
pub(super) fn board_of(cell: usize) -> usize {
    cell / SIZE / SIDE * SIDE + cell % SIZE / SIDE
}
