//! The board as people see it: squares 1 to 32 from the top, black's men above, as in the books.

pub mod drawing;
pub mod text;
pub mod tiles;

use game::seat::Seat;

use crate::checkers::bitboards::SQUARES;

/// A board whose dark squares have numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckersBoard {
    /// The man on each square from 1 on, `None` if it is free.
    pub squares: Vec<Option<BoardPiece>>,
    /// The squares of the last move: the one where it ended, then back to the one where it began.
    pub last_move: Vec<u8>,
}

/// A man on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardPiece {
    /// The owner.
    pub seat: Seat,
    /// Whether it is a king.
    pub is_king: bool,
}

impl BoardPiece {
    /// Returns the letter in texts and the id of the symbol: a capital is a king.
    pub(super) fn letter(self) -> char {
        let letter = ['b', 'w'][self.seat.index()];
        if self.is_king { letter.to_ascii_uppercase() } else { letter }
    }
}

impl CheckersBoard {
    /// Returns the number of the dark square in a row and a column from the top left; `None` for a light one.
    pub(super) fn square_number(row: usize, column: usize) -> Option<u8> {
        ((row + column) % 2 == 1).then(|| (row * 4 + column / 2 + 1) as u8)
    }

    pub(super) fn piece(&self, number: u8) -> Option<BoardPiece> {
        self.squares.get(usize::from(number).checked_sub(1)?).copied().flatten()
    }

    /// Returns the squares of a side's men or of its kings as a part of a sentence; `None` if it has none.
    pub(super) fn squares_phrase(&self, seat: Seat, king: bool) -> Option<String> {
        let here = |number: &u8| self.piece(*number) == Some(BoardPiece { seat, is_king: king });
        let places: Vec<String> = (1..=SQUARES).filter(here).map(|number| number.to_string()).collect();
        let name = match (king, places.len()) {
            (_, 0) => return None,
            (true, 1) => "a king on",
            (true, _) => "kings on",
            (false, 1) => "a man on",
            (false, _) => "men on",
        };
        Some(format!("{name} {}", places.join(", ")))
    }
}
