//! The board as people see it. Squares are numbered 1 to 32 from the top, with black at the top, as in the literature. The board
//! can be turned.

pub mod drawing;
pub mod text;
pub mod tiles;

use game::seat::Seat;

use crate::checkers::bitboards::SQUARES;

/// A board with numbered dark squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckersBoard {
    /// The side at the bottom, if the players chose one; otherwise it is white, as in the literature.
    pub viewer: Option<Seat>,
    /// The pieces on squares 1 to 32. `None` is a free square.
    pub squares: Vec<Option<BoardPiece>>,
    /// The squares of the last move, from its end back to its start.
    pub last_move: Vec<u8>,
}

/// A man or a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardPiece {
    /// The owner.
    pub seat: Seat,
    /// Whether the piece is a king.
    pub is_king: bool,
}

impl BoardPiece {
    /// Returns the letter in text and the symbol's id. Kings have capital letters.
    pub(super) fn letter(self) -> char {
        let letter = ['b', 'w'][self.seat.index()];
        if self.is_king { letter.to_ascii_uppercase() } else { letter }
    }
}

impl CheckersBoard {
    /// Returns the number of the square in this row and column from the viewer's top left, or `None` if it is light.
    pub(super) fn square_number(&self, row: usize, column: usize) -> Option<u8> {
        if (row + column).is_multiple_of(2) {
            return None;
        }
        let number = (row * 4 + column / 2 + 1) as u8;
        Some(if self.is_turned() { SQUARES + 1 - number } else { number })
    }

    /// Whether black, the first seat, is at the bottom.
    pub(super) fn is_turned(&self) -> bool {
        self.viewer == Some(Seat::First)
    }

    /// Returns the numbers of the first and the last square in this row from the viewer's top.
    pub(super) fn row_ends(&self, row: usize) -> [u8; 2] {
        let mut numbers = (0..8).filter_map(|column| self.square_number(row, column));
        let first = numbers.next().unwrap_or_default();
        [first, numbers.next_back().unwrap_or_default()]
    }

    pub(super) fn piece(&self, number: u8) -> Option<BoardPiece> {
        self.squares.get(usize::from(number).checked_sub(1)?).copied().flatten()
    }

    /// Describes the squares of a side's men or kings, or returns `None` if it has none.
    pub(super) fn squares_phrase(&self, seat: Seat, is_king: bool) -> Option<String> {
        let has_piece = |number: &u8| self.piece(*number) == Some(BoardPiece { seat, is_king });
        let squares: Vec<String> = (1..=SQUARES).filter(has_piece).map(|number| number.to_string()).collect();
        let subject = match (is_king, squares.len()) {
            (_, 0) => return None,
            (true, 1) => "a king on",
            (true, _) => "kings on",
            (false, 1) => "a man on",
            (false, _) => "men on",
        };
        Some(format!("{subject} {}", squares.join(", ")))
    }
}
