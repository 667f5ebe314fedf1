//! The board as people see it. Squares are numbered 1 to 32 from the top, with black at the top, as in the literature. The board
//! can be turned.

use game::{
    Board, BoardStyle, Display, Form, Grid, PaletteColor, Piece, PieceKind, PieceStyle, RowOrigin, Rules, Seat, Surface,
};

use crate::checkers::Checkers;
use crate::checkers::game::Move;
use crate::checkers::position::iter_squares;
use crate::orientation::Orientation;

/// Men and kings. `b` and `w` are men, capitals are kings.
const KINDS: [[PieceKind; 2]; 2] = [
    [PieceKind { name: "man", letter: 'b', form: Form::Man }, PieceKind { name: "man", letter: 'w', form: Form::Man }],
    [
        PieceKind { name: "king", letter: 'B', form: Form::King },
        PieceKind { name: "king", letter: 'W', form: Form::King },
    ],
];

/// The men, which stand for their sides.
const STYLES: [PieceStyle; 2] = [
    PieceStyle { color: PaletteColor::BLACK, kind: PieceKind { name: "black", ..KINDS[0][0] } },
    PieceStyle { color: PaletteColor::WHITE, kind: PieceKind { name: "white", ..KINDS[0][1] } },
];

/// Returns the cell of a square, counted from 0. The top left cell is light.
fn cell(square: u8) -> usize {
    let (row, pair) = (square / 4, square % 4);
    usize::from(8 * row + 2 * pair + 1 - row % 2)
}

impl Display for Checkers {
    fn board(&self, last_move: Option<&Move>) -> Box<dyn Board> {
        let bitboards = &self.bitboards;
        let mut cells = vec![None; 64];
        for seat in Seat::BOTH {
            for square in iter_squares(bitboards.by_seat[seat.index()]) {
                let kind = KINDS[usize::from(bitboards.is_king(square))];
                cells[cell(square)] = Some(Piece { seat, kind: kind[seat.index()] });
            }
        }
        Box::new(Grid {
            last_move: last_move.map_or(Vec::new(), |mv| mv.path.iter().rev().map(|number| cell(number - 1)).collect()),
            viewer: self.view.map(|view| match view {
                Orientation::White => Seat::Second,
                Orientation::Black => Seat::First,
                Orientation::Turn => self.side_to_move(),
            }),
            style: BoardStyle {
                surface: Surface::Checkered,
                row_origin: RowOrigin::Top,
                numbered: true,
                bottom: Some(Seat::Second),
                kinds: &KINDS,
                ..BoardStyle::default()
            },
            ..Grid::new(8, cells, STYLES)
        })
    }

    fn source_cell(&self, mv: &Move) -> Option<usize> {
        Some(usize::from(*mv.path.first()?))
    }
}
