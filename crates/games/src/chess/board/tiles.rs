//! The board as a table of small pictures, one for each square.

use std::iter::once;

use cozy_chess::Piece;
use game::board::drawing::{corners_symbol, palette, source_symbol};
use game::board::tile_board::{self, Tile, TileBoard, TileRow, centered_svg};
use game::seat::Seat;

use crate::chess::board::drawing::{SQUARE_SIZE, check_symbol};
use crate::chess::board::piece_shapes::symbol;
use crate::chess::board::{ChessBoard, ColoredPiece};
use crate::chess::names::{color_name, piece_name, to_color};

/// The SVG style of pieces.
const PIECE_STYLE: &str = "fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";

/// Returns the board as tiles. Cells are numbered in the order of [`cozy_chess::Square::ALL`].
pub fn draw_tiles(view: &ChessBoard) -> TileBoard {
    let row = |row: usize| {
        let rank = view.square_at(row, 0).rank().to_string();
        let tiles = (0..8).map(|column| square_tile(view, row, column));
        TileRow {
            name: Some(format!("Row {rank}")),
            tiles: once(tile_board::row_number_tile(&rank, SQUARE_SIZE)).chain(tiles).collect(),
        }
    };
    let mut board = TileBoard { rows: (0..8).map(row).collect(), page_width: 480 };
    let margin = board.width() - 8 * SQUARE_SIZE;
    let files = (0..8).map(|column| {
        (margin + column as u32 * SQUARE_SIZE + SQUARE_SIZE / 2, char::from(view.square_at(0, column).file()))
    });
    board.rows.push(tile_board::column_letters_row(files, board.width(), SQUARE_SIZE));
    let (above, below) = (captured_row(view, view.viewer, margin), captured_row(view, view.viewer.other(), margin));
    board.rows = above.into_iter().chain(board.rows).chain(below).collect();
    board
}

/// Returns a row with the pieces that a seat has lost; `None` if it has lost none.
fn captured_row(view: &ChessBoard, seat: Seat, margin: u32) -> Option<TileRow> {
    let captured = &view.captured[seat.index()];
    if captured.is_empty() {
        return None;
    }
    let (width, height) = (SQUARE_SIZE / 2, SQUARE_SIZE * 3 / 5);
    let tile = |piece: &Piece| {
        let symbol = symbol(ColoredPiece { seat, piece: *piece });
        let shape = format!("<g transform=\"scale(.5)\" {PIECE_STYLE}>{symbol}</g>\n");
        let svg = centered_svg(width, height, &(tile_board::background(width, height, palette::PAPER) + &shape));
        let alt_text = format!("lost: {} {}", color_name(to_color(seat)), piece_name(*piece));
        Tile { alt_text, ..Tile::margin(width, svg) }
    };
    let rest = (8 * SQUARE_SIZE).saturating_sub(captured.len() as u32 * width);
    let tiles =
        once(Tile::blank(margin, height)).chain(captured.iter().map(tile)).chain(once(Tile::blank(rest, height)));
    Some(TileRow { name: None, tiles: tiles.collect() })
}

fn square_tile(view: &ChessBoard, row: usize, column: usize) -> Tile {
    let square = view.square_at(row, column);
    let (piece, is_checked) = (view.piece_at(square), view.checked_king == Some(square));
    let color = if view.last_move.contains(&square) {
        palette::GLOW
    } else if (row + column).is_multiple_of(2) {
        palette::LIGHT_SQUARE
    } else {
        palette::DARK_SQUARE
    };
    let check = if is_checked { check_symbol() } else { String::new() };
    let symbol = piece.map_or(String::new(), symbol);
    let mark = match view.last_move.iter().position(|marked| *marked == square) {
        Some(0) => corners_symbol("last", SQUARE_SIZE / 2 - 4, 3, true),
        Some(1) => source_symbol(),
        _ => String::new(),
    };
    let mut body = tile_board::background(SQUARE_SIZE, SQUARE_SIZE, color);
    if !(check.is_empty() && symbol.is_empty() && mark.is_empty()) {
        body += &format!("<g {PIECE_STYLE}>{check}{symbol}{mark}</g>\n");
    }
    let content =
        piece.map(|ColoredPiece { seat, piece }| format!("{} {}", color_name(to_color(seat)), piece_name(piece)));
    let is_target = view.last_move.first() == Some(&square);
    let mut alt_text = tile_board::alt_text(&square.to_string(), content.as_deref(), is_target);
    if is_checked {
        alt_text += ", in check";
    }
    let svg = centered_svg(SQUARE_SIZE, SQUARE_SIZE, &body);
    Tile { cell: Some(square as usize), alt_text, width: SQUARE_SIZE, svg }
}
