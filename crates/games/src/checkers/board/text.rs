//! The board as text: `b` and `w` are men, capitals kings, `(` and `)` stand around the squares of the last move. Beside each
//! row are the numbers of its first and its last square.

use game::board::drawing::palette::Ink;
use game::board::text::{Emphasis, Text, Tone};
use game::seat::Seat;

use crate::checkers::board::CheckersBoard;

/// Returns the board as lines of text.
pub fn board_text(board: &CheckersBoard) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        text.push_plain(format!("{:>2} ", row * 4 + 1));
        for column in 0..8 {
            let (tone, part) = CheckersBoard::square_number(row, column)
                .map_or((Tone::default(), "   ".to_owned()), |number| square_text(board, number));
            text.push(tone, part);
        }
        text.push_plain(format!(" {:>2}", row * 4 + 4));
        text.end_line();
    }
    text.push_line("Black is b, White is w, kings are B and W");
    text
}

fn square_text(board: &CheckersBoard, number: u8) -> (Tone, String) {
    let man = board.piece(number);
    let shown = man.map_or('.', |man| man.letter());
    let ink = man.map(|man| if man.seat == Seat::First { Ink::BLACK } else { Ink::WHITE });
    let (stress, part) = if board.last_move.contains(&number) {
        (Emphasis::LastMove, format!("({shown})"))
    } else {
        (if man.is_some() { Emphasis::None } else { Emphasis::Dim }, format!(" {shown} "))
    };
    (Tone { ink, emphasis: stress }, part)
}
