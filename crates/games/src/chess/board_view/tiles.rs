//! The board in small pictures, a square each.

use std::iter::once;

use cozy_chess::Piece;
use game::board::drawing::{corners_symbol, palette, source_symbol};
use game::board::tile_board::{self, Tile, TileBoard, TileRow, centered_svg};
use game::seat::Seat;

use crate::chess::board_view::drawing::{SQUARE_SIZE, check_symbol};
use crate::chess::board_view::piece_shapes::symbol;
use crate::chess::board_view::{BoardView, ColoredPiece};
use crate::chess::names::{color_name, piece_name as name, to_color};

/// The style of men.
const PIECE_STYLE: &str = "fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";

/// Returns the board in small pictures; its cells are squares in the order of [`cozy_chess::Square::ALL`].
pub fn mosaic(squares: &BoardView) -> TileBoard {
    let row = |row: usize| {
        let rank = squares.square_at(row, 0).rank().to_string();
        let tiles = (0..8).map(|column| square_tile(squares, row, column));
        TileRow {
            name: Some(format!("Row {rank}")),
            tiles: once(tile_board::row_number_tile(&rank, SQUARE_SIZE)).chain(tiles).collect(),
        }
    };
    let mut mosaic = TileBoard { rows: (0..8).map(row).collect(), page_width: 480 };
    let margin = mosaic.width() - 8 * SQUARE_SIZE;
    let files = (0..8).map(|column| {
        (margin + column as u32 * SQUARE_SIZE + SQUARE_SIZE / 2, char::from(squares.square_at(0, column).file()))
    });
    mosaic.rows.push(tile_board::column_letters_row(files, mosaic.width(), SQUARE_SIZE));
    let (above, below) =
        (captured_row(squares, squares.viewer, margin), captured_row(squares, squares.viewer.other(), margin));
    mosaic.rows = above.into_iter().chain(mosaic.rows).chain(below).collect();
    mosaic
}

/// Returns the men that a seat has lost, on the side of the player who has taken them; `None` if it has lost none.
fn captured_row(squares: &BoardView, seat: Seat, margin: u32) -> Option<TileRow> {
    let (width, height) = (SQUARE_SIZE / 2, SQUARE_SIZE * 3 / 5);
    let men = &squares.captured[seat.index()];
    let tile = |piece: &Piece| {
        let man = symbol(ColoredPiece { seat, piece: *piece });
        let man = format!("<g transform=\"scale(.5)\" {PIECE_STYLE}>{man}</g>\n");
        let picture = centered_svg(width, height, &(tile_board::background(width, height, palette::PAPER) + &man));
        Tile {
            alt_text: format!("lost: {} {}", color_name(to_color(seat)), name(*piece)),
            ..Tile::margin(width, picture)
        }
    };
    let rest = (8 * SQUARE_SIZE).saturating_sub(men.len() as u32 * width);
    let tiles = once(Tile::blank(margin, height)).chain(men.iter().map(tile)).chain(once(Tile::blank(rest, height)));
    (!men.is_empty()).then(|| TileRow { name: None, tiles: tiles.collect() })
}

fn square_tile(squares: &BoardView, row: usize, column: usize) -> Tile {
    let square = squares.square_at(row, column);
    let (man, checked) = (squares.piece_at(square), squares.checked_king == Some(square));
    let field = match (row + column) % 2 {
        _ if squares.last_move.contains(&square) => palette::GLOW,
        0 => palette::LIGHT_SQUARE,
        _ => palette::DARK_SQUARE,
    };
    let check = if checked { check_symbol() } else { String::new() };
    let symbol = man.map_or(String::new(), symbol);
    let end = match squares.last_move.iter().position(|last| *last == square) {
        Some(0) => corners_symbol("last", SQUARE_SIZE / 2 - 4, 3, true),
        Some(1) => source_symbol(),
        _ => String::new(),
    };
    let mut body = tile_board::background(SQUARE_SIZE, SQUARE_SIZE, field);
    if !(check.is_empty() && symbol.is_empty() && end.is_empty()) {
        body += &format!("<g {PIECE_STYLE}>{check}{symbol}{end}</g>\n");
    }
    let content = man.map(|ColoredPiece { seat, piece }| format!("{} {}", color_name(to_color(seat)), name(piece)));
    let mut words =
        tile_board::alt_text(&square.to_string(), content.as_deref(), squares.last_move.first() == Some(&square));
    if checked {
        words += ", in check";
    }
    Tile {
        cell: Some(square as usize),
        alt_text: words,
        width: SQUARE_SIZE,
        svg: centered_svg(SQUARE_SIZE, SQUARE_SIZE, &body),
    }
}
