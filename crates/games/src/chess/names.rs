//! Names of pieces and colors, and the seats that play each color.

use cozy_chess::{Color, Piece};
use game::seat::Seat;

/// Returns the name of a piece, in lowercase.
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

/// Returns the uppercase letter of a piece, as in FEN and SAN.
pub fn piece_letter(piece: Piece) -> char {
    char::from(piece).to_ascii_uppercase()
}

/// Returns the name of a color, in lowercase.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Returns the seat that plays a color.
pub fn to_seat(color: Color) -> Seat {
    match color {
        Color::White => Seat::First,
        Color::Black => Seat::Second,
    }
}

/// Returns the color that a seat plays.
pub fn to_color(seat: Seat) -> Color {
    match seat {
        Seat::First => Color::White,
        Seat::Second => Color::Black,
    }
}
