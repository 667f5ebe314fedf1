//! The board in small pictures, a square each: a dark one that is free shows its number.

use game::board::drawing::{palette, ring_symbol, source_symbol};
use game::board::tile_board::{self, Tile, TileBoard, TileRow, centered_svg};

use crate::checkers::board::drawing::{PIECE_RADIUS, SQUARE_SIZE, piece_symbol};
use crate::checkers::board::{BoardPiece, CheckersBoard};

/// Returns the board in small pictures; its cells are the numbers of the dark squares.
pub fn tile_board(board: &CheckersBoard) -> TileBoard {
    let square = |row: usize, column: usize| match CheckersBoard::square_number(row, column) {
        Some(number) => tile(board, number),
        None => Tile::margin(
            SQUARE_SIZE,
            centered_svg(
                SQUARE_SIZE,
                SQUARE_SIZE,
                &tile_board::background(SQUARE_SIZE, SQUARE_SIZE, palette::LIGHT_SQUARE),
            ),
        ),
    };
    let row = |row: usize| {
        let tiles = (0..8).map(|column| square(row, column)).collect();
        TileRow { name: Some(format!("Row {}", row + 1)), tiles }
    };
    TileBoard { rows: (0..8).map(row).collect(), page_width: 480 }
}

fn tile(board: &CheckersBoard, number: u8) -> Tile {
    let (man, place) = (board.piece(number), board.last_move.iter().position(|last| *last == number));
    let field = if place.is_some() { palette::GLOW } else { palette::DARK_SQUARE };
    let mut body = tile_board::background(SQUARE_SIZE, SQUARE_SIZE, field);
    let sign = match place {
        Some(0) => ring_symbol("last", PIECE_RADIUS as usize + 3),
        Some(_) if place.map(|place| place + 1) == Some(board.last_move.len()) => source_symbol(),
        _ => String::new(),
    };
    match man {
        Some(man) => {
            // Without a number beside it there is room for a larger one.
            let style = "transform=\"scale(1.2)\" stroke-width=\"2\" stroke-linejoin=\"round\"";
            body += &format!("<g {style}>{}{sign}</g>\n", piece_symbol(man));
        }
        None => {
            let style = format!("font-size=\"21\" fill=\"{}\" text-anchor=\"middle\"", palette::INK);
            let around = if sign.is_empty() { sign } else { format!("<g transform=\"scale(1.7)\">{sign}</g>") };
            body += &format!("{around}<text y=\"8\" font-family=\"system-ui,sans-serif\" {style}>{number}</text>\n");
        }
    }
    let content = man.map(|BoardPiece { seat, is_king: king }| {
        let side = ["black", "white"][seat.index()];
        format!("{side} {}", if king { "king" } else { "man" })
    });
    let words = tile_board::alt_text(&number.to_string(), content.as_deref(), place == Some(0));
    Tile {
        cell: Some(usize::from(number)),
        alt_text: words,
        width: SQUARE_SIZE,
        svg: centered_svg(SQUARE_SIZE, SQUARE_SIZE, &body),
    }
}
