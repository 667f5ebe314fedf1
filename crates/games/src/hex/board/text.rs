//! The board as text: each row begins one letter further to the right than the one above, so that a cell touches those to its
//! left and right, two above and two below. `(R)` belongs to the last move, `[R=R]` to the chain that has won.

use game::board::piece::legend;
use game::board::text::{Stress, Text, Tone};

use crate::hex::board::Hexagons;

/// Returns the board as lines of text.
pub fn text(board: &Hexagons) -> Text {
    let mut text = Text::default();
    let size = board.size;
    let margin = size.to_string().len();
    let letters: String = ('a'..='z').take(size).map(|letter| format!(" {letter}")).collect();
    text.line(format!("{:margin$}{letters}", ""));
    for row in 0..size {
        text.plainly(format!("{:indent$}{:>margin$}", "", row + 1, indent = row));
        for column in 0..size {
            let before = column.checked_sub(1).map(|column| row * size + column);
            let (cell, stress) = (row * size + column, stress(board, row * size + column));
            text.plainly(between(before.map(|cell| self::stress(board, cell)), Some(stress)));
            let seat = board.cells.get(cell).copied().flatten();
            let look = seat.map(|seat| board.looks[seat.index()]);
            let tone = Tone { ink: look.map(|look| look.ink), stress };
            text.push(tone, look.map_or('.', |look| look.glyph.letter));
        }
        let end = (row + 1) * size - 1;
        text.plainly(between(Some(stress(board, end)), None));
        text.end();
    }
    let edges = "Red plays top to bottom, Blue left to right";
    legend(&board.looks).into_iter().for_each(|legend| text.line(format!("{legend}; {edges}")));
    text
}

fn stress(board: &Hexagons, cell: usize) -> Stress {
    match () {
        () if board.chain.contains(&cell) => Stress::Line,
        () if board.last.contains(&cell) => Stress::Last,
        () if board.cells.get(cell).is_some_and(Option::is_some) => Stress::None,
        () => Stress::Faint,
    }
}

/// Returns the sign between two cells.
fn between(left: Option<Stress>, right: Option<Stress>) -> &'static str {
    match (left, right) {
        (Some(Stress::Line), Some(Stress::Line)) => "=",
        (Some(Stress::Line), _) => "]",
        (_, Some(Stress::Line)) => "[",
        (Some(Stress::Last), _) => ")",
        (_, Some(Stress::Last)) => "(",
        _ => " ",
    }
}
