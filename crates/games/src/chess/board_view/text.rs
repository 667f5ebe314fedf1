//! The board as text, in letters or figurines. Uppercase is white, parentheses mark the squares of the last move, and
//! brackets a king in check.

use cozy_chess::Square;
use game::board::drawing::palette::Ink;
use game::board::text::{Emphasis, Text, Tone};
use game::seat::Seat;

use crate::chess::board_view::{BoardView, ColoredPiece, PIECE_ORDER};
use crate::chess::names::piece_letter;

/// The figurines of each side, in the order of [`PIECE_ORDER`].
const FIGURINES: [&str; 2] = ["♔♕♖♗♘♙", "♚♛♜♝♞♟"];

/// Formats the board.
pub fn board_text(view: &BoardView) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        text.push_plain(format!("{} ", view.square_at(row, 0).rank()));
        for column in 0..8 {
            let (tone, content) = square_text(view, view.square_at(row, column));
            text.push(tone, content);
        }
        text.end_line();
    }
    let files = (0..8).map(|column| format!(" {} ", view.square_at(0, column).file()));
    text.push_line(format!("  {}", files.collect::<String>()));
    let legend = |seat: Seat| {
        PIECE_ORDER.map(|piece| piece_char(view, ColoredPiece { seat, piece })).into_iter().collect::<String>()
    };
    text.push_line(format!("White is {}, Black is {}", legend(Seat::First), legend(Seat::Second)));
    let captured = Seat::BOTH.map(|seat| {
        view.captured[seat.index()].iter().map(move |piece| piece_char(view, ColoredPiece { seat, piece: *piece }))
    });
    let captured: String = captured.into_iter().flatten().collect();
    if !captured.is_empty() {
        text.push_line(format!("captured: {captured}"));
    }
    text
}

fn square_text(view: &BoardView, square: Square) -> (Tone, String) {
    let piece = view.piece_at(square);
    let c = piece.map_or('.', |piece| piece_char(view, piece));
    let ink = piece.map(|piece| if piece.seat == Seat::First { Ink::WHITE } else { Ink::BLACK });
    let (emphasis, content) = if view.checked_king == Some(square) {
        (Emphasis::WinningLine, format!("[{c}]"))
    } else if view.last_move.contains(&square) {
        (Emphasis::LastMove, format!("({c})"))
    } else {
        (if piece.is_some() { Emphasis::None } else { Emphasis::Dim }, format!(" {c} "))
    };
    (Tone { ink, emphasis }, content)
}

/// Returns the figurine of a piece, or its letter as in FEN.
fn piece_char(view: &BoardView, ColoredPiece { seat, piece }: ColoredPiece) -> char {
    let letter = if seat == Seat::First { piece_letter(piece) } else { piece_letter(piece).to_ascii_lowercase() };
    if !view.figurines {
        return letter;
    }
    let index = PIECE_ORDER.iter().position(|kind| *kind == piece).unwrap_or_default();
    FIGURINES[seat.index()].chars().nth(index).unwrap_or(letter)
}
