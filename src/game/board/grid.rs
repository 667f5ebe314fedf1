//! A rectangle of cells with lettered columns and numbered rows.

use crate::game::board::drawing::plan::{Plan, rules};
use crate::game::board::drawing::strip::Strip;
use crate::game::board::drawing::{Drawing, Shape, palette, paper};
use crate::game::board::piece::{Look, Piece, legend, shown};
use crate::game::board::text::{Stress, Text, Tone, letters};
use crate::game::board::{Board, Panel, words};
use crate::game::cell;

/// The length of the longer side of a small board in drawings.
const SIDE: usize = 342;

/// A rectangle of cells; a1 is at the bottom left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of columns; at most 26.
    pub columns: usize,
    /// The piece on each cell, `None` if it is free: row by row from the top left.
    pub cells: Vec<Option<Piece>>,
    /// The look of each seat's pieces.
    pub looks: [Look; 2],
    /// The cells of the last move: the one where it ended, then those that it came from or changed.
    pub last: Vec<usize>,
    /// The completed lines, each as its cells from one end to the other.
    pub lines: Vec<Vec<usize>>,
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
        } else if self.last.contains(&index) {
            (Stress::Last, format!("({letter})"))
        } else {
            (if piece.is_some() { Stress::None } else { Stress::Faint }, format!(" {letter} "))
        };
        (Tone { ink, stress }, cell)
    }
}

impl Board for Grid {
    fn text(&self) -> Text {
        let mut text = Text::default();
        let margin = self.rows().to_string().len();
        for row in 0..self.rows() {
            text.plainly(format!("{:>margin$} ", self.rows() - row));
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
        let name = |index: usize| cell::name(index, columns, rows);
        let mut parts = vec![format!("{columns} by {rows} cells")];
        parts.extend(words::pieces(&self.cells, &name, |_| true));
        let free = self.cells.iter().filter(|cell| cell.is_none()).count();
        parts.push(format!("{free} cell{} free", if free == 1 { "" } else { "s" }));
        if !self.last.is_empty() {
            parts.push(format!("the last move is {}", words::list(&self.last, &name)));
        }
        parts.extend(self.lines.iter().map(|line| format!("a line from {}", words::ends(line, &name))));
        format!("{}.", parts.join("; "))
    }

    fn mark(&mut self, cell: usize) {
        self.last.push(cell);
    }

    fn drawing(&self, strip: &Strip) -> Drawing {
        let plan = Plan::new(self.columns(), self.rows(), SIDE, 0, self.columns());
        let others = self.cells.iter().flatten().copied();
        let mut drawing = plan.drawing(&self.looks, others, !self.last.is_empty());
        let (w, h) = (plan.columns * plan.cell, plan.rows * plan.cell);
        drawing.layer(
            format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", palette::FIELD, palette::RULE),
            vec![
                paper(drawing.width, drawing.height),
                format!("<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{h}\" rx=\"8\"/>", plan.left, plan.top).into(),
                format!("<path d=\"{}\"/>", rules(plan.left, plan.top, plan.columns, plan.rows, plan.cell)).into(),
            ],
        );
        let lines: Vec<Shape> =
            self.lines.iter().filter_map(|line| plan.through(line, |cell| plan.centre(cell))).collect();
        plan.glow(&mut drawing, &lines, plan.cell * 39 / 50);
        let pieces = self.cells.iter().enumerate().filter_map(|(cell, piece)| Some((cell, (*piece)?)));
        let pieces = pieces.map(|(cell, piece)| Shape::mark(piece.glyph.letter, plan.centre(cell)));
        drawing.layer("fill=\"none\" stroke-linecap=\"round\"", pieces.collect());
        let last = self.last.iter().map(|cell| Shape::mark("last", plan.centre(*cell)));
        plan.finish(&mut drawing, strip, &self.looks, last.collect());
        drawing
    }

    fn page_width(&self) -> usize {
        (self.columns * 60).clamp(320, 480)
    }

    fn panels(&self) -> Vec<Panel> {
        let cells = self.cells.iter().enumerate();
        let cells = cells.map(|(index, piece)| (index, shown(*piece, self.last.contains(&index))));
        vec![Panel { columns: self.columns, cells: cells.collect() }]
    }
}
