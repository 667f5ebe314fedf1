//! Renders the board as text. Each row starts one character further to the right than the one above.
//!
//! `(R)` is the last move, `[R=R]` the winning chain.

use game::board::piece::legend;
use game::board::text::{Emphasis, Text, Tone};

use crate::hex::board::HexBoard;

/// Returns the board as lines of text.
pub fn board_text(board: &HexBoard) -> Text {
    let mut text = Text::default();
    let size = board.size;
    let margin = size.to_string().len();
    let letters: String = ('a'..='z').take(size).map(|letter| format!(" {letter}")).collect();
    text.push_line(format!("{:margin$}{letters}", ""));
    for row in 0..size {
        text.push_plain(format!("{:indent$}{:>margin$}", "", row + 1, indent = row));
        for column in 0..size {
            let cell = row * size + column;
            let left = if column > 0 { Some(emphasis(board, cell - 1)) } else { None };
            let emphasis = emphasis(board, cell);
            text.push_plain(separator(left, Some(emphasis)));
            let seat = board.cells.get(cell).copied().flatten();
            let style = seat.map(|seat| board.styles[seat.index()]);
            let tone = Tone { ink: style.map(|style| style.ink), emphasis };
            text.push(tone, style.map_or('.', |style| style.glyph.letter));
        }
        let last_cell = (row + 1) * size - 1;
        text.push_plain(separator(Some(emphasis(board, last_cell)), None));
        text.end_line();
    }
    let edges = "Red plays top to bottom, Blue left to right";
    if let Some(legend) = legend(&board.styles) {
        text.push_line(format!("{legend}; {edges}"));
    }
    text
}

fn emphasis(board: &HexBoard, cell: usize) -> Emphasis {
    if board.chain.contains(&cell) {
        Emphasis::WinningLine
    } else if board.last_move.contains(&cell) {
        Emphasis::LastMove
    } else if board.cells.get(cell).is_some_and(Option::is_some) {
        Emphasis::None
    } else {
        Emphasis::Dim
    }
}

/// Returns the character between two cells.
fn separator(left: Option<Emphasis>, right: Option<Emphasis>) -> &'static str {
    match (left, right) {
        (Some(Emphasis::WinningLine), Some(Emphasis::WinningLine)) => "=",
        (Some(Emphasis::WinningLine), _) => "]",
        (_, Some(Emphasis::WinningLine)) => "[",
        (Some(Emphasis::LastMove), _) => ")",
        (_, Some(Emphasis::LastMove)) => "(",
        _ => " ",
    }
}
