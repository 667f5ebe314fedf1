//! The rows of the board.

use crate::{BitBoard, Color};

crate::kinds::lettered! {
    /// A row, from White's side on.
    Rank, RankParseError = "This is no number of a rank.":
    /// White's pieces start here.
    First = 0 '1',
    /// White's pawns start here.
    Second = 1 '2',
    /// Where White's pawns go past when they make two steps.
    Third = 2 '3',
    /// Where two steps take White's pawns.
    Fourth = 3 '4',
    /// Where two steps take Black's pawns.
    Fifth = 4 '5',
    /// Where Black's pawns go past when they make two steps.
    Sixth = 5 '6',
    /// Black's pawns start here.
    Seventh = 6 '7',
    /// Black's pieces start here.
    Eighth = 7 '8',
}

impl Rank {
    /// Returns its eight squares.
    #[inline(always)]
    pub const fn bitboard(self) -> BitBoard {
        BitBoard(0xff << (8 * self as u32))
    }

    /// Returns the rank that is as far from this side as this one is from White.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::index(7 - self as usize),
        }
    }
}
