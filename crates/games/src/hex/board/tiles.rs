//! The board in small pictures. Each is a rectangle around the middle of a cell, as high as rows are apart: the tip of the hexagon
//! above and below belongs to the next row's pictures, and the corners show a little of four neighbours.

use game::board::drawing::marks::symbol;
use game::board::drawing::{apart, palette};
use game::board::mosaic::{self, Mosaic, Row, Tile, part, picture};
use game::cell::{RowOne, name_from};
use game::seat::Seat;

use crate::hex::board::Hexagons;

/// The width of a cell, and its half.
const WIDE: u32 = 60;
const HALF: u32 = WIDE / 2;
/// How far rows are apart: the width of a cell by the square root of three quarters.
const STEP: u32 = 52;
/// The height of the margins above and below.
const ABOVE: u32 = 44;
const BELOW: u32 = 20;
/// The width of the margin with the numbers.
const NUMBER: u32 = 36;
/// The width of a band.
const BAND: u32 = 16;

/// The four corners of a picture, from the upper left one clockwise, each as the two ends of the line across it.
const CORNERS: [(&str, &str, &str); 4] = [
    ("-30-17.3", "-15-26", "L-30-26z"),
    ("30-17.3", "15-26", "L30-26z"),
    ("30 17.3", "15 26", "L30 26z"),
    ("-30 17.3", "-15 26", "L-30 26z"),
];

/// Returns the board in small pictures.
pub fn mosaic(board: &Hexagons) -> Mosaic {
    let size = board.size as u32;
    let across = NUMBER + 2 * HALF + size * WIDE + (size - 1) * HALF;
    let rows = (0..size).map(|row| {
        let label = (row + 1).to_string();
        let mut tiles = vec![indent(row * HALF, &label), edge(row > 0, row + 1 < size, -1)];
        tiles.extend((0..size).map(|column| tile(board, row as usize, column as usize)));
        tiles.push(edge(row + 1 < size, row > 0, 1));
        if row + 1 < size {
            tiles.push(Tile::paper((size - 1 - row) * HALF, STEP));
        }
        Row { name: Some(format!("Row {label}")), tiles }
    });
    let last = NUMBER + HALF + (size - 1) * HALF;
    let mut all = vec![Row { name: None, tiles: vec![bank(size, across, NUMBER + HALF, -1)] }];
    all.extend(rows);
    all.push(Row { name: None, tiles: vec![bank(size, across, last, 1)] });
    Mosaic { rows: all, page_width: (board.size * 50).clamp(320, 580) }
}

/// Returns the margin before a row, with its number at the right.
fn indent(shift: u32, label: &str) -> Tile {
    let width = NUMBER + shift;
    let letters = letters();
    let x = width - 14;
    let body =
        format!("{}<text x=\"{x}\" y=\"33\" {letters}>{label}</text>\n", mosaic::ground(width, STEP, palette::PAPER));
    Tile::around(width, part(width, STEP, &format!("0 0 {width} {STEP}"), &body))
}

/// Returns the left (-1) or the right end of a row: the second side's band, and where there is a row above (for the right end:
/// below) a bit of the cell at its end.
fn edge(above: bool, below: bool, side: i32) -> Tile {
    let (from, to) =
        (if above { "M-30-34.6L0-17.3" } else { "M0-17.3" }, if below { "V17.3L30 34.6" } else { "V17.3" });
    let (field, rule) = (palette::FIELD, palette::RULE);
    let tip = format!("<path d=\"M-15-26H0V-17.3z\" fill=\"{field}\"/>");
    let signs = format!(
        "{}{}<path d=\"{from}{to}\" stroke=\"{rule}\" stroke-width=\"2\"/>",
        band(&format!("{from}{to}"), Seat::Second),
        if above { &tip } else { "" },
    );
    let (left, turned) = if side < 0 { (-30, "") } else { (0, " transform=\"rotate(180)\"") };
    let body = format!("{}<g fill=\"none\"{turned}>{signs}</g>\n", mosaic::ground(HALF, STEP, palette::PAPER));
    Tile::around(HALF, part(HALF, STEP, &format!("{left} -26 {HALF} {STEP}"), &body))
}

/// Returns the margin above (-1) or below the board: the first side's band, and the tips of its cells; above also the letters.
fn bank(size: u32, width: u32, left: u32, side: i32) -> Tile {
    let height = if side < 0 { ABOVE } else { BELOW };
    // The tips of the cells point outwards, half of each into this margin.
    let (base, tip, back) = if side < 0 { (ABOVE, "-17.3", "17.3") } else { (0, "17.3", "-17.3") };
    let (half, half_back) = if side < 0 { ("-8.7", "8.7") } else { ("8.7", "-8.7") };
    let zigzag = format!("l30 {tip} 30 {back}").repeat(size as usize);
    let line = format!("M{left} {base}m0 {half_back}{zigzag}");
    let mut signs = band(&line, Seat::First);
    let tips: String =
        (0..size).map(|cell| format!("M{} {base}l15 {half} 15 {half_back}z", left + cell * WIDE + 15)).collect();
    signs += &format!(
        "<path d=\"{tips}\" fill=\"{}\"/><path d=\"{line}\" stroke=\"{}\" stroke-width=\"2\"/>",
        palette::FIELD,
        palette::RULE
    );
    let mut body = mosaic::ground(width, height, palette::PAPER) + &format!("<g fill=\"none\">{signs}</g>\n");
    if side < 0 {
        let columns =
            ('a'..='z').take(size as usize).zip(0..).map(|(letter, column)| (left + column * WIDE + HALF, letter));
        body += &format!("<g {}>{}</g>\n", letters(), apart(columns, 22));
    }
    Tile::around(width, part(width, height, &format!("0 0 {width} {height}"), &body))
}

/// Returns a stretch of the band along an edge. As the second side's stones have a bright middle, so have its bands.
fn band(path: &str, seat: Seat) -> String {
    let line = |color: &str, wide: u32| format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{wide}\"/>");
    match seat {
        Seat::First => line(palette::CRIMSON, BAND),
        Seat::Second => {
            line(palette::BLUE, BAND) + &line(palette::FIELD, BAND * 2 / 3) + &line(palette::BLUE, BAND * 2 / 7)
        }
    }
}

fn tile(board: &Hexagons, row: usize, column: usize) -> Tile {
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
        beyond = format!("{}<path d=\"{inside}\" fill=\"{}\"/>", band(&blues, Seat::Second), palette::FIELD);
    }
    if !reds.is_empty() {
        beyond += &format!("<path d=\"{reds}\" fill=\"{}\"/>", palette::CRIMSON);
    }
    let lines: String = CORNERS.iter().map(|(from, to, _)| format!("M{from}L{to}")).collect();
    let rule =
        format!("<path d=\"{lines}M-30-17.3V17.3M30-17.3V17.3\" stroke=\"{}\" stroke-width=\"2\"/>", palette::RULE);
    let stone = board.cells.get(cell).copied().flatten();
    let look = stone.map(|seat| (seat, board.looks[seat.index()]));
    let stone = look.map_or(String::new(), |(seat, look)| symbol("stone", look.glyph.form, seat, look.ink, 58));
    let last = board.last.contains(&cell);
    let ring = if last {
        format!(
            "<path d=\"M-22-12.7V12.7L0 25.4L22 12.7V-12.7L0-25.4z\" stroke=\"{}\" stroke-width=\"3\"/>",
            palette::INK
        )
    } else {
        String::new()
    };
    let body =
        format!("{}<g fill=\"none\">{beyond}{rule}{stone}{ring}</g>\n", mosaic::ground(WIDE, STEP, palette::FIELD));
    let words = mosaic::words(&name_from(RowOne::Top, cell, size, size), look.map(|(_, look)| look.glyph.name), last);
    Tile { cell: Some(cell), words, width: WIDE, picture: picture(WIDE, STEP, &body) }
}

fn letters() -> String {
    format!("font-family=\"system-ui,sans-serif\" font-size=\"22\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED)
}
