//! The board as text, in letters or in figurines: capitals are white, `(` and `)` stand around the squares of the last move,
//! `[` and `]` around a king in check.

use cozy_chess::Square;
use game::board::drawing::palette::Ink;
use game::board::text::{Stress, Text, Tone};
use game::seat::Seat;

use crate::chess::names::letter;
use crate::chess::squares::{KINDS, Man, Squares};

/// The figurines of each side, in the order of [`KINDS`].
const FIGURINES: [&str; 2] = ["♔♕♖♗♘♙", "♚♛♜♝♞♟"];

/// Returns the board as lines of text.
pub fn text(squares: &Squares) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        text.plainly(format!("{} ", squares.square(row, 0).rank()));
        for column in 0..8 {
            let (tone, part) = part(squares, squares.square(row, column));
            text.push(tone, part);
        }
        text.end();
    }
    let files = (0..8).map(|column| format!(" {} ", squares.square(0, column).file()));
    text.line(format!("  {}", files.collect::<String>()));
    let all = |seat: Seat| KINDS.map(|piece| sign(squares, Man { seat, piece })).into_iter().collect::<String>();
    text.line(format!("White is {}, Black is {}", all(Seat::First), all(Seat::Second)));
    let lost = Seat::BOTH
        .map(|seat| squares.captured[seat.index()].iter().map(move |piece| sign(squares, Man { seat, piece: *piece })));
    let lost: String = lost.into_iter().flatten().collect();
    if !lost.is_empty() {
        text.line(format!("captured: {lost}"));
    }
    text
}

fn part(squares: &Squares, square: Square) -> (Tone, String) {
    let man = squares.man(square);
    let shown = man.map_or('.', |man| sign(squares, man));
    let ink = man.map(|man| if man.seat == Seat::First { Ink::WHITE } else { Ink::BLACK });
    let (stress, part) = if squares.check == Some(square) {
        (Stress::Line, format!("[{shown}]"))
    } else if squares.last.contains(&square) {
        (Stress::Last, format!("({shown})"))
    } else {
        (if man.is_some() { Stress::None } else { Stress::Faint }, format!(" {shown} "))
    };
    (Tone { ink, stress }, part)
}

/// Returns the sign of a man: the letter that FEN has for it, or its figurine.
fn sign(squares: &Squares, Man { seat, piece }: Man) -> char {
    let nth = KINDS.iter().position(|kind| *kind == piece).unwrap_or_default();
    let figurine = FIGURINES[seat.index()].chars().nth(nth).filter(|_| squares.figurines);
    let letter = letter(piece);
    figurine.unwrap_or(if seat == Seat::First { letter } else { letter.to_ascii_lowercase() })
}
