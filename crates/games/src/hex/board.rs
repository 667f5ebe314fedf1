//! Renders the board: a rhombus of hexagons, with a colored band along each side's edges.

use std::iter::once;

use game::board::{legend, ordinary_piece, piece_char, swap_seats};
use game::tile_board::{centered_svg, cropped_svg};
use game::{
    Board, Caption, Display, Drawing, Emphasis, Form, MARGIN, PaletteColor, Piece, PieceKind, PieceStyle, PlayerLines,
    RowOrigin, Seat, Shape, SharedLayers, SideFacts, TerminalStyle, Text, TextStyle, Tile, TileBoard, TileRow,
    add_glow, add_margins, board, cell, heading_size, palette, paper, piece_symbol, small_size, spaced_letters,
    tile_board,
};

use crate::hex::Hex;
use crate::hex::game::Move;

/// The styles of the stones.
const STYLES: [PieceStyle; 2] = [
    PieceStyle { color: PaletteColor::CRIMSON, kind: PieceKind { name: "red", letter: 'R', form: Form::Disc } },
    PieceStyle { color: PaletteColor::BLUE, kind: PieceKind { name: "blue", letter: 'B', form: Form::Disc } },
];

/// A board of hexagons, ready to be rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HexBoard {
    /// The length of a side.
    size: usize,
    /// The stones, row by row from the top left; `None` if a cell is free.
    cells: Vec<Option<Piece>>,
    /// The cells of the last move.
    last_move: Vec<usize>,
    /// The winning chain from edge to edge; empty if there is none.
    chain: Vec<usize>,
}

// Renders the board as text. Each row starts one character further to the right than the one above.
//
// `(R)` is the last move, `[R=R]` the winning chain.

/// Writes the cells of a row, with a separator before each and after the last. `free` is the character of a free cell.
fn push_cells(board: &HexBoard, row: usize, free: &str, unicode: bool, text: &mut Text) {
    let size = board.size;
    for column in 0..size {
        let cell = row * size + column;
        let left = if column > 0 { Some(emphasis(board, cell - 1)) } else { None };
        let emphasis = emphasis(board, cell);
        text.push_plain(separator(left, Some(emphasis)));
        let stone = board.cells.get(cell).copied().flatten();
        let text_style = TextStyle { color: stone.map(|stone| STYLES[stone.seat.index()].color), emphasis };
        text.push(text_style, stone.map_or_else(|| free.to_owned(), |stone| piece_char(stone, unicode)));
    }
    let last_cell = (row + 1) * size - 1;
    text.push_plain(separator(Some(emphasis(board, last_cell)), None));
}

fn emphasis(board: &HexBoard, cell: usize) -> Emphasis {
    if board.chain.contains(&cell) {
        Emphasis::WinningLine
    } else if board.last_move.contains(&cell) {
        Emphasis::LastMove
    } else if board.cells.get(cell).is_some_and(Option::is_some) {
        Emphasis::None
    } else {
        Emphasis::Dim
    }
}

/// Returns the character between two cells.
fn separator(left: Option<Emphasis>, right: Option<Emphasis>) -> &'static str {
    match (left, right) {
        (Some(Emphasis::WinningLine), Some(Emphasis::WinningLine)) => "=",
        (Some(Emphasis::WinningLine), _) => "]",
        (_, Some(Emphasis::WinningLine)) => "[",
        (Some(Emphasis::LastMove), _) => ")",
        (_, Some(Emphasis::LastMove)) => "(",
        _ => " ",
    }
}

// Renders the board as tiles, one image for each cell.
//
// A tile is a rectangle around the center of a hexagon, as high as the distance between rows. The tips of the hexagon are part
// of the tiles above and below, and the tile's corners show parts of four neighbors.

/// The width of a cell, in pixels.
const CELL_WIDTH: u32 = 60;
/// Half the width of a cell.
const HALF_WIDTH: u32 = CELL_WIDTH / 2;
/// The distance between rows: the width of a cell times sqrt(3/4).
const ROW_STEP: u32 = 52;
/// The height of the margin above the board.
const TOP_MARGIN: u32 = 44;
/// The height of the margin below the board.
const BOTTOM_MARGIN: u32 = 20;
/// The width of the margin with the row numbers.
const NUMBER_MARGIN: u32 = 36;
/// The width of the band along an edge.
const BAND_WIDTH: u32 = 16;

/// The corners of a tile, clockwise from the top left: the two ends of the line across the corner, and the path that closes it.
const CORNERS: [(&str, &str, &str); 4] = [
    ("-30-17.3", "-15-26", "L-30-26z"),
    ("30-17.3", "15-26", "L30-26z"),
    ("30 17.3", "15 26", "L30 26z"),
    ("-30 17.3", "-15 26", "L-30 26z"),
];

/// Returns the left margin of a row, with the row number.
fn row_margin(shift: u32, label: &str) -> Tile {
    let width = NUMBER_MARGIN + shift;
    let letters = letter_style();
    let x = width - 14;
    let body = format!(
        "{}<text x=\"{x}\" y=\"33\" {letters}>{label}</text>\n",
        tile_board::background(width, ROW_STEP, palette::PAPER)
    );
    Tile::margin(width, cropped_svg(width, ROW_STEP, &format!("0 0 {width} {ROW_STEP}"), &body))
}

/// Returns the left (`side` is -1) or right (1) end of a row, with the second side's band and the tip of a cell in the row
/// above.
///
/// `above` and `below` say whether there are such rows. The right end is the left end rotated by 180 degrees, so there they
/// swap their meanings.
fn row_end(above: bool, below: bool, side: i32) -> Tile {
    let (from, to) =
        (if above { "M-30-34.6L0-17.3" } else { "M0-17.3" }, if below { "V17.3L30 34.6" } else { "V17.3" });
    let (fill, line) = (palette::OPEN_CELL, palette::GRID_LINE);
    let tip = format!("<path d=\"M-15-26H0V-17.3z\" fill=\"{fill}\"/>");
    let shapes = format!(
        "{}{}<path d=\"{from}{to}\" stroke=\"{line}\" stroke-width=\"2\"/>",
        band(&format!("{from}{to}"), Seat::Second, BAND_WIDTH).concat(),
        if above { &tip } else { "" },
    );
    let (left, transform) = if side < 0 { (-30, "") } else { (0, " transform=\"rotate(180)\"") };
    let body = format!(
        "{}<g fill=\"none\"{transform}>{shapes}</g>\n",
        tile_board::background(HALF_WIDTH, ROW_STEP, palette::PAPER)
    );
    Tile::margin(HALF_WIDTH, cropped_svg(HALF_WIDTH, ROW_STEP, &format!("{left} -26 {HALF_WIDTH} {ROW_STEP}"), &body))
}

/// Returns the margin above (`side` is -1) or below (1) the board, with the first side's band and the tips of the cells. The
/// upper margin also has the column letters.
fn board_margin(size: u32, width: u32, left: u32, side: i32) -> Tile {
    let height = if side < 0 { TOP_MARGIN } else { BOTTOM_MARGIN };
    // Half of each tip is in this margin.
    let (base, tip, back) = if side < 0 { (TOP_MARGIN, "-17.3", "17.3") } else { (0, "17.3", "-17.3") };
    let (half, half_back) = if side < 0 { ("-8.7", "8.7") } else { ("8.7", "-8.7") };
    let zigzag = format!("l30 {tip} 30 {back}").repeat(size as usize);
    let line = format!("M{left} {base}m0 {half_back}{zigzag}");
    let mut shapes = band(&line, Seat::First, BAND_WIDTH).concat();
    let tips: String =
        (0..size).map(|cell| format!("M{} {base}l15 {half} 15 {half_back}z", left + cell * CELL_WIDTH + 15)).collect();
    shapes += &format!(
        "<path d=\"{tips}\" fill=\"{}\"/><path d=\"{line}\" stroke=\"{}\" stroke-width=\"2\"/>",
        palette::OPEN_CELL,
        palette::GRID_LINE
    );
    let mut body = tile_board::background(width, height, palette::PAPER) + &format!("<g fill=\"none\">{shapes}</g>\n");
    if side < 0 {
        let columns = ('a'..='z')
            .take(size as usize)
            .zip(0..)
            .map(|(letter, column)| (left + column * CELL_WIDTH + HALF_WIDTH, letter));
        body += &format!("<g {}>{}</g>\n", letter_style(), spaced_letters(columns, 22));
    }
    Tile::margin(width, cropped_svg(width, height, &format!("0 0 {width} {height}"), &body))
}

/// Returns the band along a path, as one line over the other. The second side's bands have a bright center, like its stones.
fn band(path: &str, seat: Seat, width: u32) -> Vec<String> {
    let line = |color: &str, width: u32| format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\"/>");
    match seat {
        Seat::First => vec![line(palette::CRIMSON, width)],
        Seat::Second => vec![
            line(palette::BLUE, width),
            line(palette::OPEN_CELL, width * 2 / 3),
            line(palette::BLUE, width * 2 / 7),
        ],
    }
}

fn tile(board: &HexBoard, row: usize, column: usize) -> Tile {
    let (size, cell) = (board.size, row * board.size + column);
    let (top, left, bottom, right) = (row == 0, column == 0, row + 1 == size, column + 1 == size);
    // At an edge, a corner shows the band instead of a neighbor.
    let mut red_path = String::new();
    for (is_edge, (from, to, corner)) in [top, top, bottom, bottom].into_iter().zip(CORNERS) {
        if is_edge {
            red_path += &format!("M{from}L{to}{corner}");
        }
    }
    let mut blue_path = String::new();
    if left && !bottom {
        blue_path += "M-60 0L0 34.6";
    }
    if right && !top {
        blue_path += "M60 0L0-34.6";
    }
    let mut bands = String::new();
    if !blue_path.is_empty() {
        let hexagon = "M-30-17.3L0-34.6L30-17.3V17.3L0 34.6L-30 17.3z";
        let blue = band(&blue_path, Seat::Second, BAND_WIDTH).concat();
        bands = format!("{blue}<path d=\"{hexagon}\" fill=\"{}\"/>", palette::OPEN_CELL);
    }
    if !red_path.is_empty() {
        bands += &format!("<path d=\"{red_path}\" fill=\"{}\"/>", palette::CRIMSON);
    }
    let lines: String = CORNERS.iter().map(|(from, to, _)| format!("M{from}L{to}")).collect();
    let outline = format!(
        "<path d=\"{lines}M-30-17.3V17.3M30-17.3V17.3\" stroke=\"{}\" stroke-width=\"2\"/>",
        palette::GRID_LINE
    );
    let (mut stone, mut stone_name) = (String::new(), None);
    if let Some(Piece { seat, kind }) = board.cells.get(cell).copied().flatten() {
        stone = piece_symbol("stone", kind.form, seat, STYLES[seat.index()].color, 58);
        stone_name = Some(kind.name);
    }
    let is_last_move = board.last_move.contains(&cell);
    let ring = if is_last_move { last_move_symbol([30, 17, 35]) } else { String::new() };
    let body = format!(
        "{}<g fill=\"none\">{bands}{outline}{stone}{ring}</g>\n",
        tile_board::background(CELL_WIDTH, ROW_STEP, palette::OPEN_CELL)
    );
    let name = cell::name_with_origin(RowOrigin::Top, cell, size, size);
    let alt_text = tile_board::alt_text(&name, stone_name, is_last_move);
    Tile { cell: Some(cell), alt_text, width: CELL_WIDTH, svg: centered_svg(CELL_WIDTH, ROW_STEP, &body) }
}

fn letter_style() -> String {
    format!("font-family=\"system-ui,sans-serif\" font-size=\"22\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED)
}

// Draws the board with pointy-top hexagons, and a band along each edge in the color of its side.

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
        let edges = |seat: Seat| {
            let edges = [seat.index(), seat.index() + 2];
            let path: String = edges.map(|edge| self.edge_start(edge) + &self.edge_path(edge)).concat();
            band(&path, seat, 2 * self.band as u32)
        };
        let outline = format!("{}{}z", self.edge_start(0), (0..4).map(|edge| self.edge_path(edge)).collect::<String>());
        let (fill, line, grid_lines) = (palette::OPEN_CELL, palette::GRID_LINE, self.grid_lines());
        let mut shapes = vec![paper(self.width as u32, self.height as u32)];
        shapes.extend([Seat::Second, Seat::First].into_iter().flat_map(edges).map(Shape::from));
        shapes.push(format!("<path d=\"{outline}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2\"/>").into());
        shapes.push(format!("<path d=\"{grid_lines}\" stroke=\"{line}\" stroke-width=\"2\"/>").into());
        shapes
    }

    fn coordinates(&self, font_size: usize) -> Vec<Shape> {
        // The largest boards have room only for every second letter and number.
        let step = if 2 * self.half < font_size { 2 } else { 1 };
        let letters = ('a'..='z').take(self.size).enumerate().step_by(step);
        let letters = letters.map(|(column, letter)| (self.cell_center(column).0, letter));
        let letters = spaced_letters(letters, self.top - self.band - 4);
        let numbers = (0..self.size).step_by(step).map(|row| {
            let (x, y) = self.cell_center(row * self.size);
            let (x, y) = (x as usize - self.half - self.band - font_size * 4 / 5, y as usize + font_size * 7 / 20);
            Shape::from(format!("<text x=\"{x}\" y=\"{y}\">{}</text>", row + 1))
        });
        once(letters).chain(numbers).collect()
    }
}

/// Returns the symbol for the last move: a smaller hexagon inside the cell. `lengths` are half the width of a cell, the height
/// of its tips, and the length of its vertical sides.
fn last_move_symbol(lengths: [usize; 3]) -> String {
    let [half, peak, side] = lengths.map(|length| (length * 17 / 20).max(1));
    let width = (lengths[0] / 6).clamp(2, 3);
    let path = format!("M-{half}-{0}l{half}-{peak} {half} {peak}v{side}l-{half} {peak}-{half}-{peak}z", side / 2);
    let line = |color: &str, width: usize| format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\"/>");
    let (below, above) = (line(palette::HALO, width * 2 + 1), line(palette::INK, width));
    format!("<g id=\"last\" fill=\"none\">{below}{above}</g>")
}

// Shows a game as a board.

impl Board for HexBoard {
    fn text(&self) -> Text {
        let mut text = Text::default();
        let size = self.size;
        let margin = size.to_string().len();
        let letters: String = ('a'..='z').take(size).map(|letter| format!(" {letter}")).collect();
        text.push_line(format!("{:margin$}{letters}", ""));
        for row in 0..size {
            text.push_plain(format!("{:indent$}{:>margin$}", "", row + 1, indent = row));
            push_cells(self, row, ".", false, &mut text);
            text.end_line();
        }
        let edges = "Red plays top to bottom, Blue left to right";
        if let Some(legend) = legend(&STYLES, false) {
            text.push_line(format!("{legend}; {edges}"));
        }
        text
    }

    /// Red's edges are lines above and below, Blue's are slanted lines at the sides.
    fn terminal_text(&self, style: &TerminalStyle) -> Text {
        let mut text = Text::default();
        let size = self.size;
        let margin = size.to_string().len();
        let edge = |seat: Seat| TextStyle { color: Some(STYLES[seat.index()].color), emphasis: Emphasis::LastMove };
        let (line, slant) = (style.pick("━", "=").repeat(2 * size + 1), style.pick("╲", "\\"));
        let letters: String = ('a'..='z').take(size).map(|letter| format!(" {letter}")).collect();
        text.push_line(format!("{:margin$}  {letters}", ""));
        text.push_plain(format!("{:margin$}  ", ""));
        text.push(edge(Seat::First), line.as_str());
        text.end_line();
        for row in 0..size {
            text.push_plain(format!("{:indent$}{:>margin$} ", "", row + 1, indent = row));
            text.push(edge(Seat::Second), slant);
            push_cells(self, row, style.pick("·", "."), style.unicode, &mut text);
            text.push(edge(Seat::Second), slant);
            text.end_line();
        }
        text.push_plain(format!("{:indent$}", "", indent = margin + size + 1));
        text.push(edge(Seat::First), line.as_str());
        text.end_line();
        let legend = legend(&STYLES, style.unicode).unwrap_or_default();
        text.push_line(format!("{legend}. Red connects top and bottom, Blue left and right."));
        text
    }

    fn description(&self) -> String {
        let name = |cell: usize| cell::name_with_origin(RowOrigin::Top, cell, self.size, self.size);
        let mut parts = vec![format!("{0} by {0} hexagons", self.size)];
        parts.extend(board::cell_phrases(&self.cells, &self.last_move, &name));
        if !self.chain.is_empty() {
            parts.push(format!("the chain runs through {}", board::cell_list(&self.chain, &name)));
        }
        format!("{}.", parts.join("; "))
    }

    fn drawing(&self, caption: &Caption, shared: &SharedLayers) -> Drawing {
        let layout = Layout::new(self.size);
        let width = layout.width as u32;
        let mut drawing = Drawing::new(width, layout.height as u32, layout.board_area());
        for (style, seat) in STYLES.iter().zip(Seat::BOTH) {
            let (id, cell) = (style.kind.letter.to_string(), layout.half * 5 / 2);
            shared.add_symbol(&mut drawing, &id, &|| piece_symbol(&id, style.kind.form, seat, style.color, cell));
        }
        if !self.last_move.is_empty() {
            shared.add_symbol(&mut drawing, "last", &|| last_move_symbol([layout.half, layout.peak, layout.side]));
        }
        shared.add_layer(&mut drawing, "ground", &|| {
            ("fill=\"none\" stroke-linejoin=\"round\"".to_owned(), layout.background())
        });
        let points: Vec<String> = self
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
        let stones = self.cells.iter().enumerate();
        let stones =
            stones.filter_map(|(cell, stone)| Some(Shape::mark((*stone)?.kind.letter, layout.cell_center(cell))));
        drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", stones.collect());
        let last_move = self.last_move.iter().map(|cell| Shape::mark("last", layout.cell_center(*cell)));
        let coordinates = || layout.coordinates(small_size(width) as usize);
        add_margins(&mut drawing, caption, &PlayerLines::new(&STYLES), last_move.collect(), shared, &coordinates);
        drawing
    }

    fn page_width(&self) -> usize {
        (self.size * 50).clamp(320, 560)
    }

    fn tile_board(&self, _is_playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        let size = self.size as u32;
        let width = NUMBER_MARGIN + 2 * HALF_WIDTH + size * CELL_WIDTH + (size - 1) * HALF_WIDTH;
        let rows = (0..size).map(|row| {
            let label = (row + 1).to_string();
            let mut tiles = vec![row_margin(row * HALF_WIDTH, &label), row_end(row > 0, row + 1 < size, -1)];
            tiles.extend((0..size).map(|column| tile(self, row as usize, column as usize)));
            tiles.push(row_end(row + 1 < size, row > 0, 1));
            if row + 1 < size {
                tiles.push(Tile::blank((size - 1 - row) * HALF_WIDTH, ROW_STEP));
            }
            TileRow { name: Some(format!("Row {label}")), tiles }
        });
        let first_left = NUMBER_MARGIN + HALF_WIDTH;
        let last_left = first_left + (size - 1) * HALF_WIDTH;
        let mut all_rows = vec![TileRow { name: None, tiles: vec![board_margin(size, width, first_left, -1)] }];
        all_rows.extend(rows);
        all_rows.push(TileRow { name: None, tiles: vec![board_margin(size, width, last_left, 1)] });
        Some(TileBoard { rows: all_rows, page_width: (self.size * 50).clamp(320, 580) })
    }

    fn side_facts(&self, seat: Seat) -> SideFacts {
        SideFacts::of_piece(STYLES[seat.index()].kind)
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        Box::new(HexBoard { cells: swap_seats(&self.cells, &STYLES), ..self.clone() })
    }

    fn mark_last_move(&mut self, cell: usize) {
        self.last_move.push(cell);
    }
}

impl Display for Hex {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(HexBoard {
            size: self.size,
            cells: (0..self.size * self.size).map(|cell| Some(ordinary_piece(&STYLES, self.stone(cell)?))).collect(),
            last_move: last.map(|mv| mv.position as usize).into_iter().collect(),
            chain: self.winning_chain().unwrap_or_default(),
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        if mv.swap { None } else { Some(mv.position as usize) }
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        self.winning_chain().into_iter().collect()
    }
}
