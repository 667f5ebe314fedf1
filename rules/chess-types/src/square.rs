//! The squares of the board.

use core::fmt::{Display, Formatter};
use core::str::FromStr;

use crate::{BitBoard, Color, File, Rank};

/// Makes the enum of all squares, whose documentation is their names.
macro_rules! squares {
    ($($name:ident $number:literal,)+) => {
        crate::kinds::numbered! {
            /// A square: the first rank from left to right, then the next.
            Square:
            $(#[doc = concat!("The square ", stringify!($name), ".")] $name = $number,)+
        }
    };
}

squares! {
    A1 0, B1 1, C1 2, D1 3, E1 4, F1 5, G1 6, H1 7,
    A2 8, B2 9, C2 10, D2 11, E2 12, F2 13, G2 14, H2 15,
    A3 16, B3 17, C3 18, D3 19, E3 20, F3 21, G3 22, H3 23,
    A4 24, B4 25, C4 26, D4 27, E4 28, F4 29, G4 30, H4 31,
    A5 32, B5 33, C5 34, D5 35, E5 36, F5 37, G5 38, H5 39,
    A6 40, B6 41, C6 42, D6 43, E6 44, F6 45, G6 46, H6 47,
    A7 48, B7 49, C7 50, D7 51, E7 52, F7 53, G7 54, H7 55,
    A8 56, B8 57, C8 58, D8 59, E8 60, F8 61, G8 62, H8 63,
}

crate::helpers::simple_error! {
    /// What was read names no square.
    pub struct SquareParseError = "This is not the name of a square.";
}

impl Square {
    /// Returns the square on this file and this rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::index(8 * rank as usize + file as usize)
    }

    /// Returns its file.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::index(self as usize % 8)
    }

    /// Returns its rank.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::index(self as usize / 8)
    }

    /// Returns the set of this square alone.
    #[inline(always)]
    pub const fn bitboard(self) -> BitBoard {
        BitBoard(1 << self as u32)
    }

    /// Returns the square so many files to the right and so many ranks up, if the board goes so far.
    #[inline(always)]
    pub const fn try_offset(self, files: i8, ranks: i8) -> Option<Self> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        // What is below zero is far above seven without its sign.
        match (File::try_index(file as usize), Rank::try_index(rank as usize)) {
            (Some(file), Some(rank)) => Some(Self::new(file, rank)),
            _ => None,
        }
    }

    /// Returns the square so many files to the right and so many ranks up.
    ///
    /// # Panics
    ///
    /// If the board does not go so far.
    pub const fn offset(self, files: i8, ranks: i8) -> Self {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        Self::new(File::index(file as usize), Rank::index(rank as usize))
    }

    /// Returns the square that is for this side what this one is for White.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::new(self.file(), self.rank().relative_to(color))
    }
}

impl FromStr for Square {
    type Err = SquareParseError;

    fn from_str(text: &str) -> Result<Self, SquareParseError> {
        let mut letters = text.chars();
        let (Some(file), Some(rank), None) = (letters.next(), letters.next(), letters.next()) else {
            return Err(SquareParseError);
        };
        match (File::try_from(file), Rank::try_from(rank)) {
            (Ok(file), Ok(rank)) => Ok(Self::new(file, rank)),
            _ => Err(SquareParseError),
        }
    }
}

impl Display for Square {
    fn fmt(&self, to: &mut Formatter<'_>) -> core::fmt::Result {
        write!(to, "{}{}", self.file(), self.rank())
    }
}
