//! The layout of boards made of cells, and the margins that all boards share.

use crate::board::drawing::piece_icon;
use crate::board::ordinary_piece;
use crate::{
    Caption, CaptionLine, CaptionShapes, Drawing, Form, Piece, PieceStyle, RowOrigin, Seat, Shape, SharedLayers,
    heading_size, palette, piece_symbol, regular_width, small_size, spaced_letters,
};

/// The minimum side of a cell, in SVG units.
const MIN_CELL: usize = 24;
/// The width of the left and right margins of a board that isn't narrow, in SVG units.
pub const MARGIN: usize = 38;
/// The minimum width of a drawing, in SVG units, so that the caption fits.
const MIN_WIDTH: usize = 360;

/// The positions and sizes of a board made of cells, in SVG units.
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
    /// The edge where row 1 is.
    pub row_origin: RowOrigin,
    /// Whether the cells are colored, so that the mark of the last move needs a bright outline.
    pub colored: bool,
    /// Whether the board is seen from its top, so that the first cell is at the bottom right.
    pub turned: bool,
    /// The font size of coordinates.
    pub label_size: usize,
    /// The gap after every `section` columns and rows.
    gap: usize,
    section: usize,
    width: usize,
    height: usize,
    has_coordinates: bool,
}

impl GridLayout {
    /// Returns the layout of a board. Its longer side is `board` SVG units long, unless the cells would get too small.
    /// There is a gap of `gap` SVG units after every `section` columns and rows.
    pub fn new(columns: usize, rows: usize, board: usize, gap: usize, section: usize) -> GridLayout {
        let cell = (board / columns.max(rows).max(1) / 2 * 2).max(MIN_CELL);
        let gaps = |cells: usize| gap * (cells / section.max(1)).saturating_sub(1);
        let board = columns * cell + gaps(columns);
        let width = (board + 2 * MARGIN).max(MIN_WIDTH);
        let [small, font] = [small_size(width as u32), heading_size(width as u32)].map(|size| size as usize);
        let top = font * 9 / 2;
        let height = top + rows * cell + gaps(rows) + small * 3 / 2 + font + 28;
        let left = (width - board) / 2;
        GridLayout {
            columns,
            rows,
            cell,
            left,
            top,
            row_origin: RowOrigin::default(),
            colored: false,
            turned: false,
            label_size: small,
            gap,
            section,
            width,
            height,
            has_coordinates: true,
        }
    }

    /// Removes the coordinates and the room for the letters below the board.
    pub fn hide_coordinates(&mut self) {
        self.has_coordinates = false;
        self.height = self.top + self.rows * self.cell + self.label_size + 34;
    }

    /// Moves one player's line below the board, and makes room for captured pieces above and below it.
    pub fn make_room_for_captures(&mut self) {
        self.top = heading_size(self.width as u32) as usize * 8 / 5 + 44;
        self.height = self.top + self.rows * self.cell + 116;
    }

    /// Returns the top left corner of the cell in this row and column.
    pub fn cell_corner(&self, row: usize, column: usize) -> (usize, usize) {
        let gaps = |cells: usize| cells / self.section.max(1) * self.gap;
        (self.left + column * self.cell + gaps(column), self.top + row * self.cell + gaps(row))
    }

    /// Returns the center of the cell with this index.
    pub fn cell_center(&self, cell: usize) -> (u32, u32) {
        let cell = if self.turned { self.columns * self.rows - 1 - cell } else { cell };
        let (x, y) = self.cell_corner(cell / self.columns, cell % self.columns);
        ((x + self.cell / 2) as u32, (y + self.cell / 2) as u32)
    }

    /// Returns an empty drawing with the symbols of the ordinary pieces and of `others`.
    pub fn drawing(
        &self,
        styles: &[PieceStyle; 2],
        others: impl Iterator<Item = Piece>,
        shared: &SharedLayers,
    ) -> Drawing {
        let mut kinds = Seat::BOTH.map(|seat| ordinary_piece(styles, seat)).to_vec();
        for other in others {
            if !kinds.contains(&other) {
                kinds.push(other);
            }
        }
        let (x, y) = self.cell_corner(self.rows.saturating_sub(1), self.columns.saturating_sub(1));
        let (board_width, board_height) = (x + self.cell - self.left, y + self.cell - self.top);
        let board = [self.left, self.top, board_width, board_height].map(|length| length as u32);
        let mut drawing = Drawing::new(self.width as u32, self.height as u32, board);
        for Piece { seat, kind } in kinds {
            let id = kind.letter.to_string();
            shared.add_symbol(&mut drawing, &id, &|| {
                piece_symbol(&id, kind.form, seat, styles[seat.index()].color, self.cell)
            });
        }
        drawing
    }

    /// Returns the stroke width of the mark of the last move.
    pub fn mark_width(&self) -> u32 {
        (self.cell as u32 / 24).clamp(2, 4)
    }

    /// Returns a stroke from the first to the last cell of a line, or `None` if the line is empty.
    pub fn line_through(&self, line: &[usize], center: impl Fn(usize) -> (u32, u32)) -> Option<Shape> {
        let ((x1, y1), (x2, y2)) = (center(*line.first()?), center(*line.last()?));
        Some(format!("<path d=\"M{x1} {y1}L{x2} {y2}\"/>").into())
    }

    /// Adds the marks of the last move, the coordinates and the caption.
    pub fn finish(
        &self,
        drawing: &mut Drawing,
        caption: &Caption,
        players: &PlayerLines<'_>,
        marks: Vec<Shape>,
        shared: &SharedLayers,
    ) {
        add_margins(drawing, caption, players, marks, shared, &|| self.coordinates());
    }

    fn coordinates(&self) -> Vec<Shape> {
        if !self.has_coordinates {
            return Vec::new();
        }
        let turn = |at: usize, count: usize| if self.turned { count - 1 - at } else { at };
        let bottom = self.cell_corner(self.rows.saturating_sub(1), 0).1 + self.cell;
        let letters = ('a'..='z').take(self.columns).enumerate();
        let center = |column| self.cell_corner(0, turn(column, self.columns)).0 + self.cell / 2;
        let letters = letters.map(|(column, letter)| (center(column), letter));
        let letters = spaced_letters(letters, bottom + self.label_size * 4 / 3);
        // Leave room for the rim of a frame.
        let right = self.left - self.label_size * 19 / 18 - if self.colored { 2 } else { 0 };
        let number = |row| self.row_origin.row_number(turn(row, self.rows), self.rows);
        let numbers = (0..self.rows).map(|row| {
            let (_, y) = self.cell_corner(row, 0);
            let (x, y) = (right, y + (self.cell + self.label_size * 7 / 10) / 2);
            Shape::from(format!("<text x=\"{x}\" y=\"{y}\">{}</text>", number(row)))
        });
        std::iter::once(letters).chain(numbers).collect()
    }
}

/// Highlights completed lines with a common outline.
pub fn add_glow(drawing: &mut Drawing, lines: &[Shape], stroke_width: usize) {
    let rim = (stroke_width / 20).clamp(2, 4);
    for (color, stroke_width) in [(palette::GLOW_RIM, stroke_width), (palette::GLOW, stroke_width - 2 * rim)] {
        let style = format!("stroke=\"{color}\" stroke-width=\"{stroke_width}\" stroke-linecap=\"round\"");
        drawing.add_layer(style, lines.to_vec());
    }
}

/// Returns the background of a black or white piece beside the board.
pub fn chip((x, y): (u32, u32), radius: u32) -> Shape {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\" stroke=\"none\"/>", palette::CHIP).into()
}

/// The lines of the two players around a board.
pub struct PlayerLines<'a> {
    /// The style of each seat's pieces.
    pub styles: &'a [PieceStyle; 2],
    /// A note in each player's line, if any.
    pub notes: Option<[String; 2]>,
    /// The seat whose line is below the board; `None` if both are above.
    pub below: Option<Seat>,
}

impl<'a> PlayerLines<'a> {
    /// Returns lines without notes above the board.
    pub fn new(styles: &'a [PieceStyle; 2]) -> PlayerLines<'a> {
        PlayerLines { styles, notes: None, below: None }
    }

    /// Returns the baseline of a player's line in a drawing of this height.
    fn baseline(&self, seat: Seat, font_size: u32, height: u32) -> u32 {
        match self.below {
            Some(below) if below == seat => height - 44,
            Some(_) => font_size * 8 / 5,
            None => font_size * 8 / 5 * (seat.index() as u32 + 1),
        }
    }
}

/// Adds the marks of the last move, the coordinates and the caption to a drawing of any board.
pub fn add_margins(
    drawing: &mut Drawing,
    caption: &Caption,
    players: &PlayerLines<'_>,
    marks: Vec<Shape>,
    shared: &SharedLayers,
    coordinates: &dyn Fn() -> Vec<Shape>,
) {
    let (width, margin) = (drawing.width, MARGIN as u32);
    let (left, right, font_size, small_size) = (margin, width - margin, heading_size(width), small_size(width));
    let mut shapes = CaptionShapes::default();
    for seat in Seat::BOTH {
        let (style, baseline) = (&players.styles[seat.index()], players.baseline(seat, font_size, drawing.height));
        let line =
            CaptionLine { left, right, baseline, font_size, small_size, status_width: caption.status_width(font_size) };
        let note = players.notes.as_ref().map(|notes| notes[seat.index()].clone());
        let note = note.map(|note| (regular_width(&note, small_size) + small_size, note));
        shapes.add_player(&line, &caption.sides[seat.index()], note.as_slice());
        let (x, y, half) = (left + font_size * 9 / 20, line.baseline - font_size * 7 / 20, font_size * 7 / 20);
        let half = if matches!(style.kind.form, Form::Figure { .. }) { half * 2 } else { half };
        if [palette::IVORY, palette::EBONY].contains(&style.color.fill) {
            shapes.icons.push(chip((x, y), half + 4));
        }
        shapes.icons.push(piece_icon(style, seat, (x, y), half));
    }
    let baseline = drawing.height - 18;
    shapes.add_footer(
        &CaptionLine { left, right, baseline, font_size: small_size, small_size, status_width: 0 },
        caption,
    );
    shapes.icons.extend(marks);
    drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", shapes.icons);
    shared.add_layer(drawing, "coordinates", &|| {
        (format!("font-size=\"{small_size}\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED), coordinates())
    });
    drawing.add_layer(format!("font-size=\"{font_size}\" fill=\"{}\"", palette::INK), shapes.left_text);
    drawing.add_layer(
        format!("font-size=\"{font_size}\" fill=\"{}\" text-anchor=\"end\"", palette::INK),
        shapes.right_text,
    );
}

/// Returns the path of the lines between cells.
pub fn grid_lines(left: usize, top: usize, columns: usize, rows: usize, cell: usize) -> String {
    let (w, h) = (columns * cell, rows * cell);
    let down = (1..columns).map(|at| format!("M{} {top}v{h}", left + at * cell));
    let across = (1..rows).map(|at| format!("M{left} {}h{w}", top + at * cell));
    down.chain(across).collect()
}
