//! The board in words, for screen readers.

use cozy_chess::{Piece, Square};
use game::contract::Game;
use game::seat::Seat;

use crate::chess::board::{ChessBoard, ColoredPiece, PIECE_ORDER};
use crate::chess::game::Chess;
use crate::chess::names::{color_name, piece_name, to_color};

/// Describes the position in one paragraph.
pub fn describe(view: &ChessBoard) -> String {
    let mut sentences: Vec<String> = Seat::BOTH.into_iter().map(|seat| describe_pieces(view, seat)).collect();
    if let [to, from, ..] = view.last_move[..] {
        sentences.push(format!("The last move went from {from} to {to}."));
    }
    if let Some(square) = view.checked_king
        && let Some(king) = view.piece_at(square)
    {
        sentences.push(format!("The {} king on {square} is in check.", color_name(to_color(king.seat))));
    }
    let captured = Seat::BOTH.into_iter().filter_map(|seat| describe_captured(&view.captured[seat.index()], seat));
    sentences.extend(captured);
    sentences.join(" ")
}

/// Lists the pieces of a side with their squares.
fn describe_pieces(view: &ChessBoard, seat: Seat) -> String {
    let mut kinds = Vec::new();
    for piece in PIECE_ORDER {
        let is_here = |square: &Square| view.piece_at(*square) == Some(ColoredPiece { seat, piece });
        let squares: Vec<String> = Square::ALL.into_iter().filter(is_here).map(|square| square.to_string()).collect();
        if !squares.is_empty() {
            let plural = if squares.len() > 1 { "s" } else { "" };
            kinds.push(format!("{}{plural} {}", piece_name(piece), squares.join(", ")));
        }
    }
    format!("{}: {}.", Chess::INFO.side_name(seat), kinds.join("; "))
}

/// Lists the pieces that a side has lost; `None` if it has lost none.
fn describe_captured(captured: &[Piece], seat: Seat) -> Option<String> {
    if captured.is_empty() {
        return None;
    }
    let mut kinds = Vec::new();
    for piece in PIECE_ORDER {
        let count = captured.iter().filter(|captured| **captured == piece).count();
        if count > 0 {
            let plural = if count > 1 { "s" } else { "" };
            kinds.push(format!("{count} {}{plural}", piece_name(piece)));
        }
    }
    Some(format!("{} has lost {}.", Chess::INFO.side_name(seat), kinds.join(", ")))
}
