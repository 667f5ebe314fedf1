//! A rectangle of cells as text.

use crate::game::board::Grid;
use crate::game::board::text::{Stress, Text, Tone, letters, side};

pub(super) fn write(grid: &Grid, text: &mut Text) {
    let rows = grid.cells.len().checked_div(grid.columns).unwrap_or(0);
    let margin = rows.to_string().len();
    for row in 0..rows {
        let number = rows - row;
        text.plainly(format!("{number:>margin$} "));
        for column in 0..grid.columns {
            let (tone, piece) = cell(grid, row * grid.columns + column);
            text.push(tone, piece);
        }
        text.end();
    }
    text.plainly(format!("{:margin$} {}", "", letters(grid.columns).collect::<String>()));
    text.end();
}

fn cell(grid: &Grid, index: usize) -> (Tone, String) {
    let Some(mark) = grid.cells.get(index).copied().flatten() else {
        return (Tone::new(None, Stress::Faint), " . ".to_owned());
    };
    let (stress, piece) = if grid.lines.iter().any(|line| line.contains(&index)) {
        (Stress::Line, format!("[{mark}]"))
    } else if grid.last == Some(index) {
        (Stress::Last, format!("({mark})"))
    } else {
        (Stress::None, format!(" {mark} "))
    };
    (Tone::new(Some(side(mark)), stress), piece)
}
