//! The kinds of pieces.

crate::kinds::lettered! {
    /// A kind of piece; what is worth more comes later.
    Piece, PieceParseError = "This is no small letter of a piece.":
    /// Moves ahead and takes aslant.
    Pawn = 0 'p',
    /// Jumps.
    Knight = 1 'n',
    /// Slides on diagonals.
    Bishop = 2 'b',
    /// Slides on files and ranks.
    Rook = 3 'r',
    /// Slides everywhere.
    Queen = 4 'q',
    /// Must not be lost.
    King = 5 'k',
}
