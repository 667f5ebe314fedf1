//! A rectangle of cells with lettered columns and numbered rows: on paper, on green cloth, or in a frame with holes.

use std::iter::once;

use crate::board::drawing::marks::symbol;
use crate::board::drawing::plan::{Plan, glow, rules};
use crate::board::drawing::still::Still;
use crate::board::drawing::strip::Strip;
use crate::board::drawing::{Drawing, Shape, corners, palette, paper, ring};
use crate::board::mosaic::{self, Mosaic, Row, Tile};
use crate::board::piece::{Look, Piece, exchanged, legend};
use crate::board::text::{Stress, Text, Tone, letters};
use crate::board::{Board, words};
use crate::cell::{self, RowOne};

/// The length of the longer side of a small board in drawings.
const SIDE: usize = 342;
/// The side of a cell that is a picture of its own.
const TILE: u32 = 40;
/// How far a frame reaches beyond its cells.
const RIM: usize = 3;

/// What a board is made of, and how its rows are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Make {
    /// What the pieces lie on.
    pub ground: Ground,
    /// The edge at which row 1 lies.
    pub row_one: RowOne,
}

/// What the pieces of a board lie on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// Bright cells with lines between them.
    #[default]
    Paper,
    /// Green cells with lines between them.
    Cloth,
    /// A blue frame with a hole for each piece.
    Frame,
}

/// A rectangle of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of columns; at most 26.
    pub columns: usize,
    /// The piece on each cell, `None` if it is free: row by row from the top left.
    pub cells: Vec<Option<Piece>>,
    /// The look of each seat's pieces.
    pub looks: [Look; 2],
    /// The cells of the last move: the one where it ended, then those that it came from.
    pub last: Vec<usize>,
    /// The cells whose pieces the last move has exchanged for others.
    pub changed: Vec<usize>,
    /// The completed lines, each as its cells from one end to the other.
    pub lines: Vec<Vec<usize>>,
    /// What the board is made of.
    pub make: Make,
}

impl Grid {
    fn columns(&self) -> usize {
        self.columns.max(1)
    }

    fn rows(&self) -> usize {
        self.cells.len() / self.columns()
    }

    fn cell_text(&self, index: usize) -> (Tone, String) {
        let piece = self.cells.get(index).copied().flatten();
        let ink = piece.map(|piece| self.looks[piece.seat.index()].ink);
        let letter = piece.map_or('.', |piece| piece.glyph.letter);
        let (stress, cell) = if self.lines.iter().any(|line| line.contains(&index)) {
            (Stress::Line, format!("[{letter}]"))
        } else if self.is_last(index) {
            (Stress::Last, format!("({letter})"))
        } else {
            (if piece.is_some() { Stress::None } else { Stress::Faint }, format!(" {letter} "))
        };
        (Tone { ink, stress }, cell)
    }

    fn is_last(&self, index: usize) -> bool {
        self.last.contains(&index) || self.changed.contains(&index)
    }

    /// Returns the layer below everything else.
    fn ground(&self, plan: &Plan, paper: Shape) -> (String, Vec<Shape>) {
        let (x, y, w, h) = (plan.left, plan.top, plan.columns * plan.cell, plan.rows * plan.cell);
        let (fill, stroke) = match self.make.ground {
            Ground::Paper => (palette::FIELD, palette::RULE),
            Ground::Cloth => (palette::FELT, palette::SEAM),
            Ground::Frame => (palette::FRAME, palette::FRAME_EDGE),
        };
        let shapes = if self.make.ground == Ground::Frame {
            let (x, y, w, h) = (x - RIM, y - RIM, w + 2 * RIM, h + 2 * RIM);
            let hole = |cell| {
                let (x, y) = plan.centre(cell);
                format!("M{x} {y}h0")
            };
            let holes: String = (0..self.cells.len()).map(hole).collect();
            let wide = plan.cell * 39 / 50;
            let line = format!("stroke=\"{}\" stroke-width=\"{wide}\" stroke-linecap=\"round\"", palette::FIELD);
            vec![
                paper,
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"14\"/>").into(),
                format!("<path d=\"{holes}\" {line}/>").into(),
            ]
        } else {
            vec![
                paper,
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"8\"/>").into(),
                format!("<path d=\"{}\"/>", rules(x, y, plan.columns, plan.rows, plan.cell)).into(),
            ]
        };
        (format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"2\""), shapes)
    }
}

impl Grid {
    /// Returns a cell as a picture of its own. Where only some of the free cells can be played those have a dot.
    fn tile(&self, cell: usize, playable: bool) -> Tile {
        let (half, size) = (TILE / 2, TILE as usize);
        let edge = |color: &str| {
            format!(
                "<path d=\"M-{half}-{half}h{TILE}v{TILE}h-{TILE}z\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n"
            )
        };
        let dot = |color: &str| format!("<circle r=\"{}\" fill=\"{color}\"/>\n", TILE / 9);
        let (fill, over, dot) = match self.make.ground {
            Ground::Paper => (palette::FIELD, edge(palette::RULE), String::new()),
            Ground::Cloth => (palette::FELT, edge(palette::SEAM), dot(palette::SEAM)),
            Ground::Frame => {
                let hole = format!("<circle r=\"{}\" fill=\"{}\"/>\n", size * 39 / 100, palette::FIELD);
                (palette::FRAME, hole, dot(palette::ACTIVE))
            }
        };
        let mut body = mosaic::ground(TILE, TILE, fill) + &over;
        if playable {
            body += &dot;
        }
        let mut signs = String::new();
        let piece = self.cells.get(cell).copied().flatten();
        if let Some(Piece { seat, glyph }) = piece {
            let symbol = symbol(&glyph.letter.to_string(), glyph.form, seat, self.looks[seat.index()].ink, size);
            signs = format!("{symbol}\n");
        }
        if self.last.contains(&cell) {
            signs += &corners("last", TILE * 2 / 5, 3, self.make.ground != Ground::Paper);
        } else if self.changed.contains(&cell) {
            signs += &ring("changed", size * 9 / 20);
        }
        if !signs.is_empty() {
            body += &format!("<g fill=\"none\" stroke-linecap=\"round\">{}</g>\n", signs.trim_end());
        }
        let name = cell::name_from(self.make.row_one, cell, self.columns(), self.rows());
        let words = mosaic::words(&name, piece.map(|piece| piece.glyph.name), self.last.contains(&cell));
        Tile { cell: Some(cell), words, width: TILE, picture: mosaic::picture(TILE, TILE, &body) }
    }
}

impl Board for Grid {
    fn text(&self) -> Text {
        let mut text = Text::default();
        let margin = self.rows().to_string().len();
        for row in 0..self.rows() {
            text.plainly(format!("{:>margin$} ", self.make.row_one.row(row, self.rows())));
            for column in 0..self.columns() {
                let (tone, cell) = self.cell_text(row * self.columns() + column);
                text.push(tone, cell);
            }
            text.end();
        }
        text.plainly(format!("{:margin$} {}", "", letters(self.columns).collect::<String>()));
        text.end();
        legend(&self.looks).into_iter().for_each(|legend| text.line(legend));
        text
    }

    fn words(&self) -> String {
        let (columns, rows) = (self.columns(), self.rows());
        let name = |index: usize| cell::name_from(self.make.row_one, index, columns, rows);
        let mut parts = vec![format!("{columns} by {rows} cells")];
        parts.extend(words::pieces(&self.cells, &name, |_| true));
        let free = self.cells.iter().filter(|cell| cell.is_none()).count();
        parts.push(format!("{free} cell{} free", if free == 1 { "" } else { "s" }));
        if !self.last.is_empty() {
            parts.push(format!("the {}", words::last(&self.last, &name)));
        }
        if !self.changed.is_empty() {
            let mover = if self.last.len() == 1 { "it" } else { "the reply" };
            parts.push(format!("{mover} flipped {}", words::list(&self.changed, &name)));
        }
        parts.extend(self.lines.iter().map(|line| format!("a line from {}", words::ends(line, &name))));
        format!("{}.", parts.join("; "))
    }

    fn mark(&mut self, cell: usize) {
        self.last.push(cell);
    }

    fn drawing(&self, strip: &Strip, still: &Still) -> Drawing {
        let mut plan = Plan::new(self.columns(), self.rows(), SIDE, 0, self.columns());
        (plan.row_one, plan.coloured) = (self.make.row_one, self.make.ground != Ground::Paper);
        let others = self.cells.iter().flatten().copied();
        let mut drawing = plan.drawing(&self.looks, others, !self.last.is_empty(), still);
        if !self.changed.is_empty() {
            still.symbol(&mut drawing, "changed", &|| ring("changed", plan.cell * 9 / 20));
        }
        let (width, height) = (drawing.width, drawing.height);
        still.layer(&mut drawing, "ground", &|| self.ground(&plan, paper(width, height)));
        let lines: Vec<Shape> =
            self.lines.iter().filter_map(|line| plan.through(line, |cell| plan.centre(cell))).collect();
        glow(&mut drawing, &lines, plan.cell * 39 / 50);
        let pieces = self.cells.iter().enumerate().filter_map(|(cell, piece)| Some((cell, (*piece)?)));
        let pieces = pieces.map(|(cell, piece)| Shape::mark(piece.glyph.letter, plan.centre(cell)));
        drawing.layer("fill=\"none\" stroke-linecap=\"round\"", pieces.collect());
        let last = self.last.iter().map(|cell| ("last", cell)).chain(self.changed.iter().map(|cell| ("changed", cell)));
        let last = last.map(|(symbol, cell)| Shape::mark(symbol, plan.centre(*cell)));
        plan.finish(&mut drawing, strip, &self.looks, last.collect(), still);
        drawing
    }

    fn page_width(&self) -> usize {
        (self.columns * 60).clamp(320, 480)
    }

    fn mosaic(&self, playable: &dyn Fn(usize) -> bool) -> Option<Mosaic> {
        let (columns, rows) = (self.columns(), self.rows());
        let row = |row: usize| {
            let label = self.make.row_one.row(row, rows).to_string();
            let cells = (0..columns).map(|column| row * columns + column);
            let margin = mosaic::number(&label, TILE);
            let tiles = once(margin).chain(cells.map(|cell| self.tile(cell, playable(cell)))).collect();
            Row { name: Some(format!("Row {label}")), tiles }
        };
        let page_width = (columns * 56).clamp(220, 480).max(columns * 30);
        let mut mosaic = Mosaic { rows: (0..rows).map(row).collect(), page_width };
        let margin = mosaic.width().saturating_sub(columns as u32 * TILE);
        let letters = (margin + TILE / 2..).step_by(TILE as usize).zip('a'..='z').take(columns);
        mosaic.rows.push(mosaic::letters(letters, mosaic.width(), TILE));
        Some(mosaic)
    }

    fn with_seats_exchanged(&self) -> Box<dyn Board> {
        Box::new(Grid { cells: exchanged(&self.cells, &self.looks), ..self.clone() })
    }
}
