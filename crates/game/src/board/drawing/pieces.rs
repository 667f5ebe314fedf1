//! The pieces on cells as drawings, in any size.

use crate::board::drawing::Shape;
use crate::board::drawing::palette::{Ink, OPEN_CELL};
use crate::board::piece::{Form, PieceStyle};
use crate::seat::Seat;

/// The side of a cell below which a piece fills more of it.
pub const SMALL_CELL: usize = 40;

/// Returns the symbol of a seat's piece for cells with sides of this length.
pub fn piece_symbol(id: &str, form: Form, seat: Seat, ink: Ink, cell: usize) -> String {
    let share = match form {
        Form::Cross if cell < SMALL_CELL => 27,
        Form::Cross => 23,
        Form::Ring if cell < SMALL_CELL => 29,
        Form::Ring => 25,
        Form::Disc => 35,
        Form::Path(_) => 33,
    };
    let wide = match form {
        Form::Cross | Form::Ring => (cell / 9).max(3),
        Form::Disc | Form::Path(_) => (cell / 24).max(2),
    };
    PieceShape { form, seat, ink, radius: cell * share / 100, stroke_width: wide }
        .draw(&format!(" id=\"{id}\""), (0, 0))
}

/// Returns the ordinary piece of a seat, beside a player's name.
pub fn piece_icon(look: &PieceStyle, seat: Seat, (x, y): (u32, u32), half: u32) -> Shape {
    let reach = half as usize;
    let mark =
        PieceShape { form: look.glyph.form, seat, ink: look.ink, radius: reach, stroke_width: (reach * 2 / 5).max(2) };
    mark.draw("", (x as usize, y as usize)).into()
}

/// A piece with its size.
struct PieceShape {
    form: Form,
    seat: Seat,
    ink: Ink,
    /// The distance from its centre to its edge.
    radius: usize,
    /// The width of its strokes.
    stroke_width: usize,
}

impl PieceShape {
    /// Returns the element around a centre; the origin is that of a symbol, which has an id.
    fn draw(&self, id: &str, (x, y): (usize, usize)) -> String {
        let &PieceShape { form, seat, ink, radius: reach, stroke_width: wide } = self;
        let symbol = !id.is_empty();
        let stroke = format!("stroke=\"{}\" stroke-width=\"{wide}\"", ink.stroke);
        let centre = if symbol { String::new() } else { format!(" cx=\"{x}\" cy=\"{y}\"") };
        match form {
            Form::Cross => {
                let both = reach * 2;
                let corner = if symbol { format!("-{reach}-{reach}") } else { format!("{} {}", x - reach, y - reach) };
                format!("<path{id} d=\"M{corner}l{both} {both}m0-{both}l-{both} {both}\" {stroke}/>")
            }
            Form::Ring => format!("<circle{id}{centre} r=\"{reach}\" {stroke}/>"),
            Form::Disc => {
                let disc = |radius, fill| format!("<circle{centre} r=\"{radius}\" fill=\"{fill}\" {stroke}/>");
                let middle = if seat == Seat::First { String::new() } else { disc(reach / 3, OPEN_CELL) };
                format!("<g{id}>{}{middle}</g>", disc(reach, ink.fill))
            }
            Form::Path(path) => {
                let fill = if seat == Seat::First { ink.fill } else { OPEN_CELL };
                let shape =
                    format!("<path d=\"{path}\" fill=\"{fill}\" vector-effect=\"non-scaling-stroke\" {stroke}/>");
                let scale = reach as f64 / 50.0;
                format!("<g{id}><g transform=\"translate({x} {y})scale({scale:.2})\">{shape}</g></g>")
            }
        }
    }
}
