//! The nine boards as clickable tiles.

use game::board::drawing::pieces::piece_symbol;
use game::board::drawing::{corners_symbol, palette};
use game::board::piece::{Piece, PieceStyle};
use game::board::tile_board::{self, Tile, TileBoard, TileRow};
use game::cell;
use game::seat::Seat;

use crate::ultimate_tic_tac_toe::board::drawing::drawn_symbol;
use crate::ultimate_tic_tac_toe::board::{BoardStatus, SIDE, SIZE, UltimateBoard, board_of};
use crate::xo::STYLES;

/// The size of a cell's tile, in pixels.
const TILE_SIZE: u32 = 40;
/// The gap between two boards of tiles, in pixels.
const TILE_GAP: u32 = 8;

/// Returns the boards as tiles.
pub fn tile_board(board: &UltimateBoard, playable: &dyn Fn(usize) -> bool) -> TileBoard {
    let mut tile_board = TileBoard { rows: Vec::new(), page_width: 500 };
    for row in 0..SIZE {
        if row > 0 && row % SIDE == 0 {
            let tiles = vec![Tile::blank(tile_board.width(), TILE_GAP)];
            tile_board.rows.push(TileRow { name: None, tiles });
        }
        let label = (SIZE - row).to_string();
        let mut tiles = vec![tile_board::row_number_tile(&label, TILE_SIZE)];
        for column in 0..SIZE {
            if column > 0 && column % SIDE == 0 {
                tiles.push(Tile::blank(TILE_GAP, TILE_SIZE));
            }
            let cell = row * SIZE + column;
            tiles.push(tile(board, cell, playable(cell)));
        }
        tile_board.rows.push(TileRow { name: Some(format!("Row {label}")), tiles });
    }
    let width = tile_board.width();
    let center = |column: u32| {
        width - (SIZE as u32 - column) * TILE_SIZE + TILE_SIZE / 2 - (2 - column / SIDE as u32) * TILE_GAP
    };
    tile_board.rows.push(tile_board::column_letters_row((0..).map(center).zip('a'..='i'), width, TILE_SIZE));
    tile_board
}

/// Returns the tile of a cell. On a finished board, this is a ninth of the board's symbol.
fn tile(board: &UltimateBoard, cell: usize, playable: bool) -> Tile {
    let (number, half) = (board_of(cell), TILE_SIZE / 2);
    let mark = board.cells.get(cell).copied().flatten();
    let is_last_move = board.last_move.contains(&cell);
    match board.statuses.get(number) {
        Some(BoardStatus::Won(seat)) => return finished_board_tile(board, cell, Some(*seat)),
        Some(BoardStatus::Drawn) => return finished_board_tile(board, cell, None),
        _ => {}
    }
    let line =
        if board.statuses.get(number) == Some(&BoardStatus::Active) { palette::ACTIVE } else { palette::GRID_LINE };
    let mut body = tile_board::background(TILE_SIZE, TILE_SIZE, palette::OPEN_CELL);
    body += &format!(
        "<path d=\"M-{half}-{half}h{TILE_SIZE}v{TILE_SIZE}h-{TILE_SIZE}z\" fill=\"none\" stroke=\"{line}\" stroke-width=\"2\"/>\n"
    );
    if playable {
        body += &format!("<circle r=\"4\" fill=\"{}\"/>\n", palette::ACTIVE);
    }
    if let Some(Piece { seat, glyph }) = mark {
        let symbol = piece_symbol("mark", glyph.form, seat, STYLES[seat.index()].ink, TILE_SIZE as usize);
        let corners = if is_last_move { corners_symbol("last", TILE_SIZE * 2 / 5, 3, false) } else { String::new() };
        body += &format!("<g fill=\"none\" stroke-linecap=\"round\">{symbol}{corners}</g>\n");
    }
    let name = cell::name(cell, SIZE, SIZE);
    Tile {
        cell: Some(cell),
        alt_text: tile_board::alt_text(&name, mark.map(|mark| mark.glyph.name), is_last_move),
        width: TILE_SIZE,
        svg: tile_board::centered_svg(TILE_SIZE, TILE_SIZE, &body),
    }
}

/// Returns a ninth of a finished board, with the symbol of its winner or of a draw. The alt text is on the middle tile.
fn finished_board_tile(board: &UltimateBoard, cell: usize, winner: Option<Seat>) -> Tile {
    let (number, size) = (board_of(cell), SIDE as u32 * TILE_SIZE);
    let (right, down) = ((cell % SIDE) as u32 * TILE_SIZE, (cell / SIZE % SIDE) as u32 * TILE_SIZE);
    let view = format!(
        "{} {} {TILE_SIZE} {TILE_SIZE}",
        i64::from(right) - i64::from(size / 2),
        i64::from(down) - i64::from(size / 2)
    );
    let (symbol, status) = match winner {
        Some(seat) => {
            let PieceStyle { ink, glyph } = STYLES[seat.index()];
            (piece_symbol("whole", glyph.form, seat, ink, size as usize), format!("won by {}", glyph.name))
        }
        None => (drawn_symbol(size as usize), "drawn".to_owned()),
    };
    let has_last_move = board.last_move.iter().any(|last| board_of(*last) == number);
    let corners = if has_last_move { corners_symbol("last", size / 2 - 8, 4, false) } else { String::new() };
    let half = size / 2;
    let edge = format!("M-{half}-{half}h{size}v{size}h-{size}z");
    let body = format!(
        "{}<g fill=\"none\" stroke-linecap=\"round\"><path d=\"{edge}\" stroke=\"{}\" stroke-width=\"2\"/>{symbol}{corners}</g>\n",
        tile_board::background(size, size, palette::CLOSED_CELL),
        palette::GRID_LINE
    );
    let is_middle = cell / SIZE % SIDE * SIDE + cell % SIDE == SIZE / 2;
    Tile {
        cell: Some(cell),
        alt_text: if is_middle { format!("board {number}: {status}") } else { String::new() },
        width: TILE_SIZE,
        svg: tile_board::cropped_svg(TILE_SIZE, TILE_SIZE, &view, &body),
    }
}
