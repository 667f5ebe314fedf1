//! Boards made of small SVG tiles, for pages where each cell is a link.
//!
//! Cells that look the same have byte-identical tiles, so a page needs few files.

use crate::{palette, spaced_letters};

/// The end of a free cell's alt text.
pub const FREE_SUFFIX: &str = ": free";

/// A board as rows of adjacent tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileBoard {
    /// The rows from the top. All are equally wide.
    pub rows: Vec<TileRow>,
    /// The maximum width on a page, in CSS pixels.
    pub page_width: usize,
}

/// A row of tiles. All are equally high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileRow {
    /// The heading for moves into this row, or `None` if it has no cells.
    pub name: Option<String>,
    /// The tiles from the left.
    pub tiles: Vec<Tile>,
}

/// A tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The cell, or `None` for a tile of the margin.
    pub cell: Option<usize>,
    /// The alt text: the cell and its piece. Empty for tiles of the margin.
    pub alt_text: String,
    /// The width in SVG units.
    pub width: u32,
    /// The SVG file.
    pub svg: String,
}

impl TileBoard {
    /// Returns the width in SVG units.
    pub fn width(&self) -> u32 {
        let width = |row: &TileRow| row.tiles.iter().map(|tile| tile.width).sum();
        self.rows.iter().map(width).max().unwrap_or_default()
    }

    /// Returns the width of the narrowest cell in SVG units.
    pub fn narrowest_cell(&self) -> u32 {
        let cells = self.rows.iter().flat_map(|row| &row.tiles).filter(|tile| tile.cell.is_some());
        cells.map(|tile| tile.width).min().unwrap_or_default()
    }

    /// Returns the row of a cell, or `None` if the cell isn't on the board.
    pub fn row_of(&self, cell: usize) -> Option<&TileRow> {
        self.rows.iter().find(|row| row.tiles.iter().any(|tile| tile.cell == Some(cell)))
    }
}

impl Tile {
    /// Returns a tile of the margin.
    pub fn margin(width: u32, svg: String) -> Tile {
        Tile { cell: None, alt_text: String::new(), width, svg }
    }

    /// Returns an empty tile of the margin.
    pub fn blank(width: u32, height: u32) -> Tile {
        Tile::margin(width, centered_svg(width, height, &background(width, height, palette::PAPER)))
    }
}

/// Returns an SVG file of this size with the origin at its center.
pub fn centered_svg(width: u32, height: u32, body: &str) -> String {
    let (left, top) = (width / 2, height / 2);
    cropped_svg(width, height, &format!("-{left} -{top} {width} {height}"), body)
}

/// Returns an SVG file of this size that shows the part of a drawing given by `view_box`.
pub fn cropped_svg(width: u32, height: u32, view_box: &str, body: &str) -> String {
    let dark_mode_css = palette::dark_mode_css(body);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"{view_box}\">\n\
         <style>\n{dark_mode_css}</style>\n{body}</svg>\n"
    )
}

/// Returns the background of a tile. It extends beyond the edges, because scaling could show gaps between tiles.
pub fn background(width: u32, height: u32, fill: &str) -> String {
    let (double_width, double_height) = (width * 2, height * 2);
    format!("<path d=\"M-{width}-{height}h{double_width}v{double_height}h-{double_width}z\" fill=\"{fill}\"/>\n")
}

/// Returns the line along the edges of a square tile.
pub fn edge(size: u32, color: &str) -> String {
    let half = size / 2;
    format!(
        "<path d=\"M-{half}-{half}h{size}v{size}h-{size}z\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n"
    )
}

/// Returns the tile with a row's number in the left margin. It is as high as a cell and 3/5 as wide.
pub fn row_number_tile(number: &str, cell: u32) -> Tile {
    let width = cell * 3 / 5;
    let (paper, style) = (background(width, cell, palette::PAPER), label_style(cell));
    let text = format!("<text y=\"{}\" {style}>{number}</text>\n", cell * 4 / 25);
    Tile::margin(width, centered_svg(width, cell, &(paper + &text)))
}

/// Returns the row with the column letters below a board. `columns` holds the center of each column, from the left
/// edge, and its letter.
pub fn column_letters_row(columns: impl Iterator<Item = (u32, char)>, width: u32, cell: u32) -> TileRow {
    let (height, half) = (cell * 3 / 5, i64::from(width / 2));
    let columns = columns.map(|(center, letter)| (i64::from(center) - half, letter));
    let body = format!(
        "{}<g {}>{}</g>\n",
        background(width, height, palette::PAPER),
        label_style(cell),
        spaced_letters(columns, cell * 3 / 25)
    );
    TileRow { name: None, tiles: vec![Tile::margin(width, centered_svg(width, height, &body))] }
}

/// Returns the alt text of a cell: `c3: X, last move`.
pub fn alt_text(cell: &str, piece: Option<&str>, is_last_move: bool) -> String {
    let piece = piece.map_or(FREE_SUFFIX.to_owned(), |piece| format!(": {piece}"));
    format!("{cell}{piece}{}", if is_last_move { ", last move" } else { "" })
}

/// Returns the SVG attributes of labels next to cells of this size.
fn label_style(cell: u32) -> String {
    let (size, color) = (cell * 2 / 5, palette::MUTED);
    format!("font-family=\"system-ui,sans-serif\" font-size=\"{size}\" fill=\"{color}\" text-anchor=\"middle\"")
}
