//! The places of things on a board of cells, and the margins that all such boards share.

use crate::board::drawing::marks::{TIGHT, sign, symbol};
use crate::board::drawing::still::Still;
use crate::board::drawing::strip::{Row, Strip, Words};
use crate::board::drawing::{Drawing, Shape, apart, corners, heading, palette, small};
use crate::board::piece::{Look, Piece, piece};
use crate::cell::RowOne;
use crate::seat::Seat;

/// The smallest side of a cell.
const SMALL: usize = 24;
/// The room to the left and to the right of a board that is wide enough.
pub const MARGIN: usize = 38;
/// The smallest width of a drawing: the words around a narrow board need it.
const NARROW: usize = 360;

/// The places and the sizes of things on a board of cells.
pub struct Plan {
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
    /// The side of a cell.
    pub cell: usize,
    /// The left edge of the board.
    pub left: usize,
    /// The top edge of the board.
    pub top: usize,
    /// The edge at which row 1 lies.
    pub row_one: RowOne,
    /// Whether the cells have a colour of their own, so that the mark of the last move needs a bright rim.
    pub coloured: bool,
    /// The room between boards, of which each has `side` columns and rows.
    gap: usize,
    side: usize,
    width: usize,
    height: usize,
    /// The size of the letters of coordinates.
    small: usize,
}

impl Plan {
    /// Returns a plan for so many cells. The longer side of them all is `board` if they do not get too small for that;
    /// after each `side` columns and rows there is a gap.
    pub fn new(columns: usize, rows: usize, board: usize, gap: usize, side: usize) -> Plan {
        let cell = (board / columns.max(rows).max(1) / 2 * 2).max(SMALL);
        let gaps = |cells: usize| gap * (cells / side.max(1)).saturating_sub(1);
        let board = columns * cell + gaps(columns);
        let width = (board + 2 * MARGIN).max(NARROW);
        let [small, font] = [small(width as u32), heading(width as u32)].map(|size| size as usize);
        let top = font * 9 / 2;
        let height = top + rows * cell + gaps(rows) + small * 3 / 2 + font + 28;
        let left = (width - board) / 2;
        let (row_one, coloured) = (RowOne::default(), false);
        Plan { columns, rows, cell, left, top, row_one, coloured, gap, side, width, height, small }
    }

    /// Returns the top left corner of a cell.
    pub fn corner(&self, row: usize, column: usize) -> (usize, usize) {
        let gaps = |cells: usize| cells / self.side.max(1) * self.gap;
        (self.left + column * self.cell + gaps(column), self.top + row * self.cell + gaps(row))
    }

    /// Returns the middle of a cell, by its index.
    pub fn centre(&self, cell: usize) -> (u32, u32) {
        let (x, y) = self.corner(cell / self.columns, cell % self.columns);
        ((x + self.cell / 2) as u32, (y + self.cell / 2) as u32)
    }

    /// Returns an empty drawing with the symbols of the ordinary pieces, of the other ones, and of the last move if
    /// there is one.
    pub fn drawing(
        &self,
        looks: &[Look; 2],
        others: impl Iterator<Item = Piece>,
        last: bool,
        still: &Still,
    ) -> Drawing {
        let mut kinds = Seat::BOTH.map(|seat| piece(looks, seat)).to_vec();
        for other in others {
            if !kinds.contains(&other) {
                kinds.push(other);
            }
        }
        let mut drawing = Drawing::new(self.width as u32, self.height as u32);
        for Piece { seat, glyph } in kinds {
            let id = glyph.letter.to_string();
            still.symbol(&mut drawing, &id, &|| symbol(&id, glyph.form, seat, looks[seat.index()].ink, self.cell));
        }
        if last {
            // On a small cell there is little room between the mark and the rim.
            let half = if self.cell < TIGHT { self.cell * 23 / 50 } else { self.cell * 2 / 5 };
            let wide = (self.cell / 24).clamp(2, 4);
            still.symbol(&mut drawing, "last", &|| corners("last", half as u32, wide as u32, self.coloured));
        }
        drawing
    }

    /// Returns a stroke from one end of a line to the other; `None` if the line is empty.
    pub fn through(&self, line: &[usize], centre: impl Fn(usize) -> (u32, u32)) -> Option<Shape> {
        let ((x1, y1), (x2, y2)) = (centre(*line.first()?), centre(*line.last()?));
        Some(format!("<path d=\"M{x1} {y1}L{x2} {y2}\"/>").into())
    }

    /// Adds what is on and around the board: the last move, the coordinates, the words.
    pub fn finish(&self, drawing: &mut Drawing, strip: &Strip, looks: &[Look; 2], last: Vec<Shape>, still: &Still) {
        surround(drawing, strip, looks, last, still, &|| self.coordinates());
    }

    fn coordinates(&self) -> Vec<Shape> {
        let bottom = self.corner(self.rows.saturating_sub(1), 0).1 + self.cell;
        let letters = ('a'..='z').take(self.columns).enumerate();
        let letters = letters.map(|(column, letter)| (self.corner(0, column).0 + self.cell / 2, letter));
        let letters = apart(letters, bottom + self.small * 4 / 3);
        // A frame takes some of the room beside the cells.
        let right = self.left - self.small * 19 / 18 - if self.coloured { 2 } else { 0 };
        let numbers = (0..self.rows).map(|row| {
            let (_, y) = self.corner(row, 0);
            let (x, y) = (right, y + (self.cell + self.small * 7 / 10) / 2);
            Shape::from(format!("<text x=\"{x}\" y=\"{y}\">{}</text>", self.row_one.row(row, self.rows)))
        });
        std::iter::once(letters).chain(numbers).collect()
    }
}

/// Encircles completed lines: where several run together they have one rim.
pub fn glow(drawing: &mut Drawing, lines: &[Shape], wide: usize) {
    let rim = (wide / 20).clamp(2, 4);
    for (color, wide) in [(palette::GLOW_RIM, wide), (palette::GLOW, wide - 2 * rim)] {
        let style = format!("stroke=\"{color}\" stroke-width=\"{wide}\" stroke-linecap=\"round\"");
        drawing.layer(style, lines.to_vec());
    }
}

/// Adds what is on and around a board of any kind: the signs of the last move, the coordinates, the words in the margins.
pub fn surround(
    drawing: &mut Drawing,
    strip: &Strip,
    looks: &[Look; 2],
    last: Vec<Shape>,
    still: &Still,
    coordinates: &dyn Fn() -> Vec<Shape>,
) {
    let (width, margin) = (drawing.width, MARGIN as u32);
    let (from, to, font, small) = (margin, width - margin, heading(width), small(width));
    let mut words = Words::default();
    for seat in Seat::BOTH {
        let base = font * 8 / 5 * (seat.index() as u32 + 1);
        let row = Row { from, to, base, font, small, word: strip.word_room(font) };
        words.player(&row, &strip.sides[seat.index()], &[]);
        let (x, y, half) = (from + font * 9 / 20, row.base - font * 7 / 20, font * 7 / 20);
        words.signs.push(sign(&looks[seat.index()], seat, (x, y), half));
    }
    let base = drawing.height - 18;
    words.footer(&Row { from, to, base, font: small, small, word: 0 }, strip);
    words.signs.extend(last);
    drawing.layer("fill=\"none\" stroke-linecap=\"round\"", words.signs);
    still.layer(drawing, "coordinates", &|| {
        (format!("font-size=\"{small}\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED), coordinates())
    });
    drawing.layer(format!("font-size=\"{font}\" fill=\"{}\"", palette::INK), words.left);
    drawing.layer(format!("font-size=\"{font}\" fill=\"{}\" text-anchor=\"end\"", palette::INK), words.right);
}

/// Returns the lines between the cells of a board, as a path.
pub fn rules(left: usize, top: usize, columns: usize, rows: usize, cell: usize) -> String {
    let (w, h) = (columns * cell, rows * cell);
    let down = (1..columns).map(|at| format!("M{} {top}v{h}", left + at * cell));
    let across = (1..rows).map(|at| format!("M{left} {}h{w}", top + at * cell));
    down.chain(across).collect()
}
