//! Pieces: whose they are, what they are called, and how they look.

use crate::board::drawing::palette::Ink;
use crate::phrase::capitalize;
use crate::seat::Seat;

/// A piece on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The owner. The colour comes from here, always.
    pub seat: Seat,
    /// The kind of piece.
    pub glyph: Glyph,
}

/// A kind of piece, in words, as text and in drawings. No two kinds of a game share a name or a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// The name in a sentence: `X`, `red`, `black king`.
    pub name: &'static str,
    /// The ASCII letter on boards of text, and the id of the symbol in drawings.
    pub letter: char,
    /// The shape in drawings.
    pub form: Form,
}

/// The shape of a piece. Those that both seats can share are filled, and the second seat's have a bright middle: no two
/// pieces differ in colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Two strokes that cross.
    Cross,
    /// A circle that is not filled.
    Ring,
    /// A filled circle.
    Disc,
    /// The path of a filled shape, in a square from -50 to 50.
    Path(&'static str),
}

/// The look of a seat's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceStyle {
    /// The colour of all of them.
    pub ink: Ink,
    /// The ordinary piece, which stands beside the player's name.
    pub glyph: Glyph,
}

/// Returns the ordinary piece of a seat.
pub fn ordinary_piece(looks: &[PieceStyle; 2], seat: Seat) -> Piece {
    Piece { seat, glyph: looks[seat.index()].glyph }
}

/// Returns the pieces on cells, each with its owner exchanged; the ordinary piece of a seat becomes that of the other.
pub fn swap_seats(cells: &[Option<Piece>], looks: &[PieceStyle; 2]) -> Vec<Option<Piece>> {
    let exchange = |one: Piece| {
        let other = ordinary_piece(looks, one.seat.other());
        if one == ordinary_piece(looks, one.seat) { other } else { Piece { seat: other.seat, ..one } }
    };
    cells.iter().map(|cell| cell.map(exchange)).collect()
}

/// Says which letter is whose: `Red is R, Yellow is Y`. `None` if the letters say it themselves.
pub fn legend(looks: &[PieceStyle; 2]) -> Option<String> {
    let named = looks.iter().filter(|look| look.glyph.name != look.glyph.letter.to_string());
    let named: Vec<String> =
        named.map(|look| format!("{} is {}", capitalize(look.glyph.name), look.glyph.letter)).collect();
    (!named.is_empty()).then(|| named.join(", "))
}
