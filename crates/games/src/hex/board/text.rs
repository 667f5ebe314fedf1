//! Renders the board as text. Each row starts one character further to the right than the one above.
//!
//! `(R)` is the last move, `[R=R]` the winning chain.

use game::board::piece::{legend, ordinary_piece, terminal_char, terminal_legend};
use game::board::text::{Emphasis, TerminalStyle, Text, Tone};
use game::seat::Seat;

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
        push_cells(board, row, '.', |seat| board.styles[seat.index()].glyph.letter, &mut text);
        text.end_line();
    }
    let edges = "Red plays top to bottom, Blue left to right";
    if let Some(legend) = legend(&board.styles) {
        text.push_line(format!("{legend}; {edges}"));
    }
    text
}

/// Returns the board for a terminal: Red's edges are lines above and below, Blue's are slanted lines at the sides.
pub fn terminal_text(board: &HexBoard, style: &TerminalStyle) -> Text {
    let mut text = Text::default();
    let size = board.size;
    let margin = size.to_string().len();
    let edge = |seat: Seat| Tone { ink: Some(board.styles[seat.index()].ink), emphasis: Emphasis::LastMove };
    let (line, slant) = (style.pick("━", "=").repeat(2 * size + 1), style.pick("╲", "\\"));
    let letters: String = ('a'..='z').take(size).map(|letter| format!(" {letter}")).collect();
    text.push_line(format!("{:margin$}  {letters}", ""));
    text.push_plain(format!("{:margin$}  ", ""));
    text.push(edge(Seat::First), line.as_str());
    text.end_line();
    for row in 0..size {
        text.push_plain(format!("{:indent$}{:>margin$} ", "", row + 1, indent = row));
        text.push(edge(Seat::Second), slant);
        let character = |seat| terminal_char(ordinary_piece(&board.styles, seat), style);
        push_cells(board, row, style.pick('·', '.'), character, &mut text);
        text.push(edge(Seat::Second), slant);
        text.end_line();
    }
    text.push_plain(format!("{:indent$}", "", indent = margin + size + 1));
    text.push(edge(Seat::First), line.as_str());
    text.end_line();
    let legend = terminal_legend(&board.styles, style).unwrap_or_default();
    text.push_line(format!("{legend}. Red connects top and bottom, Blue left and right."));
    text
}

/// Writes the cells of a row, with a separator before each and after the last. `free` is the character of a free cell.
fn push_cells(board: &HexBoard, row: usize, free: char, character: impl Fn(Seat) -> char, text: &mut Text) {
    let size = board.size;
    for column in 0..size {
        let cell = row * size + column;
        let left = if column > 0 { Some(emphasis(board, cell - 1)) } else { None };
        let emphasis = emphasis(board, cell);
        text.push_plain(separator(left, Some(emphasis)));
        let seat = board.cells.get(cell).copied().flatten();
        let tone = Tone { ink: seat.map(|seat| board.styles[seat.index()].ink), emphasis };
        text.push(tone, seat.map_or(free, &character));
    }
    let last_cell = (row + 1) * size - 1;
    text.push_plain(separator(Some(emphasis(board, last_cell)), None));
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
