//! A move as engines write it.

use core::fmt::{Display, Formatter};
use core::str::FromStr;

use crate::{Piece, Square};

/// A move: from where to where. Castling is the king's move onto his own rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes there.
    pub promotion: Option<Piece>,
}

crate::helpers::simple_error! {
    /// What was read is no move.
    pub struct MoveParseError = "This is not a move like e2e4 or e7e8q.";
}

/// Reads a move; what follows its fifth letter is not looked at, and no pawn becomes a king or a pawn.
fn read(text: &str) -> Option<Move> {
    let part = |from, to| text.get(from..to);
    let promotion = match part(4, 5) {
        Some(letter) => letter.parse().ok().map(Some)?,
        None => None,
    };
    Some(Move {
        from: part(0, 2)?.parse().ok()?,
        to: part(2, 4)?.parse().ok()?,
        promotion: promotion.filter(|piece| !matches!(piece, Piece::Pawn | Piece::King)),
    })
}

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        read(text).ok_or(MoveParseError)
    }
}

impl Display for Move {
    fn fmt(&self, to: &mut Formatter<'_>) -> core::fmt::Result {
        write!(to, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |piece| write!(to, "{piece}"))
    }
}
