//! Renders the board as tiles, one image for each cell.
//!
//! A tile is a rectangle around the center of a hexagon, as high as the distance between rows. The tips of the hexagon are part
//! of the tiles above and below, and the tile's corners show parts of four neighbors.

use game::board::drawing::pieces::piece_symbol;
use game::board::drawing::{palette, spaced_letters};
use game::board::tile_board::{self, Tile, TileBoard, TileRow, centered_svg, cropped_svg};
use game::cell::{RowOrigin, name_with_origin};
use game::seat::Seat;

use crate::hex::board::HexBoard;

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

/// Returns the board as tiles.
pub fn tile_board(board: &HexBoard) -> TileBoard {
    let size = board.size as u32;
    let width = NUMBER_MARGIN + 2 * HALF_WIDTH + size * CELL_WIDTH + (size - 1) * HALF_WIDTH;
    let rows = (0..size).map(|row| {
        let label = (row + 1).to_string();
        let mut tiles = vec![row_margin(row * HALF_WIDTH, &label), row_end(row > 0, row + 1 < size, -1)];
        tiles.extend((0..size).map(|column| tile(board, row as usize, column as usize)));
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
    TileBoard { rows: all_rows, page_width: (board.size * 50).clamp(320, 580) }
}

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
        band(&format!("{from}{to}"), Seat::Second),
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
    let mut shapes = band(&line, Seat::First);
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

/// Returns a part of the band along an edge. The second side's bands have a bright center, like its stones.
fn band(path: &str, seat: Seat) -> String {
    let line = |color: &str, width: u32| format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\"/>");
    match seat {
        Seat::First => line(palette::CRIMSON, BAND_WIDTH),
        Seat::Second => {
            line(palette::BLUE, BAND_WIDTH)
                + &line(palette::OPEN_CELL, BAND_WIDTH * 2 / 3)
                + &line(palette::BLUE, BAND_WIDTH * 2 / 7)
        }
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
        bands = format!("{}<path d=\"{hexagon}\" fill=\"{}\"/>", band(&blue_path, Seat::Second), palette::OPEN_CELL);
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
    if let Some(seat) = board.cells.get(cell).copied().flatten() {
        let style = board.styles[seat.index()];
        stone = piece_symbol("stone", style.glyph.form, seat, style.ink, 58);
        stone_name = Some(style.glyph.name);
    }
    let is_last_move = board.last_move.contains(&cell);
    let ring = if is_last_move {
        format!(
            "<path d=\"M-22-12.7V12.7L0 25.4L22 12.7V-12.7L0-25.4z\" stroke=\"{}\" stroke-width=\"3\"/>",
            palette::INK
        )
    } else {
        String::new()
    };
    let body = format!(
        "{}<g fill=\"none\">{bands}{outline}{stone}{ring}</g>\n",
        tile_board::background(CELL_WIDTH, ROW_STEP, palette::OPEN_CELL)
    );
    let name = name_with_origin(RowOrigin::Top, cell, size, size);
    let alt_text = tile_board::alt_text(&name, stone_name, is_last_move);
    Tile { cell: Some(cell), alt_text, width: CELL_WIDTH, svg: centered_svg(CELL_WIDTH, ROW_STEP, &body) }
}

fn letter_style() -> String {
    format!("font-family=\"system-ui,sans-serif\" font-size=\"22\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED)
}
