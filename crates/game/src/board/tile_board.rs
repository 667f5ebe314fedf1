//! Boards in small pictures, for pages on which each cell is a link. Cells that look alike have the same picture, to the last
//! byte, so that a page needs few of them.

use crate::board::drawing::{palette, spaced_letters};

/// The words behind the name of a cell with nothing on it.
pub const FREE_SUFFIX: &str = ": free";

/// A board in rows of pictures that touch each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileBoard {
    /// The rows from the top, all equally wide.
    pub rows: Vec<TileRow>,
    /// The width on a page, in pixels; a narrow screen shows it narrower.
    pub page_width: usize,
}

/// A row of a mosaic; the pictures in it are equally high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileRow {
    /// The name by which moves into this row are listed; `None` where no cell lies in it.
    pub name: Option<String>,
    /// The pictures from the left.
    pub tiles: Vec<Tile>,
}

/// A picture of a mosaic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The cell that it shows; `None` for what lies around the cells.
    pub cell: Option<usize>,
    /// The cell and what stands on it, in plain words; empty where there is nothing to say.
    pub alt_text: String,
    /// The width, in the unit of the drawing.
    pub width: u32,
    /// The picture: a whole SVG file.
    pub svg: String,
}

impl TileBoard {
    /// Returns the width of all rows, in the unit of the drawing.
    pub fn width(&self) -> u32 {
        let width = |row: &TileRow| row.tiles.iter().map(|tile| tile.width).sum();
        self.rows.iter().map(width).max().unwrap_or_default()
    }

    /// Returns the width of the narrowest cell.
    pub fn narrowest_cell(&self) -> u32 {
        let cells = self.rows.iter().flat_map(|row| &row.tiles).filter(|tile| tile.cell.is_some());
        cells.map(|tile| tile.width).min().unwrap_or_default()
    }

    /// Returns the row that a cell lies in; `None` for a cell that is not on the board.
    pub fn row_of(&self, cell: usize) -> Option<&TileRow> {
        self.rows.iter().find(|row| row.tiles.iter().any(|tile| tile.cell == Some(cell)))
    }
}

impl Tile {
    /// Returns a picture of what lies around the cells.
    pub fn margin(width: u32, picture: String) -> Tile {
        Tile { cell: None, alt_text: String::new(), width, svg: picture }
    }

    /// Returns bare paper.
    pub fn blank(width: u32, height: u32) -> Tile {
        Tile::margin(width, centered_svg(width, height, &background(width, height, palette::PAPER)))
    }
}

/// Returns an SVG file of this size whose origin is in the middle.
pub fn centered_svg(width: u32, height: u32, body: &str) -> String {
    let (left, top) = (width / 2, height / 2);
    cropped_svg(width, height, &format!("-{left} -{top} {width} {height}"), body)
}

/// Returns an SVG file of this size that shows a part of a drawing.
pub fn cropped_svg(width: u32, height: u32, view: &str, body: &str) -> String {
    let night = palette::dark_mode_css(body);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"{view}\">\n\
         <style>\n{night}</style>\n{body}</svg>\n"
    )
}

/// Returns what fills a picture. It reaches beyond the edges: scaled to a fraction of a pixel, they would shine through.
pub fn background(width: u32, height: u32, fill: &str) -> String {
    let (wide, high) = (width * 2, height * 2);
    format!("<path d=\"M-{width}-{height}h{wide}v{high}h-{wide}z\" fill=\"{fill}\"/>\n")
}

/// Returns the margin at the left of a row, with its number: as high as a cell, and 3/5 as wide.
pub fn row_number_tile(number: &str, cell: u32) -> Tile {
    let width = cell * 3 / 5;
    let (paper, letters) = (background(width, cell, palette::PAPER), label_style(cell));
    let text = format!("<text y=\"{}\" {letters}>{number}</text>\n", cell * 4 / 25);
    Tile::margin(width, centered_svg(width, cell, &(paper + &text)))
}

/// Returns the margin below a board, as wide as all of it, with a letter for each column: its middle, counted from the left.
pub fn column_letters_row(columns: impl Iterator<Item = (u32, char)>, width: u32, cell: u32) -> TileRow {
    let (height, half) = (cell * 3 / 5, i64::from(width / 2));
    let columns = columns.map(|(at, letter)| (i64::from(at) - half, letter));
    let body = format!(
        "{}<g {}>{}</g>\n",
        background(width, height, palette::PAPER),
        label_style(cell),
        spaced_letters(columns, cell * 3 / 25)
    );
    TileRow { name: None, tiles: vec![Tile::margin(width, centered_svg(width, height, &body))] }
}

/// Returns the words for a cell: `c3: X, last move`.
pub fn alt_text(cell: &str, content: Option<&str>, last: bool) -> String {
    let content = content.map_or(FREE_SUFFIX.to_owned(), |content| format!(": {content}"));
    format!("{cell}{content}{}", if last { ", last move" } else { "" })
}

/// Returns the style of letters beside cells of this size.
fn label_style(cell: u32) -> String {
    let (size, color) = (cell * 2 / 5, palette::MUTED);
    format!("font-family=\"system-ui,sans-serif\" font-size=\"{size}\" fill=\"{color}\" text-anchor=\"middle\"")
}
