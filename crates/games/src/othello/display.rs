//! Shows a game as a board.

use game::board::Board;
use game::board::drawing::palette::Ink;
use game::board::grid::{BoardStyle, Grid, Surface};
use game::board::piece::{Form, Glyph, PieceStyle, ordinary_piece};
use game::cell::RowOrigin;
use game::contract::Display;

use crate::othello::bitboards::{SIZE, iter_cells};
use crate::othello::game::{Move, Othello};

const STYLES: [PieceStyle; 2] = [
    PieceStyle { ink: Ink::BLACK, glyph: Glyph { name: "black", letter: 'B', form: Form::Disc } },
    PieceStyle { ink: Ink::WHITE, glyph: Glyph { name: "white", letter: 'W', form: Form::Disc } },
];

impl Display for Othello {
    fn board(&self, last_move: Option<&Move>) -> Box<dyn Board> {
        let flipped = if last_move.is_some() { self.flipped } else { 0 };
        Box::new(Grid {
            columns: SIZE,
            cells: (0..SIZE * SIZE).map(|cell| Some(ordinary_piece(&STYLES, self.owner(cell)?))).collect(),
            styles: STYLES,
            last_move: last_move.map(|mv| mv.position as usize).into_iter().collect(),
            changed: iter_cells(flipped).map(|cell| cell as usize).collect(),
            lines: Vec::new(),
            style: BoardStyle { surface: Surface::Cloth, row_origin: RowOrigin::Top, counted: Some("discs") },
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.position as usize)
    }
}
