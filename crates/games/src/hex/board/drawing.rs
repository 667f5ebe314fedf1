//! The board as a drawing: hexagons that stand on a corner, and along each edge a band for the side that has to reach it.

use std::iter::once;

use game::board::drawing::caption::Caption;
use game::board::drawing::layout::{MARGIN, add_glow, add_margins};
use game::board::drawing::pieces::piece_symbol;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::drawing::{Drawing, Shape, heading_size, palette, paper, small_size, spaced_letters};
use game::seat::Seat;

use crate::hex::board::HexBoard;

/// The width that a board should have, and the bounds of half a cell's width.
const WIDTH: usize = 500;
const HALF_WIDTH_RANGE: (usize, usize) = (9, 28);
/// The smallest width of a drawing: the words around a narrow board need it.
const MIN_WIDTH: usize = 360;

/// The places of things.
struct Layout {
    size: usize,
    /// Half the width of a cell.
    half: usize,
    /// The height of its upper and of its lower corner.
    peak: usize,
    /// The length of its sides, which are upright.
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
        // Rows are apart by the square root of three halves of a cell's width, of which the corners take a third.
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

    fn step(&self) -> usize {
        self.peak + self.side
    }

    /// Returns the middle of a cell.
    fn cell_center(&self, cell: usize) -> (u32, u32) {
        let (row, column) = (cell / self.size, cell % self.size);
        let x = self.left + self.half * (2 * column + row + 1);
        let y = self.top + row * self.step() + self.peak + self.side / 2;
        (x as u32, y as u32)
    }

    /// Returns a walk along an edge, clockwise from where it begins: above, to the right, below, to the left.
    fn edge_path(&self, edge: usize) -> String {
        let &Layout { size, half, peak, side, .. } = self;
        match edge {
            0 => format!("l{half}-{peak} {half} {peak}").repeat(size),
            1 => once(format!("v{side}")).chain((1..size).map(|_| format!("l{half} {peak}v{side}"))).collect(),
            2 => format!("l-{half} {peak}-{half}-{peak}").repeat(size),
            _ => once(format!("v-{side}")).chain((1..size).map(|_| format!("l-{half}-{peak}v-{side}"))).collect(),
        }
    }

    /// Returns where the walk along an edge begins.
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
        let line = |path: &str, color: &str, wide: usize| -> Shape {
            format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{wide}\"/>").into()
        };
        let wide = 2 * self.band;
        let around = format!("{}{}z", self.edge_start(0), (0..4).map(|edge| self.edge_path(edge)).collect::<String>());
        let (red, blue) = (band(0), band(1));
        vec![
            paper(self.width as u32, self.height as u32),
            // As the second side's stones have a bright middle, so have its bands.
            line(&blue, palette::BLUE, wide),
            line(&blue, palette::OPEN_CELL, wide * 2 / 3),
            line(&blue, palette::BLUE, wide * 2 / 7),
            line(&red, palette::CRIMSON, wide),
            format!(
                "<path d=\"{around}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>",
                palette::OPEN_CELL,
                palette::GRID_LINE
            )
            .into(),
            line(&self.grid_lines(), palette::GRID_LINE, 2),
        ]
    }

    fn coordinates(&self, small: usize) -> Vec<Shape> {
        // On the largest boards there is room for every other letter.
        let every = if 2 * self.half < small { 2 } else { 1 };
        let letters = ('a'..='z').take(self.size).enumerate().step_by(every);
        let letters = letters.map(|(column, letter)| (self.cell_center(column).0, letter));
        let letters = spaced_letters(letters, self.top - self.band - 4);
        let numbers = (0..self.size).map(|row| {
            let (x, y) = self.cell_center(row * self.size);
            let (x, y) = (x as usize - self.half - self.band - small * 4 / 5, y as usize + small * 7 / 20);
            Shape::from(format!("<text x=\"{x}\" y=\"{y}\">{}</text>", row + 1))
        });
        once(letters).chain(numbers).collect()
    }

    /// Returns the symbol for the last move: a hexagon within the cell.
    fn last_move_symbol(&self) -> String {
        let [half, peak, side] = [self.half, self.peak, self.side].map(|length| (length * 17 / 20).max(1));
        let wide = (self.half / 6).clamp(2, 3);
        let path = format!("M-{half}-{0}l{half}-{peak} {half} {peak}v{side}l-{half} {peak}-{half}-{peak}z", side / 2);
        format!("<path id=\"last\" d=\"{path}\" stroke=\"{}\" stroke-width=\"{wide}\" fill=\"none\"/>", palette::INK)
    }
}

/// Returns the board as a drawing, with its margins.
pub fn draw(board: &HexBoard, strip: &Caption, still: &SharedLayers) -> Drawing {
    let lattice = Layout::new(board.size);
    let width = lattice.width as u32;
    let mut drawing = Drawing::new(width, lattice.height as u32);
    for (look, seat) in board.styles.iter().zip(Seat::BOTH) {
        let (id, cell) = (look.glyph.letter.to_string(), lattice.half * 5 / 2);
        still.add_symbol(&mut drawing, &id, &|| piece_symbol(&id, look.glyph.form, seat, look.ink, cell));
    }
    if !board.last.is_empty() {
        still.add_symbol(&mut drawing, "last", &|| lattice.last_move_symbol());
    }
    still.add_layer(&mut drawing, "ground", &|| {
        ("fill=\"none\" stroke-linejoin=\"round\"".to_owned(), lattice.background())
    });
    let places = board.chain.iter().map(|cell| lattice.cell_center(*cell));
    let chain = places.map(|(x, y)| format!("{x} {y}")).collect::<Vec<_>>().join("L");
    let chain =
        (!chain.is_empty()).then(|| format!("<path d=\"M{chain}\" fill=\"none\" stroke-linejoin=\"round\"/>").into());
    add_glow(&mut drawing, chain.as_slice(), lattice.half * 13 / 6);
    let stones = board.cells.iter().enumerate().filter_map(|(cell, seat)| Some((cell, (*seat)?)));
    let letter = |seat: Seat| board.styles[seat.index()].glyph.letter;
    let stones = stones.map(|(cell, seat)| Shape::mark(letter(seat), lattice.cell_center(cell)));
    drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", stones.collect());
    let last = board.last.iter().map(|cell| Shape::mark("last", lattice.cell_center(*cell)));
    let coordinates = || lattice.coordinates(small_size(width) as usize);
    add_margins(&mut drawing, strip, &board.styles, last.collect(), still, &coordinates);
    drawing
}
