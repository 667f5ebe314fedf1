//! The board in small pictures, a square each: a dark one that is free shows its number.

use game::board::drawing::{ghost, palette, ring};
use game::board::mosaic::{self, Mosaic, Row, Tile, picture};

use crate::checkers::board::drawing::{RADIUS, SIDE, symbol};
use crate::checkers::board::{Checkered, Man};

/// Returns the board in small pictures; its cells are the numbers of the dark squares.
pub fn mosaic(board: &Checkered) -> Mosaic {
    let square = |row: usize, column: usize| match Checkered::number(row, column) {
        Some(number) => tile(board, number),
        None => Tile::around(SIDE, picture(SIDE, SIDE, &mosaic::ground(SIDE, SIDE, palette::LIGHT_SQUARE))),
    };
    let row = |row: usize| {
        let tiles = (0..8).map(|column| square(row, column)).collect();
        Row { name: Some(format!("Row {}", row + 1)), tiles }
    };
    Mosaic { rows: (0..8).map(row).collect(), page_width: 480 }
}

fn tile(board: &Checkered, number: u8) -> Tile {
    let (man, place) = (board.man(number), board.last.iter().position(|last| *last == number));
    let field = if place.is_some() { palette::GLOW } else { palette::DARK_SQUARE };
    let mut body = mosaic::ground(SIDE, SIDE, field);
    let sign = match place {
        Some(0) => ring("last", RADIUS as usize + 3),
        Some(_) if place.map(|place| place + 1) == Some(board.last.len()) => ghost(),
        _ => String::new(),
    };
    match man {
        Some(man) => {
            // Without a number beside it there is room for a larger one.
            let style = "transform=\"scale(1.2)\" stroke-width=\"2\" stroke-linejoin=\"round\"";
            body += &format!("<g {style}>{}{sign}</g>\n", symbol(man));
        }
        None => {
            let style = format!("font-size=\"21\" fill=\"{}\" text-anchor=\"middle\"", palette::INK);
            let around = if sign.is_empty() { sign } else { format!("<g transform=\"scale(1.7)\">{sign}</g>") };
            body += &format!("{around}<text y=\"8\" font-family=\"system-ui,sans-serif\" {style}>{number}</text>\n");
        }
    }
    let content = man.map(|Man { seat, king }| {
        let side = ["black", "white"][seat.index()];
        format!("{side} {}", if king { "king" } else { "man" })
    });
    let words = mosaic::words(&number.to_string(), content.as_deref(), place == Some(0));
    Tile { cell: Some(usize::from(number)), words, width: SIDE, picture: picture(SIDE, SIDE, &body) }
}
