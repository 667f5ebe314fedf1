//! The board as text: capitals are white, `(` and `)` stand around the squares of the last move, `[` and `]` around a king in
//! check.

use cozy_chess::{Color, Square};

use crate::game::board::drawing::palette::Ink;
use crate::game::board::text::{Stress, Text, Tone};
use crate::game::seat::Seat;
use crate::games::chess::names::{color, letter};
use crate::games::chess::squares::{Man, Squares};

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
    text.line("white is KQRBNP, black is kqrbnp");
    let lost = Seat::BOTH
        .map(|seat| squares.captured[seat.index()].iter().map(move |piece| cased(Man { seat, piece: *piece })));
    let lost: String = lost.into_iter().flatten().collect();
    if !lost.is_empty() {
        text.line(format!("captured: {lost}"));
    }
    text
}

fn part(squares: &Squares, square: Square) -> (Tone, String) {
    let man = squares.man(square);
    let sign = man.map_or('.', cased);
    let ink = man.map(|man| if man.seat == Seat::First { Ink::WHITE } else { Ink::BLACK });
    let (stress, part) = if squares.check == Some(square) {
        (Stress::Line, format!("[{sign}]"))
    } else if squares.last.contains(&square) {
        (Stress::Last, format!("({sign})"))
    } else {
        (if man.is_some() { Stress::None } else { Stress::Faint }, format!(" {sign} "))
    };
    (Tone { ink, stress }, part)
}

/// Returns the letter of a man as FEN has it.
fn cased(Man { seat, piece }: Man) -> char {
    let letter = letter(piece);
    if color(seat) == Color::White { letter } else { letter.to_ascii_lowercase() }
}
