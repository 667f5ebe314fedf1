//! The board as text. `b` and `w` are men, capitals are kings, and parentheses mark the squares of the last move. Each
//! row starts and ends with the number of its first and last square.

use game::board::drawing::palette::Ink;
use game::board::text::{Emphasis, Text, Tone};
use game::seat::Seat;

use crate::checkers::board::CheckersBoard;

/// Returns the board as text.
pub fn board_text(board: &CheckersBoard) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        text.push_plain(format!("{:>2} ", row * 4 + 1));
        for column in 0..8 {
            let (tone, cell) = CheckersBoard::square_number(row, column)
                .map_or((Tone::default(), "   ".to_owned()), |number| square_text(board, number));
            text.push(tone, cell);
        }
        text.push_plain(format!(" {:>2}", row * 4 + 4));
        text.end_line();
    }
    text.push_line("Black is b, White is w, kings are B and W");
    text
}

fn square_text(board: &CheckersBoard, number: u8) -> (Tone, String) {
    let piece = board.piece(number);
    let letter = piece.map_or('.', |piece| piece.letter());
    let ink = piece.map(|piece| if piece.seat == Seat::First { Ink::BLACK } else { Ink::WHITE });
    let (emphasis, text) = if board.last_move.contains(&number) {
        (Emphasis::LastMove, format!("({letter})"))
    } else {
        (if piece.is_some() { Emphasis::None } else { Emphasis::Dim }, format!(" {letter} "))
    };
    (Tone { ink, emphasis }, text)
}
