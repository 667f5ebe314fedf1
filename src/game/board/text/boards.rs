//! Several boards as text.

use std::cmp::Ordering;

use crate::game::board::text::{Stress, Text, Tone, letters, side};
use crate::game::board::{Boards, Fate};

pub(super) fn write(boards: &Boards, text: &mut Text) {
    let (side, size) = (boards.side, boards.side * boards.side);
    let margin = size.to_string().len();
    for row in 0..size {
        if row > 0 && row % side == 0 {
            let rule = vec!["---".repeat(side); side].join("+");
            text.plainly(format!("{:margin$} {rule}", ""));
            text.end();
        }
        text.plainly(format!("{:>margin$} ", size - row));
        for column in 0..size {
            if column > 0 && column % side == 0 {
                text.plainly("|");
            }
            let (tone, piece) = cell(boards, row, column);
            text.push(tone, piece);
        }
        text.end();
    }
    text.plainly(format!("{:margin$} ", ""));
    for (column, letter) in letters(size).enumerate() {
        let between = if column > 0 && column % side == 0 { " " } else { "" };
        text.plainly(format!("{between}{letter}"));
    }
    text.end();
}

fn cell(boards: &Boards, row: usize, column: usize) -> (Tone, String) {
    let index = row * boards.side * boards.side + column;
    let board = row / boards.side * boards.side + column / boards.side;
    let (row, column) = (row % boards.side, column % boards.side);
    let centre = (row, column) == (boards.side / 2, boards.side / 2);
    let mark = boards.cells.get(index).copied().flatten();
    let own = |mark, stress| Tone::new(Some(side(mark)), stress);
    let in_line = boards.lines.iter().any(|line| line.contains(&board));
    match (boards.fates.get(board), mark) {
        (Some(Fate::Won(winner)), _) if centre && in_line => (own(*winner, Stress::Line), format!("[{winner}]")),
        (_, Some(mark)) if boards.last == Some(index) => (own(mark, Stress::Last), format!("({mark})")),
        (Some(Fate::Won(winner)), _) if centre => (own(*winner, Stress::None), format!(" {winner} ")),
        (Some(Fate::Won(winner)), _) => (own(*winner, Stress::None), big(*winner, boards.side, row, column).to_owned()),
        (Some(Fate::Drawn), _) => (Tone::new(None, Stress::Faint), " - ".to_owned()),
        (_, Some(mark)) => (own(mark, Stress::None), format!(" {mark} ")),
        (Some(Fate::Active), None) => (Tone::new(None, Stress::Faint), " . ".to_owned()),
        (_, None) => (Tone::default(), "   ".to_owned()),
    }
}

/// A cell's part of a mark that is as big as its board: of a cross the diagonals, of anything else the rim.
fn big(mark: char, side: usize, row: usize, column: usize) -> &'static str {
    let end = side.saturating_sub(1);
    let (falls, rises) = (row == column, row + column == end);
    let corner = (row == 0 || row == end) && (column == 0 || column == end);
    // What leans over leans towards the middle.
    let diagonal = |left, middle, right| match (column * 2).cmp(&end) {
        Ordering::Less => left,
        Ordering::Equal => middle,
        Ordering::Greater => right,
    };
    match mark {
        'X' if falls => diagonal("  \\", " \\ ", "\\  "),
        'X' if rises => diagonal("  /", " / ", "/  "),
        'X' => "   ",
        _ if corner && falls => diagonal("  /", " / ", "/  "),
        _ if corner => diagonal("  \\", " \\ ", "\\  "),
        _ if row == 0 || row == end => "---",
        _ if column == 0 || column == end => " | ",
        _ => "   ",
    }
}
