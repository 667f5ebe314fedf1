//! Shows a game as a board.

use game::board::Board;
use game::board::drawing::palette::Ink;
use game::board::grid::{BoardStyle, Grid, Surface};
use game::board::piece::{Form, Glyph, PieceStyle, ordinary_piece};
use game::cell::RowOrigin;
use game::contract::{Display, Outcome};

use crate::connect_four::game::{ConnectFour, Move};

/// The styles of the discs.
const STYLES: [PieceStyle; 2] = [
    PieceStyle { ink: Ink::CRIMSON, glyph: Glyph { name: "red", letter: 'R', form: Form::Disc } },
    PieceStyle { ink: Ink::GOLD, glyph: Glyph { name: "yellow", letter: 'Y', form: Form::Disc } },
];

impl Display for ConnectFour {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let cells =
            (0..self.shape.columns * self.shape.rows).map(|cell| Some(ordinary_piece(&STYLES, self.disc(cell)?)));
        let last_move = last.and_then(|mv| {
            let column = mv.column as usize;
            Some(self.cell_index(column, self.height(column).checked_sub(1)?))
        });
        Box::new(Grid {
            columns: self.shape.columns,
            cells: cells.collect(),
            styles: STYLES,
            last_move: last_move.into_iter().collect(),
            changed: Vec::new(),
            lines: self.winning_lines(),
            style: BoardStyle { surface: Surface::Frame, row_origin: RowOrigin::Bottom, counted: None },
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        self.landing_cell(mv.column as usize)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        let Some(Outcome::Won(winner)) = self.outcome else { return Vec::new() };
        let (columns, rows, k) = (self.shape.columns, self.shape.rows, self.shape.k);
        let mut found = Vec::new();
        for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for start in 0..columns * rows {
                let cell_at = |nth: usize| {
                    let column = (start % columns).checked_add_signed(right * nth as isize)?;
                    let row = start / columns + down * nth;
                    if column < columns && row < rows { Some(row * columns + column) } else { None }
                };
                let Some(line) = (0..k).map(cell_at).collect::<Option<Vec<usize>>>() else { continue };
                if line.iter().all(|cell| self.disc(*cell) == Some(winner)) {
                    found.push(line);
                }
            }
        }
        found
    }
}
