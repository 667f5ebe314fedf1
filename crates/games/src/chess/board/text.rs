//! The board as text, in letters or figurines. Uppercase is white, parentheses mark the squares of the last move, and
//! brackets a king in check.

use cozy_chess::Square;
use game::board::drawing::palette::Ink;
use game::board::text::{Emphasis, Ground, TerminalStyle, Text, Tone};
use game::seat::Seat;

use crate::chess::board::{ChessBoard, ColoredPiece, PIECE_ORDER};

/// The figurines of each side, in the order of [`PIECE_ORDER`]. Without its variation selector, the black pawn is an emoji on many
/// terminals and phones, with a color of its own.
const FIGURINES: [[&str; 6]; 2] = [["♔", "♕", "♖", "♗", "♘", "♙"], ["♚", "♛", "♜", "♝", "♞", "♟\u{fe0e}"]];
/// The letters of each side as in FEN, in the same order.
const LETTERS: [[&str; 6]; 2] = [["K", "Q", "R", "B", "N", "P"], ["k", "q", "r", "b", "n", "p"]];

/// Formats the board.
pub fn board_text(view: &ChessBoard) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        text.push_plain(format!("{} ", view.square_at(row, 0).rank()));
        for column in 0..8 {
            let (tone, content) = square_text(view, view.square_at(row, column), ".", |piece| piece_text(view, piece));
            text.push(tone, content);
        }
        text.end_line();
    }
    let files = (0..8).map(|column| format!(" {} ", view.square_at(0, column).file()));
    text.push_line(format!("  {}", files.collect::<String>()));
    text.push_line(format!("White is {}, Black is {}", all_pieces(view, Seat::First), all_pieces(view, Seat::Second)));
    let captured = Seat::BOTH.map(|seat| {
        view.captured[seat.index()].iter().map(move |piece| piece_text(view, ColoredPiece { seat, piece: *piece }))
    });
    let captured: String = captured.into_iter().flatten().collect();
    if !captured.is_empty() {
        text.push_line(format!("captured: {captured}"));
    }
    text
}

/// Formats the board for a terminal: with shaded squares, or with an edge and dots on the dark squares.
pub fn terminal_text(view: &ChessBoard, style: &TerminalStyle) -> Text {
    let mut text = Text::default();
    let edge = style.pick("─", "-").repeat(24);
    let wall = if style.colored { "" } else { style.pick("│", "|") };
    let margin = if style.colored { "   " } else { "    " };
    if !style.colored {
        text.push_line(format!("   {}{edge}{}", style.pick("┌", "+"), style.pick("┐", "+")));
    }
    for row in 0..8 {
        text.push_plain(format!(" {} {wall}", view.square_at(row, 0).rank()));
        for column in 0..8 {
            let square = view.square_at(row, column);
            let is_dark = (square.file() as usize + square.rank() as usize).is_multiple_of(2);
            let free = if is_dark && !style.colored { style.pick("·", ".") } else { " " };
            // The filled figurines are easier to see on a shaded square, and their color shows the side.
            let character = |piece: ColoredPiece| {
                let seat = if style.colored && view.figurines { Seat::Second } else { piece.seat };
                piece_text(view, ColoredPiece { seat, ..piece })
            };
            let (tone, content) = square_text(view, square, free, character);
            let ground = match tone.emphasis {
                Emphasis::WinningLine => Ground::Alert,
                Emphasis::LastMove => Ground::Marked,
                _ if is_dark => Ground::Dark,
                _ => Ground::Light,
            };
            text.push_on(style.colored.then_some(ground), tone, content);
        }
        text.push_plain(wall);
        text.end_line();
    }
    if !style.colored {
        text.push_line(format!("   {}{edge}{}", style.pick("└", "+"), style.pick("┘", "+")));
    }
    let files = (0..8).map(|column| format!(" {} ", view.square_at(0, column).file()));
    text.push_line(format!("{margin}{}", files.collect::<String>()));
    if !(style.colored && view.figurines) {
        text.push_line(format!(
            "White is {}, Black is {}.",
            all_pieces(view, Seat::First),
            all_pieces(view, Seat::Second)
        ));
    }
    let lost = Seat::BOTH.into_iter().filter(|seat| !view.captured[seat.index()].is_empty());
    let lost = lost.map(|seat| {
        let pieces =
            view.captured[seat.index()].iter().map(|piece| piece_text(view, ColoredPiece { seat, piece: *piece }));
        format!("{} has lost {}", ["White", "Black"][seat.index()], pieces.collect::<String>())
    });
    let lost: Vec<String> = lost.collect();
    if !lost.is_empty() {
        text.push_line(format!("{}.", lost.join(", ")));
    }
    text
}

/// Returns the characters of a side's pieces.
fn all_pieces(view: &ChessBoard, seat: Seat) -> String {
    PIECE_ORDER.map(|piece| piece_text(view, ColoredPiece { seat, piece })).into_iter().collect()
}

/// Returns the tone and the three characters of a square. `free` is the character of a free square.
fn square_text(
    view: &ChessBoard,
    square: Square,
    free: &'static str,
    character: impl Fn(ColoredPiece) -> &'static str,
) -> (Tone, String) {
    let piece = view.piece_at(square);
    let c = piece.map_or(free, character);
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

/// Returns the figurine of a piece, or its letter.
fn piece_text(view: &ChessBoard, ColoredPiece { seat, piece }: ColoredPiece) -> &'static str {
    let index = PIECE_ORDER.iter().position(|kind| *kind == piece).unwrap_or_default();
    let texts = if view.figurines { FIGURINES } else { LETTERS };
    texts[seat.index()][index]
}
