//! The board as an SVG drawing and as tiles. All lengths are in SVG units.

use std::iter::once;

use crate::board::drawing::{check_symbol, half_size_symbol};
use crate::board::grid::{Grid, Surface};
use crate::tile_board::{background, centered_svg, column_letters_row, edge, row_number_tile};
use crate::{
    Caption, Drawing, GridLayout, Piece, PlayerLines, Seat, Shape, SharedLayers, Tile, TileBoard, TileRow, add_glow,
    corners_symbol, grid_lines, last_cell_symbol, palette, paper, piece_symbol, ring_symbol, source_symbol, tile_board,
};

/// The length of a board's longer side, unless the cells would get too small.
const BOARD_SIZE: usize = 342;
/// The same for light and dark squares, which chess pieces are drawn for.
const CHECKERED_SIZE: usize = 400;
/// The same for squares with numbers in them.
const NUMBERED_SIZE: usize = 448;
/// The width of a frame's rim.
const FRAME_RIM: usize = 3;
/// How far right and down of a numbered square's center a piece is drawn, to leave room for the number.
const NUMBERED_OFFSET: u32 = 5;
/// The distance between captured pieces.
const CAPTURED_STEP: u32 = 19;

impl Grid {
    /// Returns the board as a drawing.
    pub(super) fn draw(&self, caption: &Caption, shared: &SharedLayers) -> Drawing {
        let layout = self.layout();
        let captured = Seat::BOTH.into_iter().flat_map(|seat| self.captured(seat));
        let kinds = self.cells.iter().flatten().copied().chain(captured);
        let mut drawing = layout.drawing(&self.styles, kinds, shared);
        let marks = self.marks();
        for (symbol, _) in &marks {
            shared.add_symbol(&mut drawing, symbol, &|| self.mark_symbol(symbol, layout.cell, layout.mark_width()));
        }
        let (width, height) = (drawing.width, drawing.height);
        shared.add_layer(&mut drawing, "ground", &|| self.surface_layer(&layout, paper(width, height)));
        if self.is_checkered() {
            self.add_highlights(&layout, &mut drawing, shared);
        } else {
            let line = |line: &Vec<usize>| layout.line_through(line, |cell| layout.cell_center(cell));
            let lines: Vec<Shape> = self.lines.iter().filter_map(line).collect();
            add_glow(&mut drawing, &lines, layout.cell * 39 / 50);
        }
        let offset = if self.style.numbered { NUMBERED_OFFSET } else { 0 };
        let shape = |symbol, cell| {
            let (x, y) = layout.cell_center(cell);
            Shape::Mark { symbol, at: (x + offset, y + offset) }
        };
        let pieces = self.cells.iter().enumerate();
        let pieces = pieces.filter_map(|(cell, piece)| Some(shape((*piece)?.kind.letter.into(), cell)));
        drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", pieces.collect());
        if self.style.numbered {
            shared.add_layer(&mut drawing, "numbers", &|| self.numbers(&layout));
        }
        let marks = marks.into_iter().map(|(symbol, cell)| shape(symbol.into(), cell));
        let marks = marks.chain(Seat::BOTH.into_iter().flat_map(|seat| self.captured_shapes(&layout, seat)));
        let players = PlayerLines {
            styles: &self.styles,
            notes: self.style.counted.map(|name| Seat::BOTH.map(|seat| format!("{} {name}", self.count(seat)))),
            below: self.captured.as_ref().and(self.viewer),
        };
        layout.finish(&mut drawing, caption, &players, marks.collect(), shared);
        drawing
    }

    fn layout(&self) -> GridLayout {
        let board = match self.style.surface {
            Surface::Checkered if self.style.numbered => NUMBERED_SIZE,
            Surface::Checkered => CHECKERED_SIZE,
            _ => BOARD_SIZE,
        };
        let mut layout = GridLayout::new(self.columns(), self.rows(), board, 0, self.columns());
        (layout.row_origin, layout.colored) = (self.style.row_origin, self.style.surface != Surface::Paper);
        layout.turned = self.is_turned();
        if self.style.numbered {
            layout.hide_coordinates();
        }
        if self.captured.is_some() {
            layout.make_room_for_captures();
        }
        layout
    }

    /// Returns the marks of the last move, with their cells: of all cells, or of the ends of a move on light and dark
    /// squares.
    fn marks(&self) -> Vec<(&'static str, usize)> {
        if self.is_checkered() {
            let end = self.last_move.first().map(|cell| ("last", *cell));
            let start = self.last_move.iter().skip(1).next_back().map(|cell| ("from", *cell));
            return end.into_iter().chain(start).collect();
        }
        let last = self.last_move.iter().map(|cell| ("last", *cell));
        last.chain(self.changed.iter().map(|cell| ("changed", *cell))).collect()
    }

    /// Returns the symbol of a mark on cells of this size. `stroke_width` is that of corners.
    fn mark_symbol(&self, id: &str, cell: usize, stroke_width: u32) -> String {
        match id {
            "from" => source_symbol(),
            "changed" => ring_symbol(id, cell * 9 / 20),
            // Corners would cover the number.
            _ if self.style.numbered => ring_symbol(id, cell * 3 / 8),
            _ if self.is_checkered() => corners_symbol(id, cell as u32 / 2 - 4, 3, true),
            _ => last_cell_symbol(cell, stroke_width, self.style.surface != Surface::Paper),
        }
    }

    /// Returns the style and shapes of the bottom layer.
    fn surface_layer(&self, layout: &GridLayout, paper: Shape) -> (String, Vec<Shape>) {
        let (x, y, width, height) = (layout.left, layout.top, layout.columns * layout.cell, layout.rows * layout.cell);
        let rect = |x, y, width, height, rest: &str| -> Shape {
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{rest}/>").into()
        };
        let (fill, stroke) = match self.style.surface {
            Surface::Paper => (palette::OPEN_CELL, palette::GRID_LINE),
            Surface::Cloth => (palette::FELT, palette::FELT_LINE),
            Surface::Frame => (palette::FRAME, palette::FRAME_EDGE),
            Surface::Checkered => (palette::LIGHT_SQUARE, palette::GRID_LINE),
        };
        let shapes = match self.style.surface {
            Surface::Paper | Surface::Cloth => {
                let lines = grid_lines(x, y, layout.columns, layout.rows, layout.cell);
                vec![paper, rect(x, y, width, height, " rx=\"8\""), format!("<path d=\"{lines}\"/>").into()]
            }
            Surface::Frame => {
                let hole = |cell| {
                    let (x, y) = layout.cell_center(cell);
                    format!("M{x} {y}h0")
                };
                let holes: String = (0..self.cells.len()).map(hole).collect();
                let (diameter, color) = (layout.cell * 39 / 50, palette::OPEN_CELL);
                let style = format!("stroke=\"{color}\" stroke-width=\"{diameter}\" stroke-linecap=\"round\"");
                let (rim, rims) = (FRAME_RIM, 2 * FRAME_RIM);
                let frame = rect(x - rim, y - rim, width + rims, height + rims, " rx=\"14\"");
                vec![paper, frame, format!("<path d=\"{holes}\" {style}/>").into()]
            }
            Surface::Checkered => {
                let size = layout.cell;
                let square = |cell| {
                    let (x, y) = layout.cell_corner(cell / self.columns(), cell % self.columns());
                    format!("M{x} {y}h{size}v{size}h-{size}z")
                };
                let dark: String = (0..self.cells.len()).filter(|cell| self.is_dark(*cell)).map(square).collect();
                let dark = format!("<path d=\"{dark}\" fill=\"{}\" stroke=\"none\"/>", palette::DARK_SQUARE);
                vec![paper, rect(x, y, width, height, ""), dark.into()]
            }
        };
        (format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"2\""), shapes)
    }

    /// Adds a layer below the pieces: the squares of the last move, the check, and the background of captured pieces.
    fn add_highlights(&self, layout: &GridLayout, drawing: &mut Drawing, shared: &SharedLayers) {
        let mark = |symbol: &'static str, cell| Shape::mark(symbol, layout.cell_center(cell));
        let touched = (0..self.cells.len()).filter(|cell| self.last_move.contains(cell));
        let mut shapes: Vec<Shape> = touched.map(|cell| mark("touched", cell)).collect();
        if !shapes.is_empty() {
            let (half, size) = (layout.cell / 2, layout.cell);
            shared.add_symbol(drawing, "touched", &|| {
                let square = format!("M-{half}-{half}h{size}v{size}h-{size}z");
                format!("<path id=\"touched\" d=\"{square}\" fill=\"{}\"/>", palette::GLOW)
            });
        }
        if let Some(cell) = self.check {
            shared.add_symbol(drawing, "check", &check_symbol);
            shapes.push(mark("check", cell));
        }
        for seat in Seat::BOTH {
            let (left, top, count) =
                (layout.left - 2, self.captured_row(layout, seat) - 13, self.captured(seat).count());
            if count > 0 {
                let width = count as u32 * CAPTURED_STEP + 5;
                let rect = format!("<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"25\" rx=\"6\"");
                shapes.push(format!("{rect} fill=\"{}\"/>", palette::CHIP).into());
            }
        }
        drawing.add_layer("stroke=\"none\"", shapes);
    }

    /// Returns the middle of the row of the pieces that a seat has lost. It's next to the opponent.
    fn captured_row(&self, layout: &GridLayout, seat: Seat) -> u32 {
        if self.viewer == Some(seat) {
            layout.top as u32 - 17
        } else {
            (layout.top + layout.rows * layout.cell) as u32 + 38
        }
    }

    fn captured_shapes(&self, layout: &GridLayout, seat: Seat) -> Vec<Shape> {
        let shape = |(x, piece): (u32, Piece)| half_size_symbol(piece.kind, (x, self.captured_row(layout, seat)));
        let xs = (layout.left as u32 + 10..).step_by(CAPTURED_STEP as usize);
        xs.zip(self.captured(seat)).map(shape).collect()
    }

    /// Returns the style and shapes of the layer with the numbers of the dark squares, in their top left corners.
    fn numbers(&self, layout: &GridLayout) -> (String, Vec<Shape>) {
        let (half, size) = (layout.cell as u32 / 2, layout.label_size as u32);
        let number = |cell| {
            let (x, y) = layout.cell_center(cell);
            let (x, y) = (x + 14 - half, y + 3 + size * 7 / 10 - half);
            format!("<text x=\"{x}\" y=\"{y}\">{}</text>", self.cell_name(cell)).into()
        };
        let cells = (0..self.rows()).flat_map(|row| (0..self.columns()).map(move |column| (row, column)));
        let cells = cells.map(|(row, column)| self.cell_at(row, column)).filter(|cell| self.is_dark(*cell));
        // A piece covers a part of its square's number.
        let style = format!(
            "font-size=\"{size}\" fill=\"{}\" text-anchor=\"middle\" stroke=\"{}\" stroke-width=\"4\" paint-order=\"stroke\"",
            palette::INK,
            palette::DARK_SQUARE
        );
        (style, cells.map(number).collect())
    }

    /// Returns the board as tiles.
    pub(super) fn draw_tiles(&self, is_playable: &dyn Fn(usize) -> bool) -> TileBoard {
        let (columns, size) = (self.columns(), self.tile_size());
        let row = |row: usize| {
            let label = self.row_number(row).to_string();
            let margin = if self.style.numbered { None } else { Some(row_number_tile(&label, size)) };
            let tiles = (0..columns).map(|column| self.tile(self.cell_at(row, column), is_playable));
            TileRow { name: Some(format!("Row {label}")), tiles: margin.into_iter().chain(tiles).collect() }
        };
        let page_width = if self.is_checkered() { 480 } else { (columns * 56).clamp(220, 480).max(columns * 30) };
        let mut board = TileBoard { rows: (0..self.rows()).map(row).collect(), page_width };
        if self.style.numbered {
            return board;
        }
        let margin = board.width().saturating_sub(columns as u32 * size);
        let letters = self.letters().into_iter().filter_map(|letter| letter.trim().chars().next());
        let letters = (margin + size / 2..).step_by(size as usize).zip(letters);
        board.rows.push(column_letters_row(letters, board.width(), size));
        let rows = [self.viewer, self.viewer.map(Seat::other)].map(|seat| self.captured_tiles(seat?, margin));
        let [above, below] = rows;
        board.rows = above.into_iter().chain(board.rows).chain(below).collect();
        board
    }

    /// Returns a row with the pieces that a seat has lost; `None` if it has lost none.
    fn captured_tiles(&self, seat: Seat, margin: u32) -> Option<TileRow> {
        let (width, height) = (self.tile_size() / 2, self.tile_size() * 3 / 5);
        let tile = |piece: Piece| {
            let symbol = self.piece_symbol(piece, self.tile_size() as usize);
            let shape = format!("<g transform=\"scale(.5)\" fill=\"none\" stroke-linecap=\"round\">{symbol}</g>\n");
            let svg = centered_svg(width, height, &(background(width, height, palette::PAPER) + &shape));
            Tile { alt_text: format!("lost: {}", self.piece_name(piece)), ..Tile::margin(width, svg) }
        };
        let tiles: Vec<Tile> = self.captured(seat).map(tile).collect();
        if tiles.is_empty() {
            return None;
        }
        let rest = (self.columns() as u32 * self.tile_size()).saturating_sub(tiles.len() as u32 * width);
        let (left, right) = (Tile::blank(margin, height), Tile::blank(rest, height));
        Some(TileRow { name: None, tiles: once(left).chain(tiles).chain([right]).collect() })
    }

    fn tile_size(&self) -> u32 {
        match self.style.surface {
            Surface::Checkered if self.style.numbered => 56,
            Surface::Checkered => 50,
            _ => 40,
        }
    }

    /// Returns the number by which pages know a cell.
    fn tile_cell(&self, cell: usize) -> usize {
        if self.style.numbered {
            cell / 2 + 1
        } else if self.is_checkered() {
            // From a1, as in all chess programs.
            (self.rows() - 1 - cell / self.columns()) * self.columns() + cell % self.columns()
        } else {
            cell
        }
    }

    fn piece_symbol(&self, Piece { seat, kind }: Piece, cell: usize) -> String {
        piece_symbol(&kind.letter.to_string(), kind.form, seat, self.styles[seat.index()].color, cell)
    }

    /// Returns the tile of a cell. On cloth and frames, playable cells have a dot; free numbered squares show their number.
    fn tile(&self, cell: usize, is_playable: &dyn Fn(usize) -> bool) -> Tile {
        let (size, numbered) = (self.tile_size(), self.style.numbered);
        let dot = |color: &str| format!("<circle r=\"{}\" fill=\"{color}\"/>\n", size / 9);
        let (fill, overlay, dot) = match self.style.surface {
            Surface::Paper => (palette::OPEN_CELL, edge(size, palette::GRID_LINE), String::new()),
            Surface::Cloth => (palette::FELT, edge(size, palette::FELT_LINE), dot(palette::FELT_LINE)),
            Surface::Frame => {
                let hole = format!("<circle r=\"{}\" fill=\"{}\"/>\n", size * 39 / 100, palette::OPEN_CELL);
                (palette::FRAME, hole, dot(palette::ACTIVE))
            }
            Surface::Checkered if self.last_move.contains(&cell) => (palette::GLOW, String::new(), String::new()),
            Surface::Checkered if self.is_dark(cell) => (palette::DARK_SQUARE, String::new(), String::new()),
            Surface::Checkered => (palette::LIGHT_SQUARE, String::new(), String::new()),
        };
        let mut body = background(size, size, fill) + &overlay;
        if numbered && !self.is_dark(cell) {
            return Tile::margin(size, centered_svg(size, size, &body));
        }
        if is_playable(self.tile_cell(cell)) {
            body += &dot;
        }
        let (piece, mark) = (self.piece_at(cell), self.marks().into_iter().find(|(_, marked)| *marked == cell));
        let check = (self.check == Some(cell)).then(check_symbol);
        let symbol = piece.map(|piece| self.piece_symbol(piece, size as usize));
        let mark_symbol = mark.map(|(id, _)| self.mark_symbol(id, size as usize, 3));
        let shapes: Vec<String> = [check, symbol, mark_symbol].into_iter().flatten().collect();
        // Without the number beside it, a piece can be larger; a mark surrounds the number.
        let scale = match piece {
            Some(_) if numbered => " transform=\"scale(1.2)\"",
            None if numbered => " transform=\"scale(1.7)\"",
            _ => "",
        };
        if !shapes.is_empty() {
            body += &format!("<g fill=\"none\" stroke-linecap=\"round\"{scale}>{}</g>\n", shapes.join("\n"));
        }
        let name = self.cell_name(cell);
        if numbered && piece.is_none() {
            let style = format!("font-size=\"21\" fill=\"{}\" text-anchor=\"middle\"", palette::INK);
            body += &format!("<text y=\"8\" font-family=\"system-ui,sans-serif\" {style}>{name}</text>\n");
        }
        let piece_name = piece.map(|piece| self.piece_name(piece));
        let is_target = mark.is_some_and(|(id, _)| id == "last");
        let mut alt_text = tile_board::alt_text(&name, piece_name.as_deref(), is_target);
        if self.check == Some(cell) {
            alt_text += ", in check";
        }
        let svg = centered_svg(size, size, &body);
        Tile { cell: Some(self.tile_cell(cell)), alt_text, width: size, svg }
    }
}
