//! The board in plain words, for those who hear it.

use cozy_chess::{Piece, Square};
use game::contract::Game;
use game::seat::Seat;

use crate::chess::board_view::{BoardView, PIECE_ORDER};
use crate::chess::game::Chess;
use crate::chess::names::{color_name, piece_name as name, to_color};

/// Returns the whole position as one paragraph.
pub fn words(squares: &BoardView) -> String {
    let mut sentences: Vec<String> = Seat::BOTH.into_iter().map(|seat| describe_pieces(squares, seat)).collect();
    if let [to, from, ..] = squares.last_move[..] {
        sentences.push(format!("The last move went from {from} to {to}."));
    }
    if let Some((square, man)) = squares.checked_king.and_then(|square| Some((square, squares.piece_at(square)?))) {
        sentences.push(format!("The {} king on {square} is in check.", color_name(to_color(man.seat))));
    }
    let lost = Seat::BOTH.into_iter().filter_map(|seat| describe_captured(&squares.captured[seat.index()], seat));
    sentences.extend(lost);
    sentences.join(" ")
}

/// Names the men of a side with their squares.
fn describe_pieces(squares: &BoardView, seat: Seat) -> String {
    let kinds = PIECE_ORDER.into_iter().filter_map(|piece| {
        let here =
            |square: &Square| squares.piece_at(*square).is_some_and(|man| man.seat == seat && man.piece == piece);
        let places: Vec<String> = Square::ALL.into_iter().filter(here).map(|square| square.to_string()).collect();
        let plural = if places.len() > 1 { "s" } else { "" };
        (!places.is_empty()).then(|| format!("{}{plural} {}", name(piece), places.join(", ")))
    });
    let kinds: Vec<String> = kinds.collect();
    format!("{}: {}.", Chess::INFO.side_name(seat), kinds.join("; "))
}

/// Names the men that a side has lost; `None` if it has lost none.
fn describe_captured(captured: &[Piece], seat: Seat) -> Option<String> {
    let kinds = PIECE_ORDER.into_iter().filter_map(|piece| {
        let count = captured.iter().filter(|lost| **lost == piece).count();
        let plural = if count > 1 { "s" } else { "" };
        (count > 0).then(|| format!("{count} {}{plural}", name(piece)))
    });
    let kinds: Vec<String> = kinds.collect();
    (!kinds.is_empty()).then(|| format!("{} has lost {}.", Chess::INFO.side_name(seat), kinds.join(", ")))
}
