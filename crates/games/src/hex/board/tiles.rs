//! The board in small pictures. Each is a rectangle around the middle of a cell, as high as rows are apart: the tip of the hexagon
//! above and below belongs to the next row's pictures, and the corners show a little of four neighbours.

use game::board::drawing::pieces::piece_symbol;
use game::board::drawing::{palette, spaced_letters};
use game::board::tile_board::{self, Tile, TileBoard, TileRow, centered_svg, cropped_svg};
use game::cell::{RowOrigin, name_with_origin};
use game::seat::Seat;

use crate::hex::board::HexBoard;

/// The width of a cell, and its half.
const CELL_WIDTH: u32 = 60;
const HALF_WIDTH: u32 = CELL_WIDTH / 2;
/// How far rows are apart: the width of a cell by the square root of three quarters.
const ROW_STEP: u32 = 52;
/// The height of the margins above and below.
const TOP_MARGIN: u32 = 44;
const BOTTOM_MARGIN: u32 = 20;
/// The width of the margin with the numbers.
const NUMBER_MARGIN: u32 = 36;
/// The width of a band.
const BAND_WIDTH: u32 = 16;

/// The four corners of a picture, from the upper left one clockwise, each as the two ends of the line across it.
const CORNERS: [(&str, &str, &str); 4] = [
    ("-30-17.3", "-15-26", "L-30-26z"),
    ("30-17.3", "15-26", "L30-26z"),
    ("30 17.3", "15 26", "L30 26z"),
    ("-30 17.3", "-15 26", "L-30 26z"),
];

/// Returns the board in small pictures.
pub fn tile_board(board: &HexBoard) -> TileBoard {
    let size = board.size as u32;
    let across = NUMBER_MARGIN + 2 * HALF_WIDTH + size * CELL_WIDTH + (size - 1) * HALF_WIDTH;
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
    let last = NUMBER_MARGIN + HALF_WIDTH + (size - 1) * HALF_WIDTH;
    let mut all = vec![TileRow { name: None, tiles: vec![board_margin(size, across, NUMBER_MARGIN + HALF_WIDTH, -1)] }];
    all.extend(rows);
    all.push(TileRow { name: None, tiles: vec![board_margin(size, across, last, 1)] });
    TileBoard { rows: all, page_width: (board.size * 50).clamp(320, 580) }
}

/// Returns the margin before a row, with its number at the right.
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

/// Returns the left (-1) or the right end of a row: the second side's band, and where there is a row above (for the right end:
/// below) a bit of the cell at its end.
fn row_end(above: bool, below: bool, side: i32) -> Tile {
    let (from, to) =
        (if above { "M-30-34.6L0-17.3" } else { "M0-17.3" }, if below { "V17.3L30 34.6" } else { "V17.3" });
    let (field, rule) = (palette::OPEN_CELL, palette::GRID_LINE);
    let tip = format!("<path d=\"M-15-26H0V-17.3z\" fill=\"{field}\"/>");
    let signs = format!(
        "{}{}<path d=\"{from}{to}\" stroke=\"{rule}\" stroke-width=\"2\"/>",
        band(&format!("{from}{to}"), Seat::Second),
        if above { &tip } else { "" },
    );
    let (left, turned) = if side < 0 { (-30, "") } else { (0, " transform=\"rotate(180)\"") };
    let body = format!(
        "{}<g fill=\"none\"{turned}>{signs}</g>\n",
        tile_board::background(HALF_WIDTH, ROW_STEP, palette::PAPER)
    );
    Tile::margin(HALF_WIDTH, cropped_svg(HALF_WIDTH, ROW_STEP, &format!("{left} -26 {HALF_WIDTH} {ROW_STEP}"), &body))
}

/// Returns the margin above (-1) or below the board: the first side's band, and the tips of its cells; above also the letters.
fn board_margin(size: u32, width: u32, left: u32, side: i32) -> Tile {
    let height = if side < 0 { TOP_MARGIN } else { BOTTOM_MARGIN };
    // The tips of the cells point outwards, half of each into this margin.
    let (base, tip, back) = if side < 0 { (TOP_MARGIN, "-17.3", "17.3") } else { (0, "17.3", "-17.3") };
    let (half, half_back) = if side < 0 { ("-8.7", "8.7") } else { ("8.7", "-8.7") };
    let zigzag = format!("l30 {tip} 30 {back}").repeat(size as usize);
    let line = format!("M{left} {base}m0 {half_back}{zigzag}");
    let mut signs = band(&line, Seat::First);
    let tips: String =
        (0..size).map(|cell| format!("M{} {base}l15 {half} 15 {half_back}z", left + cell * CELL_WIDTH + 15)).collect();
    signs += &format!(
        "<path d=\"{tips}\" fill=\"{}\"/><path d=\"{line}\" stroke=\"{}\" stroke-width=\"2\"/>",
        palette::OPEN_CELL,
        palette::GRID_LINE
    );
    let mut body = tile_board::background(width, height, palette::PAPER) + &format!("<g fill=\"none\">{signs}</g>\n");
    if side < 0 {
        let columns = ('a'..='z')
            .take(size as usize)
            .zip(0..)
            .map(|(letter, column)| (left + column * CELL_WIDTH + HALF_WIDTH, letter));
        body += &format!("<g {}>{}</g>\n", letter_style(), spaced_letters(columns, 22));
    }
    Tile::margin(width, cropped_svg(width, height, &format!("0 0 {width} {height}"), &body))
}

/// Returns a stretch of the band along an edge. As the second side's stones have a bright middle, so have its bands.
fn band(path: &str, seat: Seat) -> String {
    let line = |color: &str, wide: u32| format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{wide}\"/>");
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
    // Beyond the edge there is no neighbour but the band.
    let reds = [top, top, bottom, bottom].into_iter().zip(CORNERS).filter(|(red, _)| *red);
    let reds: String = reds.map(|(_, (from, to, corner))| format!("M{from}L{to}{corner}")).collect();
    let blues = [(left && !bottom, "M-60 0L0 34.6"), (right && !top, "M60 0L0-34.6")];
    let blues: String = blues.into_iter().filter_map(|(here, line)| here.then_some(line)).collect();
    let mut beyond = String::new();
    if !blues.is_empty() {
        let inside = "M-30-17.3L0-34.6L30-17.3V17.3L0 34.6L-30 17.3z";
        beyond = format!("{}<path d=\"{inside}\" fill=\"{}\"/>", band(&blues, Seat::Second), palette::OPEN_CELL);
    }
    if !reds.is_empty() {
        beyond += &format!("<path d=\"{reds}\" fill=\"{}\"/>", palette::CRIMSON);
    }
    let lines: String = CORNERS.iter().map(|(from, to, _)| format!("M{from}L{to}")).collect();
    let rule = format!(
        "<path d=\"{lines}M-30-17.3V17.3M30-17.3V17.3\" stroke=\"{}\" stroke-width=\"2\"/>",
        palette::GRID_LINE
    );
    let stone = board.cells.get(cell).copied().flatten();
    let look = stone.map(|seat| (seat, board.styles[seat.index()]));
    let stone = look.map_or(String::new(), |(seat, look)| piece_symbol("stone", look.glyph.form, seat, look.ink, 58));
    let last = board.last.contains(&cell);
    let ring = if last {
        format!(
            "<path d=\"M-22-12.7V12.7L0 25.4L22 12.7V-12.7L0-25.4z\" stroke=\"{}\" stroke-width=\"3\"/>",
            palette::INK
        )
    } else {
        String::new()
    };
    let body = format!(
        "{}<g fill=\"none\">{beyond}{rule}{stone}{ring}</g>\n",
        tile_board::background(CELL_WIDTH, ROW_STEP, palette::OPEN_CELL)
    );
    let words = tile_board::alt_text(
        &name_with_origin(RowOrigin::Top, cell, size, size),
        look.map(|(_, look)| look.glyph.name),
        last,
    );
    Tile { cell: Some(cell), alt_text: words, width: CELL_WIDTH, svg: centered_svg(CELL_WIDTH, ROW_STEP, &body) }
}

fn letter_style() -> String {
    format!("font-family=\"system-ui,sans-serif\" font-size=\"22\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED)
}
