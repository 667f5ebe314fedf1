//! The board as text: each row begins one letter further to the right than the one above, so that a cell touches those to its
//! left and right, two above and two below. `(R)` belongs to the last move, `[R=R]` to the chain that has won.

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
            let before = column.checked_sub(1).map(|column| row * size + column);
            let (cell, stress) = (row * size + column, stress(board, row * size + column));
            text.push_plain(separator(before.map(|cell| self::stress(board, cell)), Some(stress)));
            let seat = board.cells.get(cell).copied().flatten();
            let look = seat.map(|seat| board.styles[seat.index()]);
            let tone = Tone { ink: look.map(|look| look.ink), emphasis: stress };
            text.push(tone, look.map_or('.', |look| look.glyph.letter));
        }
        let end = (row + 1) * size - 1;
        text.push_plain(separator(Some(stress(board, end)), None));
        text.end_line();
    }
    let edges = "Red plays top to bottom, Blue left to right";
    legend(&board.styles).into_iter().for_each(|legend| text.push_line(format!("{legend}; {edges}")));
    text
}

fn stress(board: &HexBoard, cell: usize) -> Emphasis {
    match () {
        () if board.chain.contains(&cell) => Emphasis::WinningLine,
        () if board.last.contains(&cell) => Emphasis::LastMove,
        () if board.cells.get(cell).is_some_and(Option::is_some) => Emphasis::None,
        () => Emphasis::Dim,
    }
}

/// Returns the sign between two cells.
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
