//! The board as text. `b` and `w` are men, capitals are kings, and parentheses mark the squares of the last move. Each
//! row starts and ends with the number of its first and last square.

use game::board::drawing::palette::Ink;
use game::board::text::{Emphasis, Ground, TerminalStyle, Text, Tone};
use game::seat::Seat;

use crate::checkers::board::{BoardPiece, CheckersBoard};

/// Returns the board as text.
pub fn board_text(board: &CheckersBoard) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        let [first, last] = board.row_ends(row);
        text.push_plain(format!("{first:>2} "));
        for column in 0..8 {
            let (tone, cell) = board
                .square_number(row, column)
                .map_or((Tone::default(), "   ".to_owned()), |number| square_text(board, number));
            text.push(tone, cell);
        }
        text.push_plain(format!(" {last:>2}"));
        text.end_line();
    }
    text.push_line("Black is b, White is w, kings are B and W");
    text
}

/// Returns the board for a terminal. Every dark square shows its number, and the viewer's side is at the bottom.
pub fn terminal_text(board: &CheckersBoard, style: &TerminalStyle) -> Text {
    let board = &CheckersBoard { viewer: Some(style.viewer), ..board.clone() };
    let mut text = Text::default();
    let edge = style.pick("─", "-").repeat(4 * 8);
    let wall = if style.colored { "" } else { style.pick("│", "|") };
    if !style.colored {
        text.push_line(format!(" {}{edge}{}", style.pick("┌", "+"), style.pick("┐", "+")));
    }
    for row in 0..8 {
        text.push_plain(format!(" {wall}"));
        for column in 0..8 {
            let Some(number) = board.square_number(row, column) else {
                text.push_on(style.colored.then_some(Ground::Light), Tone::default(), "    ");
                continue;
            };
            let is_last = board.last_move.contains(&number);
            let ground = style.colored.then_some(if is_last { Ground::Marked } else { Ground::Dark });
            text.push_on(ground, Tone { ink: None, emphasis: Emphasis::Dim }, format!("{number:>2}"));
            let (tone, _) = square_text(board, number);
            let piece = board.piece(number).map_or(' ', |piece| terminal_char(piece, style));
            text.push_on(ground, tone, format!("{piece}{}", if is_last { '*' } else { ' ' }));
        }
        text.push_plain(wall);
        text.end_line();
    }
    if !style.colored {
        text.push_line(format!(" {}{edge}{}", style.pick("└", "+"), style.pick("┘", "+")));
    }
    let [black, white, black_king, white_king] =
        [(Seat::First, false), (Seat::Second, false), (Seat::First, true), (Seat::Second, true)]
            .map(|(seat, is_king)| terminal_char(BoardPiece { seat, is_king }, style));
    text.push_line(format!("Black is {black}, White is {white}, kings are {black_king} and {white_king}."));
    text
}

fn terminal_char(piece: BoardPiece, style: &TerminalStyle) -> char {
    let figurines = if piece.is_king { ['♛', '♕'] } else { ['●', '○'] };
    style.pick(figurines[piece.seat.index()], piece.letter())
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
