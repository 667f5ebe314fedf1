//! The men as shapes, drawn for this program: Staunton's, in a square from -25 to 25 with its origin in the middle.
//!
//! Each has an outline, which is filled, and lines inside of it.

use cozy_chess::Piece;

use crate::game::board::drawing::palette::{EBONY, IVORY, RIM};
use crate::game::seat::Seat;
use crate::games::chess::names::letter;
use crate::games::chess::squares::Man;

/// Returns the outline of a man, and the lines within.
fn shape(piece: Piece) -> (&'static str, &'static str) {
    match piece {
        Piece::Pawn => (
            "M-12 19v-4c0-6 5.500-7 7-16h-3.500c.3-3 2-4 4-4.700a7 7 0 1 1 9 0c2 .7 3.700 1.700 4 4.700h-3.500c1.500 9 7 10 7 16v4z",
            "M-11 15h22",
        ),
        Piece::Rook => (
            "M-14 19v-4h3l2.500-6v-14l-4-4v-8h5v3.500h5v-3.500h5v3.500h5v-3.500h5v8l-4 4v14l2.500 6h3v4z",
            "M-11 15h22",
        ),
        Piece::Bishop => ("M-14 19z", ""),
        Piece::Knight => ("M-14 19z", ""),
        Piece::Queen => ("M-14 19z", ""),
        Piece::King => ("M-14 19z", ""),
    }
}

/// Returns the id of a man's symbol: `wn`.
pub fn id(man: Man) -> String {
    let side = if man.seat == Seat::First { 'w' } else { 'b' };
    format!("{side}{}", letter(man.piece).to_ascii_lowercase())
}

/// Returns the symbol of a man. Lines within are dark on white men and light on black ones.
pub fn symbol(man: Man) -> String {
    let (outline, lines) = shape(man.piece);
    let (fill, edge, inner) = if man.seat == Seat::First { (IVORY, EBONY, EBONY) } else { (EBONY, RIM, IVORY) };
    let id = id(man);
    format!(
        "<g id=\"{id}\"><path d=\"{outline}\" fill=\"{fill}\" stroke=\"{edge}\"/><path d=\"{lines}\" stroke=\"{inner}\"/></g>"
    )
}
