//! The two sides.

use core::ops::Not;

crate::kinds::lettered! {
    /// A side, written as in FEN.
    Color, ColorParseError = "This is neither `w` nor `b`.":
    /// The side that moves first.
    White = 0 'w',
    /// The side that answers.
    Black = 1 'b',
}

impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}
