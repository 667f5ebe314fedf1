//! Who may still castle.

use crate::File;

/// The castlings that a side still has, by the files of their rooks, which Chess960 puts anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CastleRights {
    /// The file of the rook on the king's right, as White sees it.
    pub short: Option<File>,
    /// The file of the rook on the king's left, as White sees it.
    pub long: Option<File>,
}

impl CastleRights {
    /// No castling any more.
    pub const EMPTY: Self = Self { short: None, long: None };
}
