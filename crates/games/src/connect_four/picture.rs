//! The board that people see.

use game::board::Board;
use game::board::drawing::palette::Ink;
use game::board::grid::{Grid, Ground, Make};
use game::board::piece::{Form, Glyph, Look, piece};
use game::cell::RowOne;
use game::contract::{Display, Outcome};

use crate::connect_four::game::{ConnectFour, Move};

const LOOKS: [Look; 2] = [
    Look { ink: Ink::CRIMSON, glyph: Glyph { name: "red", letter: 'R', form: Form::Disc } },
    Look { ink: Ink::GOLD, glyph: Glyph { name: "yellow", letter: 'Y', form: Form::Disc } },
];

impl Display for ConnectFour {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let cells = (0..self.shape.columns * self.shape.rows).map(|cell| Some(piece(&LOOKS, self.disc(cell)?)));
        let fallen = last.and_then(|mv| {
            let column = mv.column as usize;
            Some(self.index(column, self.height(column).checked_sub(1)?))
        });
        Box::new(Grid {
            columns: self.shape.columns,
            cells: cells.collect(),
            looks: LOOKS,
            last: fallen.into_iter().collect(),
            changed: Vec::new(),
            lines: self.winning_lines(),
            make: Make { ground: Ground::Frame, row_one: RowOne::Bottom },
        })
    }

    fn cell(&self, mv: &Move) -> Option<usize> {
        self.rest(mv.column as usize)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        let Some(Outcome::Won(winner)) = self.outcome else { return Vec::new() };
        let (columns, rows, k) = (self.shape.columns, self.shape.rows, self.shape.k);
        let mut found = Vec::new();
        for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for start in 0..columns * rows {
                let along = |nth: usize| {
                    let column = (start % columns).checked_add_signed(right * nth as isize)?;
                    let row = start / columns + down * nth;
                    (column < columns && row < rows).then_some(row * columns + column)
                };
                let line: Option<Vec<usize>> = (0..k).map(along).collect();
                found.extend(line.filter(|line| line.iter().all(|cell| self.disc(*cell) == Some(winner))));
            }
        }
        found
    }
}
