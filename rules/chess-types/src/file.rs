//! The columns of the board.

use crate::BitBoard;

crate::kinds::lettered! {
    /// A column, from White's left to the right.
    File, FileParseError = "This is no letter of a file.":
    /// The queen's rooks stand here.
    A = 0 'a',
    /// The queen's knights stand here.
    B = 1 'b',
    /// The queen's bishops stand here.
    C = 2 'c',
    /// The queens stand here.
    D = 3 'd',
    /// The kings stand here.
    E = 4 'e',
    /// The king's bishops stand here.
    F = 5 'f',
    /// The king's knights stand here.
    G = 6 'g',
    /// The king's rooks stand here.
    H = 7 'h',
}

impl File {
    /// Returns its eight squares.
    #[inline(always)]
    pub const fn bitboard(self) -> BitBoard {
        BitBoard(0x0101_0101_0101_0101 << self as u32)
    }

    /// Returns the squares of the files beside it.
    #[inline(always)]
    pub const fn adjacent(self) -> BitBoard {
        let own = self.bitboard().0;
        BitBoard((own & !Self::A.bitboard().0) >> 1 | (own & !Self::H.bitboard().0) << 1)
    }
}
