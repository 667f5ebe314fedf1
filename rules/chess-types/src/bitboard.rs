//! Sets of squares.

use core::fmt::{Debug, Formatter};
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::Square;

/// A set of squares, each of which is the bit of its number.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitBoard(pub u64);

impl BitBoard {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// All squares.
    pub const FULL: Self = Self(u64::MAX);

    /// Returns how many squares are in it.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Says whether no square is in it.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Says whether this square is in it.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 & square.bitboard().0 != 0
    }

    /// Says whether no square is in both.
    #[inline(always)]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Says whether all its squares are in the other.
    #[inline(always)]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns its first square.
    #[inline(always)]
    pub const fn next_square(self) -> Option<Square> {
        Square::try_index(self.0.trailing_zeros() as usize)
    }

    /// Returns its squares in their order.
    #[inline(always)]
    pub const fn iter(self) -> BitBoardIter {
        BitBoardIter(self)
    }

    /// Returns every set of squares that are all in it, the empty one first.
    pub fn iter_subsets(self) -> impl Iterator<Item = Self> {
        // Counting in the bits of the set alone: what is not in it is passed over by the carry.
        let after =
            move |subset: &Self| Some(Self(subset.0.wrapping_sub(self.0) & self.0)).filter(|next| !next.is_empty());
        core::iter::successors(Some(Self::EMPTY), after)
    }
}

/// Makes the operators that are those of the bits.
macro_rules! operators {
    ($($plain:ident $plain_name:ident, $assign:ident $assign_name:ident;)+) => {$(
        impl $plain for BitBoard {
            type Output = Self;

            #[inline(always)]
            fn $plain_name(self, other: Self) -> Self {
                Self(self.0.$plain_name(other.0))
            }
        }

        impl $assign for BitBoard {
            #[inline(always)]
            fn $assign_name(&mut self, other: Self) {
                self.0.$assign_name(other.0);
            }
        }
    )+};
}

operators! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

impl Not for BitBoard {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Sub for BitBoard {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self & !other
    }
}

impl IntoIterator for BitBoard {
    type Item = Square;
    type IntoIter = BitBoardIter;

    #[inline(always)]
    fn into_iter(self) -> BitBoardIter {
        self.iter()
    }
}

impl FromIterator<Square> for BitBoard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.bitboard())
    }
}

impl Debug for BitBoard {
    fn fmt(&self, to: &mut Formatter<'_>) -> core::fmt::Result {
        to.debug_set().entries(*self).finish()
    }
}

/// The squares of a set that are still to come.
#[derive(Clone, Debug)]
pub struct BitBoardIter(BitBoard);

impl Iterator for BitBoardIter {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let first = self.0.next_square()?;
        // Without its lowest bit, which is quicker than without that square.
        self.0.0 &= self.0.0 - 1;
        Some(first)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for BitBoardIter {}

impl FusedIterator for BitBoardIter {}
