//! A rectangle of cells as a drawing.

use crate::game::board::Grid;
use crate::game::board::drawing::strip::{Row, Strip, Words};
use crate::game::board::drawing::{Drawing, Shape, corners, palette, paper};

/// How long the longer side of a small board is.
const BOARD: usize = 300;
/// How small a cell can be.
const SMALL: usize = 24;
/// Below this a mark fills more of its cell.
const TIGHT: usize = 40;

/// Where things are on a board of cells, and how big.
pub(super) struct Plan {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) cell: usize,
    /// The left and the top of the board.
    pub(super) left: usize,
    pub(super) top: usize,
    /// How much room there is between boards, of which each has so many columns and rows.
    pub(super) gap: usize,
    pub(super) side: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    /// The sizes of the letters: the coordinates', the players'.
    pub(super) small: usize,
    pub(super) font: usize,
}

pub(crate) fn draw(grid: &Grid, strip: &Strip) -> Drawing {
    let columns = grid.columns.max(1);
    let plan = Plan::new(columns, grid.cells.len() / columns, BOARD, 0, columns);
    let mut drawing = plan.drawing(grid.last.is_some());
    let (w, h) = (plan.columns * plan.cell, plan.rows * plan.cell);
    drawing.layer(
        format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", palette::FIELD, palette::RULE),
        vec![
            paper(drawing.width, drawing.height),
            format!("<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{h}\" rx=\"8\"/>", plan.left, plan.top).into(),
            format!("<path d=\"{}\"/>", rules(plan.left, plan.top, plan.columns, plan.rows, plan.cell)).into(),
        ],
    );
    let lines: Vec<Shape> = grid.lines.iter().filter_map(|line| plan.through(line, |cell| plan.centre(cell))).collect();
    plan.glow(&mut drawing, &lines, plan.cell * 39 / 50);
    let marks = grid.cells.iter().enumerate();
    let marks =
        marks.filter_map(|(cell, mark)| mark.map(|mark| Shape::Mark { symbol: symbol(mark), at: plan.centre(cell) }));
    drawing.layer("fill=\"none\" stroke-linecap=\"round\"", marks.collect());
    let last = grid.last.map(|cell| Shape::Mark { symbol: "last", at: plan.centre(cell) });
    plan.finish(&mut drawing, strip, last);
    drawing
}

impl Plan {
    pub(super) fn new(columns: usize, rows: usize, board: usize, gap: usize, side: usize) -> Plan {
        let cell = (board / columns.max(rows).max(1) / 2 * 2).max(SMALL);
        let gaps = |cells: usize| gap * (cells / side.max(1)).saturating_sub(1);
        let margin = 38;
        let width = columns * cell + gaps(columns) + 2 * margin;
        let small = 18;
        let font = (width / 20).min(22);
        let top = font * 9 / 2;
        let height = top + rows * cell + gaps(rows) + small * 3 / 2 + font + 28;
        Plan { columns, rows, cell, left: margin, top, gap, side, width, height, small, font }
    }

    /// The top left corner of a cell.
    pub(super) fn corner(&self, row: usize, column: usize) -> (usize, usize) {
        let gaps = |cells: usize| cells / self.side.max(1) * self.gap;
        (self.left + column * self.cell + gaps(column), self.top + row * self.cell + gaps(row))
    }

    /// The middle of a cell, by its index.
    pub(super) fn centre(&self, cell: usize) -> (u32, u32) {
        let (x, y) = self.corner(cell / self.columns, cell % self.columns);
        ((x + self.cell / 2) as u32, (y + self.cell / 2) as u32)
    }

    /// An empty drawing with the symbols of both marks.
    pub(super) fn drawing(&self, last: bool) -> Drawing {
        let mut symbols = vec![cross("X", self.cell), ring("O", self.cell)];
        if last {
            // On a small cell there is little room between the mark and the rim.
            let half = if self.cell < TIGHT { self.cell * 23 / 50 } else { self.cell * 2 / 5 };
            let wide = (self.cell / 24).clamp(2, 4);
            symbols.push(corners("last", half as u32, wide as u32, false));
        }
        Drawing { width: self.width as u32, height: self.height as u32, symbols, layers: Vec::new() }
    }

    /// A stroke from one end of a line to the other.
    pub(super) fn through(&self, line: &[usize], centre: impl Fn(usize) -> (u32, u32)) -> Option<Shape> {
        let ((x1, y1), (x2, y2)) = (centre(*line.first()?), centre(*line.last()?));
        Some(format!("<path d=\"M{x1} {y1}L{x2} {y2}\"/>").into())
    }

    /// Completed lines, encircled: where several run together they have one rim.
    pub(super) fn glow(&self, drawing: &mut Drawing, lines: &[Shape], wide: usize) {
        let rim = (wide / 20).clamp(2, 4);
        for (color, wide) in [(palette::GLOW_RIM, wide), (palette::GLOW, wide - 2 * rim)] {
            let style = format!("stroke=\"{color}\" stroke-width=\"{wide}\" stroke-linecap=\"round\"");
            drawing.layer(style, lines.to_vec());
        }
    }

    /// What is on and around the board: the last move, the coordinates, the words.
    pub(super) fn finish(&self, drawing: &mut Drawing, strip: &Strip, last: Option<Shape>) {
        let (from, to, font) = (self.left as u32, (self.width - self.left) as u32, self.font as u32);
        let mut words = Words::default();
        for (at, side) in strip.sides.iter().enumerate() {
            let row =
                Row { from, to, base: font * 8 / 5 + at as u32 * font * 8 / 5, font, word: strip.word_room(font) };
            words.player(&row, side, &[]);
            let (x, y, half) = (from + font * 9 / 20, row.base - font * 7 / 20, font * 7 / 20);
            words.signs.push(small_mark(side.seat, (x, y), half));
        }
        let base = (self.height - 18) as u32;
        words.footer(&Row { from, to, base, font: self.small as u32, word: 0 }, strip);
        words.signs.extend(last);
        drawing.layer("fill=\"none\" stroke-linecap=\"round\"", words.signs);
        let small = self.small;
        let style = format!("font-size=\"{small}\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED);
        drawing.layer(style, self.coordinates());
        drawing.layer(format!("font-size=\"{font}\" fill=\"{}\"", palette::INK), words.left);
        drawing.layer(format!("font-size=\"{font}\" fill=\"{}\" text-anchor=\"end\"", palette::INK), words.right);
    }

    fn coordinates(&self) -> Vec<Shape> {
        let letters = ('a'..='z').take(self.columns).enumerate().map(|(column, letter)| {
            let (x, y) = self.corner(self.rows - 1, column);
            let (x, y) = (x + self.cell / 2, y + self.cell + self.small * 4 / 3);
            Shape::from(format!("<text x=\"{x}\" y=\"{y}\">{letter}</text>"))
        });
        let numbers = (0..self.rows).map(|row| {
            let (_, y) = self.corner(row, 0);
            let (x, y) = (self.left - self.small * 19 / 18, y + (self.cell + self.small * 7 / 10) / 2);
            Shape::from(format!("<text x=\"{x}\" y=\"{y}\">{}</text>", self.rows - row))
        });
        letters.chain(numbers).collect()
    }
}

/// The symbol of a mark.
pub(super) fn symbol(mark: char) -> &'static str {
    if mark == 'X' { "X" } else { "O" }
}

pub(super) fn cross(id: &str, cell: usize) -> String {
    let (arm, wide) = (cell * if cell < TIGHT { 27 } else { 23 } / 100, (cell / 9).max(3));
    let both = arm * 2;
    let color = palette::FIRST;
    format!(
        "<path id=\"{id}\" d=\"M-{arm}-{arm}l{both} {both}m0-{both}l-{both} {both}\" stroke=\"{color}\" stroke-width=\"{wide}\"/>"
    )
}

pub(super) fn ring(id: &str, cell: usize) -> String {
    let (radius, wide) = (cell * if cell < TIGHT { 29 } else { 25 } / 100, (cell / 9).max(3));
    format!("<circle id=\"{id}\" r=\"{radius}\" stroke=\"{}\" stroke-width=\"{wide}\"/>", palette::SECOND)
}

/// A player's mark beside the name.
fn small_mark(seat: &str, (x, y): (u32, u32), half: u32) -> Shape {
    let wide = (half * 2 / 5).max(2);
    match seat {
        "X" => {
            let (left, top, both) = (x - half, y - half, half * 2);
            let path = format!("M{left} {top}l{both} {both}m0-{both}l-{both} {both}");
            format!("<path d=\"{path}\" stroke=\"{}\" stroke-width=\"{wide}\"/>", palette::FIRST).into()
        }
        _ => {
            let color = palette::SECOND;
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{half}\" stroke=\"{color}\" stroke-width=\"{wide}\"/>").into()
        }
    }
}

/// The lines between the cells of a board.
pub(super) fn rules(left: usize, top: usize, columns: usize, rows: usize, cell: usize) -> String {
    let (w, h) = (columns * cell, rows * cell);
    let down = (1..columns).map(|at| format!("M{} {top}v{h}", left + at * cell));
    let across = (1..rows).map(|at| format!("M{left} {}h{w}", top + at * cell));
    down.chain(across).collect()
}
