//! The board in small pictures, a square each.

use std::iter::once;

use cozy_chess::Piece;
use game::board::drawing::{corners, ghost, palette};
use game::board::mosaic::{self, Mosaic, Row, Tile, picture};
use game::seat::Seat;

use crate::chess::names::{color, piece as name, side};
use crate::chess::squares::drawing::{SIDE, burst};
use crate::chess::squares::men::symbol;
use crate::chess::squares::{Man, Squares};

/// The style of men.
const STYLE: &str = "fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";

/// Returns the board in small pictures; its cells are squares in the order of [`cozy_chess::Square::ALL`].
pub fn mosaic(squares: &Squares) -> Mosaic {
    let row = |row: usize| {
        let rank = squares.square(row, 0).rank().to_string();
        let tiles = (0..8).map(|column| tile(squares, row, column));
        Row { name: Some(format!("Row {rank}")), tiles: once(mosaic::number(&rank, SIDE)).chain(tiles).collect() }
    };
    let mut mosaic = Mosaic { rows: (0..8).map(row).collect(), page_width: 480 };
    let margin = mosaic.width() - 8 * SIDE;
    let files =
        (0..8).map(|column| (margin + column as u32 * SIDE + SIDE / 2, char::from(squares.square(0, column).file())));
    mosaic.rows.push(mosaic::letters(files, mosaic.width(), SIDE));
    let (above, below) = (lost(squares, squares.view, margin), lost(squares, squares.view.other(), margin));
    mosaic.rows = above.into_iter().chain(mosaic.rows).chain(below).collect();
    mosaic
}

/// Returns the men that a seat has lost, on the side of the player who has taken them; `None` if it has lost none.
fn lost(squares: &Squares, seat: Seat, margin: u32) -> Option<Row> {
    let (width, height) = (SIDE / 2, SIDE * 3 / 5);
    let men = &squares.captured[seat.index()];
    let tile = |piece: &Piece| {
        let man = symbol(Man { seat, piece: *piece });
        let man = format!("<g transform=\"scale(.5)\" {STYLE}>{man}</g>\n");
        let picture = picture(width, height, &(mosaic::ground(width, height, palette::PAPER) + &man));
        Tile { words: format!("lost: {} {}", side(color(seat)), name(*piece)), ..Tile::around(width, picture) }
    };
    let rest = (8 * SIDE).saturating_sub(men.len() as u32 * width);
    let tiles = once(Tile::paper(margin, height)).chain(men.iter().map(tile)).chain(once(Tile::paper(rest, height)));
    (!men.is_empty()).then(|| Row { name: None, tiles: tiles.collect() })
}

fn tile(squares: &Squares, row: usize, column: usize) -> Tile {
    let square = squares.square(row, column);
    let (man, checked) = (squares.man(square), squares.check == Some(square));
    let field = match (row + column) % 2 {
        _ if squares.last.contains(&square) => palette::GLOW,
        0 => palette::LIGHT_SQUARE,
        _ => palette::DARK_SQUARE,
    };
    let check = if checked { burst() } else { String::new() };
    let symbol = man.map_or(String::new(), symbol);
    let end = match squares.last.iter().position(|last| *last == square) {
        Some(0) => corners("last", SIDE / 2 - 4, 3, true),
        Some(1) => ghost(),
        _ => String::new(),
    };
    let mut body = mosaic::ground(SIDE, SIDE, field);
    if !(check.is_empty() && symbol.is_empty() && end.is_empty()) {
        body += &format!("<g {STYLE}>{check}{symbol}{end}</g>\n");
    }
    let content = man.map(|Man { seat, piece }| format!("{} {}", side(color(seat)), name(piece)));
    let mut words = mosaic::words(&square.to_string(), content.as_deref(), squares.last.first() == Some(&square));
    if checked {
        words += ", in check";
    }
    Tile { cell: Some(square as usize), words, width: SIDE, picture: picture(SIDE, SIDE, &body) }
}
