//! A rectangular board of cells with lettered columns and numbered rows.

use std::iter::once;

use crate::board::{legend, swap_seats, terminal_char, terminal_legend};
use crate::{
    Board, Caption, Drawing, Emphasis, GridLayout, Ground, Piece, PieceStyle, RowOrigin, Seat, Shape, SharedLayers,
    TerminalStyle, Text, Tile, TileBoard, TileRow, Tone, add_glow, board, cell, column_letters, corners_symbol,
    grid_lines, palette, paper, piece_symbol, ring_symbol, tile_board,
};

/// The length of a board's longer side in drawings, in SVG units, unless the cells would get too small.
const BOARD_SIZE: usize = 342;
/// The side of a tile, in SVG units.
const TILE_SIZE: u32 = 40;
/// The longest side of a board that has lines between its cells in a terminal.
const MAX_LINED_SIZE: usize = 5;
/// The width of a frame's rim, in SVG units.
const FRAME_RIM: usize = 3;

/// The surface of a board, and how its rows are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardStyle {
    /// The surface.
    pub surface: Surface,
    /// The edge where row 1 is.
    pub row_origin: RowOrigin,
    /// The name of the pieces, if drawings show how many each side has.
    pub counted: Option<&'static str>,
}

/// The surface of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surface {
    /// Bright cells separated by lines.
    #[default]
    Paper,
    /// Green cells separated by lines.
    Cloth,
    /// A blue frame with a hole for each piece.
    Frame,
}

/// A rectangular board of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of columns, at most 26.
    pub columns: usize,
    /// The cells, row by row from the top left. `None` is a free cell.
    pub cells: Vec<Option<Piece>>,
    /// The style of each seat's pieces.
    pub styles: [PieceStyle; 2],
    /// The cells of the last move: first the target, then the cells it came from.
    pub last_move: Vec<usize>,
    /// The cells whose pieces changed owner in the last move.
    pub changed: Vec<usize>,
    /// The completed lines, each as its cells from end to end.
    pub lines: Vec<Vec<usize>>,
    /// The surface and the row numbering.
    pub style: BoardStyle,
}

impl Grid {
    /// Whether a terminal can number the free cells from 1: there are three by three, with lines between them.
    pub fn has_numbered_cells(&self) -> bool {
        self.style.surface == Surface::Paper && self.columns == 3 && self.cells.len() == 9
    }

    fn columns(&self) -> usize {
        self.columns.max(1)
    }

    fn rows(&self) -> usize {
        self.cells.len() / self.columns()
    }

    /// Returns the tone and the three characters of a cell. `free` is the character of an empty cell.
    fn cell_text(&self, index: usize, free: char, character: impl Fn(Piece) -> char) -> (Tone, String) {
        let piece = self.cells.get(index).copied().flatten();
        let ink = piece.map(|piece| self.styles[piece.seat.index()].ink);
        let letter = piece.map_or(free, character);
        let (emphasis, text) = if self.lines.iter().any(|line| line.contains(&index)) {
            (Emphasis::WinningLine, format!("[{letter}]"))
        } else if self.is_last(index) {
            (Emphasis::LastMove, format!("({letter})"))
        } else {
            (if piece.is_some() { Emphasis::None } else { Emphasis::Dim }, format!(" {letter} "))
        };
        (Tone { ink, emphasis }, text)
    }

    fn is_last(&self, index: usize) -> bool {
        self.last_move.contains(&index) || self.changed.contains(&index)
    }

    /// Returns the style and shapes of the bottom layer.
    fn surface_layer(&self, layout: &GridLayout, paper: Shape) -> (String, Vec<Shape>) {
        let (x, y, width, height) = (layout.left, layout.top, layout.columns * layout.cell, layout.rows * layout.cell);
        let (fill, stroke) = match self.style.surface {
            Surface::Paper => (palette::OPEN_CELL, palette::GRID_LINE),
            Surface::Cloth => (palette::FELT, palette::FELT_LINE),
            Surface::Frame => (palette::FRAME, palette::FRAME_EDGE),
        };
        let shapes = if self.style.surface == Surface::Frame {
            let (x, y, width, height) = (x - FRAME_RIM, y - FRAME_RIM, width + 2 * FRAME_RIM, height + 2 * FRAME_RIM);
            let hole = |cell| {
                let (x, y) = layout.cell_center(cell);
                format!("M{x} {y}h0")
            };
            let holes: String = (0..self.cells.len()).map(hole).collect();
            let diameter = layout.cell * 39 / 50;
            let hole_style =
                format!("stroke=\"{}\" stroke-width=\"{diameter}\" stroke-linecap=\"round\"", palette::OPEN_CELL);
            vec![
                paper,
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"14\"/>").into(),
                format!("<path d=\"{holes}\" {hole_style}/>").into(),
            ]
        } else {
            vec![
                paper,
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>").into(),
                format!("<path d=\"{}\"/>", grid_lines(x, y, layout.columns, layout.rows, layout.cell)).into(),
            ]
        };
        (format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"2\""), shapes)
    }

    /// Returns the tile of a cell. On cloth and frames, playable cells have a dot.
    fn tile(&self, cell: usize, is_playable: bool) -> Tile {
        let (half, size) = (TILE_SIZE / 2, TILE_SIZE as usize);
        let edge = |color: &str| {
            format!(
                "<path d=\"M-{half}-{half}h{TILE_SIZE}v{TILE_SIZE}h-{TILE_SIZE}z\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n"
            )
        };
        let dot = |color: &str| format!("<circle r=\"{}\" fill=\"{color}\"/>\n", TILE_SIZE / 9);
        let (fill, overlay, dot) = match self.style.surface {
            Surface::Paper => (palette::OPEN_CELL, edge(palette::GRID_LINE), String::new()),
            Surface::Cloth => (palette::FELT, edge(palette::FELT_LINE), dot(palette::FELT_LINE)),
            Surface::Frame => {
                let hole = format!("<circle r=\"{}\" fill=\"{}\"/>\n", size * 39 / 100, palette::OPEN_CELL);
                (palette::FRAME, hole, dot(palette::ACTIVE))
            }
        };
        let mut body = tile_board::background(TILE_SIZE, TILE_SIZE, fill) + &overlay;
        if is_playable {
            body += &dot;
        }
        let mut marks = String::new();
        let piece = self.cells.get(cell).copied().flatten();
        if let Some(Piece { seat, glyph }) = piece {
            let symbol = piece_symbol(&glyph.letter.to_string(), glyph.form, seat, self.styles[seat.index()].ink, size);
            marks = format!("{symbol}\n");
        }
        if self.last_move.contains(&cell) {
            marks += &corners_symbol("last", TILE_SIZE * 2 / 5, 3, self.style.surface != Surface::Paper);
        } else if self.changed.contains(&cell) {
            marks += &ring_symbol("changed", size * 9 / 20);
        }
        if !marks.is_empty() {
            body += &format!("<g fill=\"none\" stroke-linecap=\"round\">{}</g>\n", marks.trim_end());
        }
        let name = cell::name_with_origin(self.style.row_origin, cell, self.columns(), self.rows());
        let alt_text = tile_board::alt_text(&name, piece.map(|piece| piece.glyph.name), self.last_move.contains(&cell));
        Tile {
            cell: Some(cell),
            alt_text,
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
                let (tone, cell) = self.cell_text(row * self.columns() + column, '.', |piece| piece.glyph.letter);
                text.push(tone, cell);
            }
            text.end_line();
        }
        text.push_plain(format!("{:margin$} {}", "", column_letters(self.columns).collect::<String>()));
        text.end_line();
        legend(&self.styles).into_iter().for_each(|legend| text.push_line(legend));
        text
    }

    fn terminal_text(&self, style: &TerminalStyle) -> Text {
        let mut text = Text::default();
        let (columns, rows) = (self.columns(), self.rows());
        let margin = rows.to_string().len() + 1;
        // Small boards have lines between their cells; large ones have a border.
        let has_lines = self.style.surface == Surface::Paper && columns.max(rows) <= MAX_LINED_SIZE;
        let wall = style.pick("│", "|");
        let edge = style.pick("─", "-").repeat(3 * columns);
        let ground = match self.style.surface {
            Surface::Paper => None,
            Surface::Cloth => style.colored.then_some(Ground::Felt),
            Surface::Frame => style.colored.then_some(Ground::Frame),
        };
        if !has_lines && self.style.surface != Surface::Frame {
            text.push_line(format!("{:margin$} {}{edge}{}", "", style.pick("┌", "+"), style.pick("┐", "+")));
        }
        for row in 0..rows {
            if has_lines && row > 0 {
                let cells = vec![style.pick("───", "---"); columns];
                text.push_plain(format!("{:margin$}  ", ""));
                text.push_dim(cells.join(style.pick("┼", "+")));
                text.end_line();
            }
            text.push_plain(format!("{:>margin$} ", self.style.row_origin.row_number(row, rows)));
            text.push_plain(if has_lines { " " } else { wall });
            for column in 0..columns {
                let cell = row * columns + column;
                if has_lines && column > 0 {
                    text.push_dim(wall);
                }
                let free = match char::from_digit(cell as u32 + 1, 10) {
                    Some(digit) if style.numbered && self.has_numbered_cells() => digit,
                    _ => style.pick('·', '.'),
                };
                let (tone, cell) = self.cell_text(cell, free, |piece| terminal_char(piece, style));
                text.push_on(ground, tone, cell);
            }
            text.push_plain(if has_lines { "" } else { wall });
            text.end_line();
        }
        if !has_lines {
            text.push_line(format!("{:margin$} {}{edge}{}", "", style.pick("└", "+"), style.pick("┘", "+")));
        }
        let letters: Vec<String> = column_letters(columns).collect();
        text.push_line(format!("{:margin$}  {}", "", letters.join(if has_lines { " " } else { "" })));
        terminal_legend(&self.styles, style).into_iter().for_each(|legend| text.push_line(format!("{legend}.")));
        text
    }

    fn description(&self) -> String {
        let (columns, rows) = (self.columns(), self.rows());
        let name = |index: usize| cell::name_with_origin(self.style.row_origin, index, columns, rows);
        let mut parts = vec![format!("{columns} by {rows} cells")];
        parts.extend(board::piece_list(&self.cells, &name, |_| true));
        let free = self.cells.iter().filter(|cell| cell.is_none()).count();
        parts.push(format!("{free} cell{} free", if free == 1 { "" } else { "s" }));
        if !self.last_move.is_empty() {
            parts.push(format!("the {}", board::last_move(&self.last_move, &name)));
        }
        if !self.changed.is_empty() {
            let mover = if self.last_move.len() == 1 { "it" } else { "the reply" };
            parts.push(format!("{mover} flipped {}", board::cell_list(&self.changed, &name)));
        }
        parts.extend(self.lines.iter().map(|line| format!("a line from {}", board::line_ends(line, &name))));
        format!("{}.", parts.join("; "))
    }

    fn mark_last_move(&mut self, cell: usize) {
        self.last_move.push(cell);
    }

    fn drawing(&self, caption: &Caption, shared: &SharedLayers) -> Drawing {
        let mut layout = GridLayout::new(self.columns(), self.rows(), BOARD_SIZE, 0, self.columns());
        (layout.row_origin, layout.colored) = (self.style.row_origin, self.style.surface != Surface::Paper);
        let others = self.cells.iter().flatten().copied();
        let mut drawing = layout.drawing(&self.styles, others, !self.last_move.is_empty(), shared);
        if !self.changed.is_empty() {
            shared.add_symbol(&mut drawing, "changed", &|| ring_symbol("changed", layout.cell * 9 / 20));
        }
        let (width, height) = (drawing.width, drawing.height);
        shared.add_layer(&mut drawing, "ground", &|| self.surface_layer(&layout, paper(width, height)));
        let lines: Vec<Shape> =
            self.lines.iter().filter_map(|line| layout.line_through(line, |cell| layout.cell_center(cell))).collect();
        add_glow(&mut drawing, &lines, layout.cell * 39 / 50);
        let pieces = self.cells.iter().enumerate().filter_map(|(cell, piece)| Some((cell, (*piece)?)));
        let pieces = pieces.map(|(cell, piece)| Shape::mark(piece.glyph.letter, layout.cell_center(cell)));
        drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", pieces.collect());
        let marks =
            self.last_move.iter().map(|cell| ("last", cell)).chain(self.changed.iter().map(|cell| ("changed", cell)));
        let marks = marks.map(|(symbol, cell)| Shape::mark(symbol, layout.cell_center(*cell)));
        let count = |seat: Seat| self.cells.iter().flatten().filter(|piece| piece.seat == seat).count();
        let notes = self.style.counted.map(|name| Seat::BOTH.map(|seat| format!("{} {name}", count(seat))));
        layout.finish(&mut drawing, caption, &self.styles, marks.collect(), shared, notes.as_ref());
        drawing
    }

    fn page_width(&self) -> usize {
        (self.columns * 60).clamp(320, 480)
    }

    fn tile_board(&self, is_playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        let (columns, rows) = (self.columns(), self.rows());
        let row = |row: usize| {
            let label = self.style.row_origin.row_number(row, rows).to_string();
            let cells = (0..columns).map(|column| row * columns + column);
            let margin = tile_board::row_number_tile(&label, TILE_SIZE);
            let tiles = once(margin).chain(cells.map(|cell| self.tile(cell, is_playable(cell)))).collect();
            TileRow { name: Some(format!("Row {label}")), tiles }
        };
        let page_width = (columns * 56).clamp(220, 480).max(columns * 30);
        let mut board = TileBoard { rows: (0..rows).map(row).collect(), page_width };
        let margin = board.width().saturating_sub(columns as u32 * TILE_SIZE);
        let letters = (margin + TILE_SIZE / 2..).step_by(TILE_SIZE as usize).zip('a'..='z').take(columns);
        board.rows.push(tile_board::column_letters_row(letters, board.width(), TILE_SIZE));
        Some(board)
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        Box::new(Grid { cells: swap_seats(&self.cells, &self.styles), ..self.clone() })
    }
}
