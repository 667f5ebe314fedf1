//! A rectangle of cells with lettered columns and numbered rows: on paper, on green cloth, or in a frame with holes.

use std::iter::once;

use crate::board::drawing::caption::Caption;
use crate::board::drawing::layout::{GridLayout, add_glow, grid_lines};
use crate::board::drawing::pieces::piece_symbol;
use crate::board::drawing::shared_layers::SharedLayers;
use crate::board::drawing::{Drawing, Shape, corners_symbol, palette, paper, ring_symbol};
use crate::board::piece::{Piece, PieceStyle, legend, swap_seats};
use crate::board::text::{Emphasis, Text, Tone, column_letters};
use crate::board::tile_board::{self, Tile, TileBoard, TileRow};
use crate::board::{Board, description};
use crate::cell::{self, RowOrigin};

/// The length of the longer side of a small board in drawings.
const BOARD_SIZE: usize = 342;
/// The side of a cell that is a picture of its own.
const TILE_SIZE: u32 = 40;
/// How far a frame reaches beyond its cells.
const FRAME_RIM: usize = 3;

/// What a board is made of, and how its rows are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardStyle {
    /// What the pieces lie on.
    pub surface: Surface,
    /// The edge at which row 1 lies.
    pub row_origin: RowOrigin,
}

/// What the pieces of a board lie on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surface {
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
    pub styles: [PieceStyle; 2],
    /// The cells of the last move: the one where it ended, then those that it came from.
    pub last_move: Vec<usize>,
    /// The cells whose pieces the last move has exchanged for others.
    pub changed: Vec<usize>,
    /// The completed lines, each as its cells from one end to the other.
    pub lines: Vec<Vec<usize>>,
    /// What the board is made of.
    pub style: BoardStyle,
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
        let ink = piece.map(|piece| self.styles[piece.seat.index()].ink);
        let letter = piece.map_or('.', |piece| piece.glyph.letter);
        let (stress, cell) = if self.lines.iter().any(|line| line.contains(&index)) {
            (Emphasis::WinningLine, format!("[{letter}]"))
        } else if self.is_last(index) {
            (Emphasis::LastMove, format!("({letter})"))
        } else {
            (if piece.is_some() { Emphasis::None } else { Emphasis::Dim }, format!(" {letter} "))
        };
        (Tone { ink, emphasis: stress }, cell)
    }

    fn is_last(&self, index: usize) -> bool {
        self.last_move.contains(&index) || self.changed.contains(&index)
    }

    /// Returns the layer below everything else.
    fn surface_layer(&self, plan: &GridLayout, paper: Shape) -> (String, Vec<Shape>) {
        let (x, y, w, h) = (plan.left, plan.top, plan.columns * plan.cell, plan.rows * plan.cell);
        let (fill, stroke) = match self.style.surface {
            Surface::Paper => (palette::OPEN_CELL, palette::GRID_LINE),
            Surface::Cloth => (palette::FELT, palette::FELT_LINE),
            Surface::Frame => (palette::FRAME, palette::FRAME_EDGE),
        };
        let shapes = if self.style.surface == Surface::Frame {
            let (x, y, w, h) = (x - FRAME_RIM, y - FRAME_RIM, w + 2 * FRAME_RIM, h + 2 * FRAME_RIM);
            let hole = |cell| {
                let (x, y) = plan.cell_center(cell);
                format!("M{x} {y}h0")
            };
            let holes: String = (0..self.cells.len()).map(hole).collect();
            let wide = plan.cell * 39 / 50;
            let line = format!("stroke=\"{}\" stroke-width=\"{wide}\" stroke-linecap=\"round\"", palette::OPEN_CELL);
            vec![
                paper,
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"14\"/>").into(),
                format!("<path d=\"{holes}\" {line}/>").into(),
            ]
        } else {
            vec![
                paper,
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"8\"/>").into(),
                format!("<path d=\"{}\"/>", grid_lines(x, y, plan.columns, plan.rows, plan.cell)).into(),
            ]
        };
        (format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"2\""), shapes)
    }
}

impl Grid {
    /// Returns a cell as a picture of its own. Where only some of the free cells can be played those have a dot.
    fn tile(&self, cell: usize, playable: bool) -> Tile {
        let (half, size) = (TILE_SIZE / 2, TILE_SIZE as usize);
        let edge = |color: &str| {
            format!(
                "<path d=\"M-{half}-{half}h{TILE_SIZE}v{TILE_SIZE}h-{TILE_SIZE}z\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n"
            )
        };
        let dot = |color: &str| format!("<circle r=\"{}\" fill=\"{color}\"/>\n", TILE_SIZE / 9);
        let (fill, over, dot) = match self.style.surface {
            Surface::Paper => (palette::OPEN_CELL, edge(palette::GRID_LINE), String::new()),
            Surface::Cloth => (palette::FELT, edge(palette::FELT_LINE), dot(palette::FELT_LINE)),
            Surface::Frame => {
                let hole = format!("<circle r=\"{}\" fill=\"{}\"/>\n", size * 39 / 100, palette::OPEN_CELL);
                (palette::FRAME, hole, dot(palette::ACTIVE))
            }
        };
        let mut body = tile_board::background(TILE_SIZE, TILE_SIZE, fill) + &over;
        if playable {
            body += &dot;
        }
        let mut signs = String::new();
        let piece = self.cells.get(cell).copied().flatten();
        if let Some(Piece { seat, glyph }) = piece {
            let symbol = piece_symbol(&glyph.letter.to_string(), glyph.form, seat, self.styles[seat.index()].ink, size);
            signs = format!("{symbol}\n");
        }
        if self.last_move.contains(&cell) {
            signs += &corners_symbol("last", TILE_SIZE * 2 / 5, 3, self.style.surface != Surface::Paper);
        } else if self.changed.contains(&cell) {
            signs += &ring_symbol("changed", size * 9 / 20);
        }
        if !signs.is_empty() {
            body += &format!("<g fill=\"none\" stroke-linecap=\"round\">{}</g>\n", signs.trim_end());
        }
        let name = cell::name_with_origin(self.style.row_origin, cell, self.columns(), self.rows());
        let words = tile_board::alt_text(&name, piece.map(|piece| piece.glyph.name), self.last_move.contains(&cell));
        Tile {
            cell: Some(cell),
            alt_text: words,
            width: TILE_SIZE,
            svg: tile_board::centered_svg(TILE_SIZE, TILE_SIZE, &body),
        }
    }
}

impl Board for Grid {
    fn text(&self) -> Text {
        let mut text = Text::default();
        let margin = self.rows().to_string().len();
        for row in 0..self.rows() {
            text.push_plain(format!("{:>margin$} ", self.style.row_origin.row_number(row, self.rows())));
            for column in 0..self.columns() {
                let (tone, cell) = self.cell_text(row * self.columns() + column);
                text.push(tone, cell);
            }
            text.end_line();
        }
        text.push_plain(format!("{:margin$} {}", "", column_letters(self.columns).collect::<String>()));
        text.end_line();
        legend(&self.styles).into_iter().for_each(|legend| text.push_line(legend));
        text
    }

    fn description(&self) -> String {
        let (columns, rows) = (self.columns(), self.rows());
        let name = |index: usize| cell::name_with_origin(self.style.row_origin, index, columns, rows);
        let mut parts = vec![format!("{columns} by {rows} cells")];
        parts.extend(description::piece_list(&self.cells, &name, |_| true));
        let free = self.cells.iter().filter(|cell| cell.is_none()).count();
        parts.push(format!("{free} cell{} free", if free == 1 { "" } else { "s" }));
        if !self.last_move.is_empty() {
            parts.push(format!("the {}", description::last_move(&self.last_move, &name)));
        }
        if !self.changed.is_empty() {
            let mover = if self.last_move.len() == 1 { "it" } else { "the reply" };
            parts.push(format!("{mover} flipped {}", description::cell_list(&self.changed, &name)));
        }
        parts.extend(self.lines.iter().map(|line| format!("a line from {}", description::line_ends(line, &name))));
        format!("{}.", parts.join("; "))
    }

    fn mark_last_move(&mut self, cell: usize) {
        self.last_move.push(cell);
    }

    fn drawing(&self, strip: &Caption, still: &SharedLayers) -> Drawing {
        let mut plan = GridLayout::new(self.columns(), self.rows(), BOARD_SIZE, 0, self.columns());
        (plan.row_origin, plan.colored) = (self.style.row_origin, self.style.surface != Surface::Paper);
        let others = self.cells.iter().flatten().copied();
        let mut drawing = plan.drawing(&self.styles, others, !self.last_move.is_empty(), still);
        if !self.changed.is_empty() {
            still.add_symbol(&mut drawing, "changed", &|| ring_symbol("changed", plan.cell * 9 / 20));
        }
        let (width, height) = (drawing.width, drawing.height);
        still.add_layer(&mut drawing, "ground", &|| self.surface_layer(&plan, paper(width, height)));
        let lines: Vec<Shape> =
            self.lines.iter().filter_map(|line| plan.line_through(line, |cell| plan.cell_center(cell))).collect();
        add_glow(&mut drawing, &lines, plan.cell * 39 / 50);
        let pieces = self.cells.iter().enumerate().filter_map(|(cell, piece)| Some((cell, (*piece)?)));
        let pieces = pieces.map(|(cell, piece)| Shape::mark(piece.glyph.letter, plan.cell_center(cell)));
        drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", pieces.collect());
        let last =
            self.last_move.iter().map(|cell| ("last", cell)).chain(self.changed.iter().map(|cell| ("changed", cell)));
        let last = last.map(|(symbol, cell)| Shape::mark(symbol, plan.cell_center(*cell)));
        plan.finish(&mut drawing, strip, &self.styles, last.collect(), still);
        drawing
    }

    fn page_width(&self) -> usize {
        (self.columns * 60).clamp(320, 480)
    }

    fn tile_board(&self, playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        let (columns, rows) = (self.columns(), self.rows());
        let row = |row: usize| {
            let label = self.style.row_origin.row_number(row, rows).to_string();
            let cells = (0..columns).map(|column| row * columns + column);
            let margin = tile_board::row_number_tile(&label, TILE_SIZE);
            let tiles = once(margin).chain(cells.map(|cell| self.tile(cell, playable(cell)))).collect();
            TileRow { name: Some(format!("Row {label}")), tiles }
        };
        let page_width = (columns * 56).clamp(220, 480).max(columns * 30);
        let mut mosaic = TileBoard { rows: (0..rows).map(row).collect(), page_width };
        let margin = mosaic.width().saturating_sub(columns as u32 * TILE_SIZE);
        let letters = (margin + TILE_SIZE / 2..).step_by(TILE_SIZE as usize).zip('a'..='z').take(columns);
        mosaic.rows.push(tile_board::column_letters_row(letters, mosaic.width(), TILE_SIZE));
        Some(mosaic)
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        Box::new(Grid { cells: swap_seats(&self.cells, &self.styles), ..self.clone() })
    }
}
