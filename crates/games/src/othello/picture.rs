//! The board that people see.

use game::board::Board;
use game::board::drawing::palette::Ink;
use game::board::grid::{Grid, Ground, Make};
use game::board::piece::{Form, Glyph, Look, piece};
use game::cell::RowOne;
use game::contract::Display;

use crate::othello::discs::{SIZE, cells};
use crate::othello::game::{Move, Othello};

const LOOKS: [Look; 2] = [
    Look { ink: Ink::BLACK, glyph: Glyph { name: "black", letter: 'B', form: Form::Disc } },
    Look { ink: Ink::WHITE, glyph: Glyph { name: "white", letter: 'W', form: Form::Disc } },
];

impl Display for Othello {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let turned = if last.is_some() { self.turned } else { 0 };
        Box::new(Grid {
            columns: SIZE,
            cells: (0..SIZE * SIZE).map(|cell| Some(piece(&LOOKS, self.disc(cell)?))).collect(),
            looks: LOOKS,
            last: last.map(|mv| mv.position as usize).into_iter().collect(),
            changed: cells(turned).map(|cell| cell as usize).collect(),
            lines: Vec::new(),
            make: Make { ground: Ground::Cloth, row_one: RowOne::Top },
        })
    }

    fn cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.position as usize)
    }
}
