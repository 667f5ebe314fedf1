//! The board as tiles, one for each square. Free dark squares show their number.

use game::board::drawing::{palette, ring_symbol, source_symbol};
use game::board::tile_board::{self, Tile, TileBoard, TileRow, centered_svg};

use crate::checkers::board::drawing::{PIECE_RADIUS, SQUARE_SIZE, piece_symbol};
use crate::checkers::board::{BoardPiece, CheckersBoard};

/// Returns the board as tiles. The cells are the numbers of the dark squares.
pub fn tile_board(board: &CheckersBoard) -> TileBoard {
    let square = |row: usize, column: usize| match board.square_number(row, column) {
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
        let number = if board.is_turned() { 8 - row } else { row + 1 };
        TileRow { name: Some(format!("Row {number}")), tiles }
    };
    TileBoard { rows: (0..8).map(row).collect(), page_width: 480 }
}

fn tile(board: &CheckersBoard, number: u8) -> Tile {
    let (piece, step) = (board.piece(number), board.last_move.iter().position(|last| *last == number));
    let color = if step.is_some() { palette::GLOW } else { palette::DARK_SQUARE };
    let mut body = tile_board::background(SQUARE_SIZE, SQUARE_SIZE, color);
    let mark = match step {
        Some(0) => ring_symbol("last", PIECE_RADIUS as usize + 3),
        Some(_) if step.map(|step| step + 1) == Some(board.last_move.len()) => source_symbol(),
        _ => String::new(),
    };
    match piece {
        Some(piece) => {
            // The tile has no number, so the piece can be larger.
            let style = "transform=\"scale(1.2)\" stroke-width=\"2\" stroke-linejoin=\"round\"";
            body += &format!("<g {style}>{}{mark}</g>\n", piece_symbol(piece));
        }
        None => {
            let style = format!("font-size=\"21\" fill=\"{}\" text-anchor=\"middle\"", palette::INK);
            let mark = if mark.is_empty() { mark } else { format!("<g transform=\"scale(1.7)\">{mark}</g>") };
            body += &format!("{mark}<text y=\"8\" font-family=\"system-ui,sans-serif\" {style}>{number}</text>\n");
        }
    }
    let name = piece.map(|BoardPiece { seat, is_king }| {
        let side = ["black", "white"][seat.index()];
        format!("{side} {}", if is_king { "king" } else { "man" })
    });
    let alt_text = tile_board::alt_text(&number.to_string(), name.as_deref(), step == Some(0));
    Tile {
        cell: Some(usize::from(number)),
        alt_text,
        width: SQUARE_SIZE,
        svg: centered_svg(SQUARE_SIZE, SQUARE_SIZE, &body),
    }
}
