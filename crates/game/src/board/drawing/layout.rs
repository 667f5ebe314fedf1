//! The places of things on a board of cells, and the margins that all such boards share.

use crate::board::drawing::caption::{Caption, CaptionLine, CaptionShapes};
use crate::board::drawing::pieces::{SMALL_CELL, piece_icon, piece_symbol};
use crate::board::drawing::shared_layers::SharedLayers;
use crate::board::drawing::{Drawing, Shape, corners_symbol, heading_size, palette, small_size, spaced_letters};
use crate::board::piece::{Piece, PieceStyle, ordinary_piece};
use crate::cell::RowOrigin;
use crate::seat::Seat;

/// The smallest side of a cell.
const MIN_CELL: usize = 24;
/// The room to the left and to the right of a board that is wide enough.
pub const MARGIN: usize = 38;
/// The smallest width of a drawing: the words around a narrow board need it.
const MIN_WIDTH: usize = 360;

/// The places and the sizes of things on a board of cells.
pub struct GridLayout {
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
    pub row_origin: RowOrigin,
    /// Whether the cells have a colour of their own, so that the mark of the last move needs a bright rim.
    pub colored: bool,
    /// The room between boards, of which each has `side` columns and rows.
    gap: usize,
    section: usize,
    width: usize,
    height: usize,
    /// The size of the letters of coordinates.
    label_size: usize,
}

impl GridLayout {
    /// Returns a plan for so many cells. The longer side of them all is `board` if they do not get too small for that;
    /// after each `side` columns and rows there is a gap.
    pub fn new(columns: usize, rows: usize, board: usize, gap: usize, side: usize) -> GridLayout {
        let cell = (board / columns.max(rows).max(1) / 2 * 2).max(MIN_CELL);
        let gaps = |cells: usize| gap * (cells / side.max(1)).saturating_sub(1);
        let board = columns * cell + gaps(columns);
        let width = (board + 2 * MARGIN).max(MIN_WIDTH);
        let [small, font] = [small_size(width as u32), heading_size(width as u32)].map(|size| size as usize);
        let top = font * 9 / 2;
        let height = top + rows * cell + gaps(rows) + small * 3 / 2 + font + 28;
        let left = (width - board) / 2;
        let (row_one, coloured) = (RowOrigin::default(), false);
        GridLayout {
            columns,
            rows,
            cell,
            left,
            top,
            row_origin: row_one,
            colored: coloured,
            gap,
            section: side,
            width,
            height,
            label_size: small,
        }
    }

    /// Returns the top left corner of a cell.
    pub fn cell_corner(&self, row: usize, column: usize) -> (usize, usize) {
        let gaps = |cells: usize| cells / self.section.max(1) * self.gap;
        (self.left + column * self.cell + gaps(column), self.top + row * self.cell + gaps(row))
    }

    /// Returns the middle of a cell, by its index.
    pub fn cell_center(&self, cell: usize) -> (u32, u32) {
        let (x, y) = self.cell_corner(cell / self.columns, cell % self.columns);
        ((x + self.cell / 2) as u32, (y + self.cell / 2) as u32)
    }

    /// Returns an empty drawing with the symbols of the ordinary pieces, of the other ones, and of the last move if
    /// there is one.
    pub fn drawing(
        &self,
        looks: &[PieceStyle; 2],
        others: impl Iterator<Item = Piece>,
        last: bool,
        still: &SharedLayers,
    ) -> Drawing {
        let mut kinds = Seat::BOTH.map(|seat| ordinary_piece(looks, seat)).to_vec();
        for other in others {
            if !kinds.contains(&other) {
                kinds.push(other);
            }
        }
        let mut drawing = Drawing::new(self.width as u32, self.height as u32);
        for Piece { seat, glyph } in kinds {
            let id = glyph.letter.to_string();
            still.add_symbol(&mut drawing, &id, &|| {
                piece_symbol(&id, glyph.form, seat, looks[seat.index()].ink, self.cell)
            });
        }
        if last {
            // On a small cell there is little room between the mark and the rim.
            let half = if self.cell < SMALL_CELL { self.cell * 23 / 50 } else { self.cell * 2 / 5 };
            let wide = (self.cell / 24).clamp(2, 4);
            still.add_symbol(&mut drawing, "last", &|| corners_symbol("last", half as u32, wide as u32, self.colored));
        }
        drawing
    }

    /// Returns a stroke from one end of a line to the other; `None` if the line is empty.
    pub fn line_through(&self, line: &[usize], centre: impl Fn(usize) -> (u32, u32)) -> Option<Shape> {
        let ((x1, y1), (x2, y2)) = (centre(*line.first()?), centre(*line.last()?));
        Some(format!("<path d=\"M{x1} {y1}L{x2} {y2}\"/>").into())
    }

    /// Adds what is on and around the board: the last move, the coordinates, the words.
    pub fn finish(
        &self,
        drawing: &mut Drawing,
        strip: &Caption,
        looks: &[PieceStyle; 2],
        last: Vec<Shape>,
        still: &SharedLayers,
    ) {
        add_margins(drawing, strip, looks, last, still, &|| self.coordinates());
    }

    fn coordinates(&self) -> Vec<Shape> {
        let bottom = self.cell_corner(self.rows.saturating_sub(1), 0).1 + self.cell;
        let letters = ('a'..='z').take(self.columns).enumerate();
        let letters = letters.map(|(column, letter)| (self.cell_corner(0, column).0 + self.cell / 2, letter));
        let letters = spaced_letters(letters, bottom + self.label_size * 4 / 3);
        // A frame takes some of the room beside the cells.
        let right = self.left - self.label_size * 19 / 18 - if self.colored { 2 } else { 0 };
        let numbers = (0..self.rows).map(|row| {
            let (_, y) = self.cell_corner(row, 0);
            let (x, y) = (right, y + (self.cell + self.label_size * 7 / 10) / 2);
            Shape::from(format!("<text x=\"{x}\" y=\"{y}\">{}</text>", self.row_origin.row_number(row, self.rows)))
        });
        std::iter::once(letters).chain(numbers).collect()
    }
}

/// Encircles completed lines: where several run together they have one rim.
pub fn add_glow(drawing: &mut Drawing, lines: &[Shape], wide: usize) {
    let rim = (wide / 20).clamp(2, 4);
    for (color, wide) in [(palette::GLOW_RIM, wide), (palette::GLOW, wide - 2 * rim)] {
        let style = format!("stroke=\"{color}\" stroke-width=\"{wide}\" stroke-linecap=\"round\"");
        drawing.add_layer(style, lines.to_vec());
    }
}

/// Adds what is on and around a board of any kind: the signs of the last move, the coordinates, the words in the margins.
pub fn add_margins(
    drawing: &mut Drawing,
    strip: &Caption,
    looks: &[PieceStyle; 2],
    last: Vec<Shape>,
    still: &SharedLayers,
    coordinates: &dyn Fn() -> Vec<Shape>,
) {
    let (width, margin) = (drawing.width, MARGIN as u32);
    let (from, to, font, small) = (margin, width - margin, heading_size(width), small_size(width));
    let mut words = CaptionShapes::default();
    for seat in Seat::BOTH {
        let base = font * 8 / 5 * (seat.index() as u32 + 1);
        let row = CaptionLine {
            left: from,
            right: to,
            baseline: base,
            font_size: font,
            small_size: small,
            status_width: strip.status_width(font),
        };
        words.add_player(&row, &strip.sides[seat.index()], &[]);
        let (x, y, half) = (from + font * 9 / 20, row.baseline - font * 7 / 20, font * 7 / 20);
        words.icons.push(piece_icon(&looks[seat.index()], seat, (x, y), half));
    }
    let base = drawing.height - 18;
    words.add_footer(
        &CaptionLine { left: from, right: to, baseline: base, font_size: small, small_size: small, status_width: 0 },
        strip,
    );
    words.icons.extend(last);
    drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", words.icons);
    still.add_layer(drawing, "coordinates", &|| {
        (format!("font-size=\"{small}\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED), coordinates())
    });
    drawing.add_layer(format!("font-size=\"{font}\" fill=\"{}\"", palette::INK), words.left_text);
    drawing.add_layer(format!("font-size=\"{font}\" fill=\"{}\" text-anchor=\"end\"", palette::INK), words.right_text);
}

/// Returns the lines between the cells of a board, as a path.
pub fn grid_lines(left: usize, top: usize, columns: usize, rows: usize, cell: usize) -> String {
    let (w, h) = (columns * cell, rows * cell);
    let down = (1..columns).map(|at| format!("M{} {top}v{h}", left + at * cell));
    let across = (1..rows).map(|at| format!("M{left} {}h{w}", top + at * cell));
    down.chain(across).collect()
}
