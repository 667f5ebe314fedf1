//! SVG shapes of the pieces: Staunton pieces drawn for this program, in a square from -25 to 25.
//!
//! Each piece has a filled outline and inner lines.

use cozy_chess::Piece;
use game::board::drawing::palette::{EBONY, IVORY, RIM};
use game::seat::Seat;

use crate::chess::board::ColoredPiece;

/// Returns the outline of a piece and its inner lines, as SVG paths.
fn shape(piece: Piece) -> (&'static str, &'static str) {
    match piece {
        Piece::Pawn => (
            "M-12 19v-3.5c0-6.5 6-7.5 7-15.5h-3.5c.2-3 1.8-4.2 4.1-5a7 7 0 1 1 8.8 0c2.3.8 3.9 2 4.1 5h-3.5 \
             c1 8 7 9 7 15.5v3.5z",
            "M-12 15.5h24M-5 0h10",
        ),
        Piece::Knight => (
            "M-13 19v-4h2c0-9 9-10 9.5-16.5c-3.5 3-7 3-9 6c-1.5 2.5-5.5 2.5-7-1.5c.5-6 5-8.5 6.5-14l.3-8.8 \
             l4.7 4.3l3.5-4.3c10 1 16.5 9.3 14.5 34.8h1.5v4z",
            "M-11 15h23M3.5-13.5c5.5 5 7 14 6.3 25M-7.5-9.3a1 1 0 1 1-.1 0zM-14.3 2l1-1.2",
        ),
        Piece::Bishop => (
            "M-14 19v-3.5c1-4.5 8-4 8.5-10h-3v-3.5h2.5c-7-5-5.5-11.5 3.2-18.3a2.9 2.9 0 1 1 5.6 0 \
             c8.7 6.8 10.2 13.3 3.2 18.3h2.5v3.5h-3c.5 6 7.5 5.5 8.5 10v3.5z",
            "M-14 15.5h28M-5.5 5.5h11M-6 2h12M0-11v8M-4-7h8",
        ),
        Piece::Rook => (
            "M-14 19v-4h2.5l2.5-5.5v-12.5l-4-4v-9.5h5v4h5.3v-4h5.4v4h5.3v-4h5v9.5l-4 4v12.5l2.5 5.5h2.5v4z",
            "M-11.5 15h23M-9 9.5h18M-9-3h18M-13-7h26",
        ),
        Piece::Queen => (
            "M-12 19v-3.5l.5-7l-6.5-15.5l8.5 9l.5-14l6.5 12.5l2.5-15l2.5 15l6.5-12.5l.5 14l8.5-9l-6.5 15.5l.5 7 \
             v3.5zM-18.2-11.4a2.3 2.3 0 1 1-.1 0zM-9.2-16.5a2.3 2.3 0 1 1-.1 0zM0-19.3a2.3 2.3 0 1 1-.1 0z \
             M9.2-16.5a2.3 2.3 0 1 1-.1 0zM18.2-11.4a2.3 2.3 0 1 1-.1 0z",
            "M-12 15.5h24M-11.5 8.5c6-2.5 17-2.5 23 0M-11.8 12c6-2 17.6-2 23.6 0",
        ),
        Piece::King => (
            "M-12 19v-3.5l.5-6.5c-11-8.5-8-18-.5-18c4.5 0 7.5 2 9.3 4.7c-2.5-3.7-2-6.7 1.2-8.7v-3h-3.7v-2.8h3.7 \
             v-3.7h3v3.7h3.7v2.8h-3.7v3c3.2 2 3.7 5 1.2 8.7c1.8-2.7 4.8-4.7 9.3-4.7c7.5 0 10.5 9.5-.5 18l.5 6.5 \
             v3.5z",
            "M-12 15.5h24M-11.5 9c6-2.5 17-2.5 23 0M-11.8 12.3c6-2 17.6-2 23.6 0M-2.7-4.3c2 3.3 2.7 5.5 2.7 11.3 \
             c0-5.8.7-8 2.7-11.3",
        ),
    }
}

/// Returns the id of a piece's symbol: `wn`.
pub fn symbol_id(piece: ColoredPiece) -> &'static str {
    let [white, black] = match piece.piece {
        Piece::Pawn => ["wp", "bp"],
        Piece::Knight => ["wn", "bn"],
        Piece::Bishop => ["wb", "bb"],
        Piece::Rook => ["wr", "br"],
        Piece::Queen => ["wq", "bq"],
        Piece::King => ["wk", "bk"],
    };
    if piece.seat == Seat::First { white } else { black }
}

/// Returns the symbol of a piece. White pieces have dark lines. Black pieces have light lines, and a rim in dark mode.
pub fn symbol(piece: ColoredPiece) -> String {
    let (id, (outline, lines)) = (symbol_id(piece), shape(piece.piece));
    let (style, line_color) = if piece.seat == Seat::First {
        (format!("fill=\"{IVORY}\" stroke=\"{EBONY}\""), EBONY)
    } else {
        (format!("fill=\"{EBONY}\" stroke=\"{RIM}\" stroke-width=\"2.5\" paint-order=\"stroke\""), IVORY)
    };
    format!("<g id=\"{id}\"><path d=\"{outline}\" {style}/><path d=\"{lines}\" stroke=\"{line_color}\"/></g>")
}
