//! The board as text, in letters or in figurines: capitals are white, `(` and `)` stand around the squares of the last move,
//! `[` and `]` around a king in check.

use cozy_chess::Square;
use game::board::drawing::palette::Ink;
use game::board::text::{Emphasis, Text, Tone};
use game::seat::Seat;

use crate::chess::board_view::{BoardView, ColoredPiece, PIECE_ORDER};
use crate::chess::names::piece_letter;

/// The figurines of each side, in the order of [`KINDS`].
const FIGURINES: [&str; 2] = ["♔♕♖♗♘♙", "♚♛♜♝♞♟"];

/// Returns the board as lines of text.
pub fn text(squares: &BoardView) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        text.push_plain(format!("{} ", squares.square_at(row, 0).rank()));
        for column in 0..8 {
            let (tone, part) = square_text(squares, squares.square_at(row, column));
            text.push(tone, part);
        }
        text.end_line();
    }
    let files = (0..8).map(|column| format!(" {} ", squares.square_at(0, column).file()));
    text.push_line(format!("  {}", files.collect::<String>()));
    let all = |seat: Seat| {
        PIECE_ORDER.map(|piece| piece_char(squares, ColoredPiece { seat, piece })).into_iter().collect::<String>()
    };
    text.push_line(format!("White is {}, Black is {}", all(Seat::First), all(Seat::Second)));
    let lost = Seat::BOTH.map(|seat| {
        squares.captured[seat.index()]
            .iter()
            .map(move |piece| piece_char(squares, ColoredPiece { seat, piece: *piece }))
    });
    let lost: String = lost.into_iter().flatten().collect();
    if !lost.is_empty() {
        text.push_line(format!("captured: {lost}"));
    }
    text
}

fn square_text(squares: &BoardView, square: Square) -> (Tone, String) {
    let man = squares.piece_at(square);
    let shown = man.map_or('.', |man| piece_char(squares, man));
    let ink = man.map(|man| if man.seat == Seat::First { Ink::WHITE } else { Ink::BLACK });
    let (stress, part) = if squares.checked_king == Some(square) {
        (Emphasis::WinningLine, format!("[{shown}]"))
    } else if squares.last_move.contains(&square) {
        (Emphasis::LastMove, format!("({shown})"))
    } else {
        (if man.is_some() { Emphasis::None } else { Emphasis::Dim }, format!(" {shown} "))
    };
    (Tone { ink, emphasis: stress }, part)
}

/// Returns the sign of a man: the letter that FEN has for it, or its figurine.
fn piece_char(squares: &BoardView, ColoredPiece { seat, piece }: ColoredPiece) -> char {
    let nth = PIECE_ORDER.iter().position(|kind| *kind == piece).unwrap_or_default();
    let figurine = FIGURINES[seat.index()].chars().nth(nth).filter(|_| squares.figurines);
    let letter = piece_letter(piece);
    figurine.unwrap_or(if seat == Seat::First { letter } else { letter.to_ascii_lowercase() })
}
