//! Draws the board with pointy-top hexagons, and a band along each edge in the color of its side.

use std::iter::once;

use game::board::drawing::caption::Caption;
use game::board::drawing::layout::{MARGIN, add_glow, add_margins};
use game::board::drawing::pieces::piece_symbol;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::drawing::{Drawing, Shape, heading_size, palette, paper, small_size, spaced_letters};
use game::seat::Seat;

use crate::hex::board::HexBoard;

/// The preferred width of a board, in pixels.
const WIDTH: usize = 500;
/// The smallest and largest half width of a cell, in pixels.
const HALF_WIDTH_RANGE: (usize, usize) = (9, 28);
/// The smallest width of a drawing, in pixels. The text around the board needs it.
const MIN_WIDTH: usize = 360;

/// The geometry of a drawing, in pixels.
struct Layout {
    size: usize,
    /// Half the width of a cell.
    half: usize,
    /// The height of a cell's upper and lower tips.
    peak: usize,
    /// The length of a cell's vertical sides.
    side: usize,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    /// The width of the band along an edge.
    band: usize,
}

impl Layout {
    fn new(size: usize) -> Layout {
        let units = 3 * size - 1;
        let half = (WIDTH / units).clamp(HALF_WIDTH_RANGE.0, HALF_WIDTH_RANGE.1);
        // The distance between rows is sqrt(3) times the half width. The tips are a third of it.
        let step = half * 1_732 / 1_000;
        let peak = (step + 1) / 3;
        let side = step - peak;
        let board = units * half;
        let width = (board + 2 * MARGIN).max(MIN_WIDTH);
        let (small, font) = (small_size(width as u32) as usize, heading_size(width as u32) as usize);
        let band = (half * 2 / 3).min(10);
        let top = font * 9 / 2 + small + band;
        let height = top + size * step + peak + band + small + 38;
        Layout { size, half, peak, side, left: (width - board) / 2, top, width, height, band }
    }

    /// Returns the area of the board with the bands along its edges: x, y, width, and height.
    fn board_area(&self) -> [u32; 4] {
        let (width, height) = ((3 * self.size - 1) * self.half, self.size * self.step() + self.peak);
        let band = self.band;
        [self.left - band, self.top - band, width + 2 * band, height + 2 * band].map(|length| length as u32)
    }

    fn step(&self) -> usize {
        self.peak + self.side
    }

    /// Returns the center of a cell.
    fn cell_center(&self, cell: usize) -> (u32, u32) {
        let (row, column) = (cell / self.size, cell % self.size);
        let x = self.left + self.half * (2 * column + row + 1);
        let y = self.top + row * self.step() + self.peak + self.side / 2;
        (x as u32, y as u32)
    }

    /// Returns the path along an edge, clockwise. Edges are numbered top, right, bottom, left.
    fn edge_path(&self, edge: usize) -> String {
        let &Layout { size, half, peak, side, .. } = self;
        match edge {
            0 => format!("l{half}-{peak} {half} {peak}").repeat(size),
            1 => once(format!("v{side}")).chain((1..size).map(|_| format!("l{half} {peak}v{side}"))).collect(),
            2 => format!("l-{half} {peak}-{half}-{peak}").repeat(size),
            _ => once(format!("v-{side}")).chain((1..size).map(|_| format!("l-{half}-{peak}v-{side}"))).collect(),
        }
    }

    /// Returns the start of the path along an edge.
    fn edge_start(&self, edge: usize) -> String {
        let Layout { size, half, peak, side, left, top, .. } = self;
        let (across, down) = (2 * half * size, (size - 1) * self.step());
        let (x, y) = match edge {
            0 => (*left, top + peak),
            1 => (left + across, top + peak),
            2 => (left + across + (size - 1) * half, top + peak + down + side),
            _ => (left + (size - 1) * half, top + peak + down + side),
        };
        format!("M{x} {y}")
    }

    /// Returns the lines between the cells.
    fn grid_lines(&self) -> String {
        let &Layout { size, half, peak, side, left, top, .. } = self;
        let mut path = String::new();
        for row in 0..size {
            let (x, y) = (left + row * half, top + row * self.step());
            if row > 0 {
                let start = format!("M{} {y}", x - half);
                path += &(start + &format!("l{half} {peak} {half}-{peak}").repeat(size) + &format!("l{half} {peak}"));
            }
            let start = format!("M{} {}v{side}", x + 2 * half, y + peak);
            path += &(start + &format!("m{}-{side}v{side}", 2 * half).repeat(size - 2));
        }
        path
    }

    /// Returns everything below the stones.
    fn background(&self) -> Vec<Shape> {
        let band = |seat: usize| {
            format!(
                "{}{}{}{}",
                self.edge_start(seat),
                self.edge_path(seat),
                self.edge_start(seat + 2),
                self.edge_path(seat + 2)
            )
        };
        let line = |path: &str, color: &str, width: usize| -> Shape {
            format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\"/>").into()
        };
        let width = 2 * self.band;
        let outline = format!("{}{}z", self.edge_start(0), (0..4).map(|edge| self.edge_path(edge)).collect::<String>());
        let (red, blue) = (band(0), band(1));
        vec![
            paper(self.width as u32, self.height as u32),
            // The second side's bands have a bright center, like its stones.
            line(&blue, palette::BLUE, width),
            line(&blue, palette::OPEN_CELL, width * 2 / 3),
            line(&blue, palette::BLUE, width * 2 / 7),
            line(&red, palette::CRIMSON, width),
            format!(
                "<path d=\"{outline}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>",
                palette::OPEN_CELL,
                palette::GRID_LINE
            )
            .into(),
            line(&self.grid_lines(), palette::GRID_LINE, 2),
        ]
    }

    fn coordinates(&self, font_size: usize) -> Vec<Shape> {
        // The largest boards have room only for every second letter.
        let step = if 2 * self.half < font_size { 2 } else { 1 };
        let letters = ('a'..='z').take(self.size).enumerate().step_by(step);
        let letters = letters.map(|(column, letter)| (self.cell_center(column).0, letter));
        let letters = spaced_letters(letters, self.top - self.band - 4);
        let numbers = (0..self.size).map(|row| {
            let (x, y) = self.cell_center(row * self.size);
            let (x, y) = (x as usize - self.half - self.band - font_size * 4 / 5, y as usize + font_size * 7 / 20);
            Shape::from(format!("<text x=\"{x}\" y=\"{y}\">{}</text>", row + 1))
        });
        once(letters).chain(numbers).collect()
    }

    /// Returns the symbol for the last move: a smaller hexagon inside the cell.
    fn last_move_symbol(&self) -> String {
        let [half, peak, side] = [self.half, self.peak, self.side].map(|length| (length * 17 / 20).max(1));
        let width = (self.half / 6).clamp(2, 3);
        let path = format!("M-{half}-{0}l{half}-{peak} {half} {peak}v{side}l-{half} {peak}-{half}-{peak}z", side / 2);
        let line =
            |color: &str, width: usize| format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\"/>");
        let (below, above) = (line(palette::HALO, width * 2 + 1), line(palette::INK, width));
        format!("<g id=\"last\" fill=\"none\">{below}{above}</g>")
    }
}

/// Returns the drawing of a board with its margins.
pub fn draw(board: &HexBoard, caption: &Caption, shared: &SharedLayers) -> Drawing {
    let layout = Layout::new(board.size);
    let width = layout.width as u32;
    let mut drawing = Drawing::new(width, layout.height as u32, layout.board_area());
    for (style, seat) in board.styles.iter().zip(Seat::BOTH) {
        let (id, cell) = (style.glyph.letter.to_string(), layout.half * 5 / 2);
        shared.add_symbol(&mut drawing, &id, &|| piece_symbol(&id, style.glyph.form, seat, style.ink, cell));
    }
    if !board.last_move.is_empty() {
        shared.add_symbol(&mut drawing, "last", &|| layout.last_move_symbol());
    }
    shared.add_layer(&mut drawing, "ground", &|| {
        ("fill=\"none\" stroke-linejoin=\"round\"".to_owned(), layout.background())
    });
    let points: Vec<String> = board
        .chain
        .iter()
        .map(|cell| {
            let (x, y) = layout.cell_center(*cell);
            format!("{x} {y}")
        })
        .collect();
    let mut chain: Vec<Shape> = Vec::new();
    if !points.is_empty() {
        let path = points.join("L");
        chain.push(format!("<path d=\"M{path}\" fill=\"none\" stroke-linejoin=\"round\"/>").into());
    }
    add_glow(&mut drawing, &chain, layout.half * 13 / 6);
    let stones = board.cells.iter().enumerate().filter_map(|(cell, seat)| Some((cell, (*seat)?)));
    let letter = |seat: Seat| board.styles[seat.index()].glyph.letter;
    let stones = stones.map(|(cell, seat)| Shape::mark(letter(seat), layout.cell_center(cell)));
    drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", stones.collect());
    let last_move = board.last_move.iter().map(|cell| Shape::mark("last", layout.cell_center(*cell)));
    let coordinates = || layout.coordinates(small_size(width) as usize);
    add_margins(&mut drawing, caption, &board.styles, last_move.collect(), shared, None, &coordinates);
    drawing
}
