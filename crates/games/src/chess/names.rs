//! The names of pieces and sides, and the seats they go with.

use cozy_chess::{Color, Piece};
use game::seat::Seat;

/// Returns the name of a piece in a sentence.
pub fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

/// Returns the letter of a piece in notation; that of a pawn is not written.
pub fn piece_letter(piece: Piece) -> char {
    char::from(piece).to_ascii_uppercase()
}

/// Returns the name of a side.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Returns the seat of a side.
pub fn to_seat(color: Color) -> Seat {
    match color {
        Color::White => Seat::First,
        Color::Black => Seat::Second,
    }
}

/// Returns the side of a seat.
pub fn to_color(seat: Seat) -> Color {
    match seat {
        Seat::First => Color::White,
        Seat::Second => Color::Black,
    }
}
