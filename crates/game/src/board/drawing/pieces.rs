//! Drawings of pieces.

use crate::board::drawing::Shape;
use crate::board::drawing::palette::{Ink, OPEN_CELL};
use crate::board::piece::{Form, PieceStyle};
use crate::seat::Seat;

/// The cell size below which pieces fill more of the cell.
pub const SMALL_CELL: usize = 40;

/// Returns the symbol of a seat's piece for cells of this size.
pub fn piece_symbol(id: &str, form: Form, seat: Seat, ink: Ink, cell: usize) -> String {
    let share = match form {
        Form::Cross if cell < SMALL_CELL => 27,
        Form::Cross => 23,
        Form::Ring if cell < SMALL_CELL => 29,
        Form::Ring => 25,
        Form::Disc => 35,
        Form::Path(_) => 33,
    };
    let stroke_width = match form {
        Form::Cross | Form::Ring => (cell / 9).max(3),
        Form::Disc | Form::Path(_) => (cell / 24).max(2),
    };
    PieceShape { form, seat, ink, radius: cell * share / 100, stroke_width }.draw(&format!(" id=\"{id}\""), (0, 0))
}

/// Returns a seat's ordinary piece, to be shown next to the player's name.
pub fn piece_icon(style: &PieceStyle, seat: Seat, (x, y): (u32, u32), radius: u32) -> Shape {
    let radius = radius as usize;
    let mark =
        PieceShape { form: style.glyph.form, seat, ink: style.ink, radius, stroke_width: (radius * 2 / 5).max(2) };
    mark.draw("", (x as usize, y as usize)).into()
}

/// A piece at a certain size.
struct PieceShape {
    form: Form,
    seat: Seat,
    ink: Ink,
    /// The distance from the center to the edge.
    radius: usize,
    /// The stroke width.
    stroke_width: usize,
}

impl PieceShape {
    /// Returns the SVG element. With an id it is a symbol centered at the origin, and `(x, y)` is ignored.
    fn draw(&self, id: &str, (x, y): (usize, usize)) -> String {
        let &PieceShape { form, seat, ink, radius, stroke_width } = self;
        let is_symbol = !id.is_empty();
        let stroke = format!("stroke=\"{}\" stroke-width=\"{stroke_width}\"", ink.stroke);
        let center = if is_symbol { String::new() } else { format!(" cx=\"{x}\" cy=\"{y}\"") };
        match form {
            Form::Cross => {
                let diameter = radius * 2;
                let corner =
                    if is_symbol { format!("-{radius}-{radius}") } else { format!("{} {}", x - radius, y - radius) };
                format!(
                    "<path{id} d=\"M{corner}l{diameter} {diameter}m0-{diameter}l-{diameter} {diameter}\" {stroke}/>"
                )
            }
            Form::Ring => format!("<circle{id}{center} r=\"{radius}\" {stroke}/>"),
            Form::Disc => {
                let disc = |radius, fill| format!("<circle{center} r=\"{radius}\" fill=\"{fill}\" {stroke}/>");
                let bright_center = if seat == Seat::First { String::new() } else { disc(radius / 3, OPEN_CELL) };
                format!("<g{id}>{}{bright_center}</g>", disc(radius, ink.fill))
            }
            Form::Path(path) => {
                let fill = if seat == Seat::First { ink.fill } else { OPEN_CELL };
                let shape =
                    format!("<path d=\"{path}\" fill=\"{fill}\" vector-effect=\"non-scaling-stroke\" {stroke}/>");
                let scale = radius as f64 / 50.0;
                format!("<g{id}><g transform=\"translate({x} {y})scale({scale:.2})\">{shape}</g></g>")
            }
        }
    }
}
