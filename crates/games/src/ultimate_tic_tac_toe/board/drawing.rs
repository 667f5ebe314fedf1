//! The nine boards as a drawing.

use game::board::drawing::caption::Caption;
use game::board::drawing::layout::{GridLayout, add_glow, grid_lines};
use game::board::drawing::pieces::piece_symbol;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::drawing::{Drawing, Shape, corners_symbol, palette, paper};
use game::board::piece::{Piece, ordinary_piece};
use game::seat::Seat;

use crate::ultimate_tic_tac_toe::board::{BoardStatus, SIDE, SIZE, UltimateBoard, board_of};
use crate::xo::STYLES;

/// The total width of the boards in drawings, in pixels, without the gaps.
const BOARD_LENGTH: usize = 342;
/// The gap between two boards, in pixels.
const BOARD_GAP: usize = 14;

/// Draws the boards.
pub fn draw(board: &UltimateBoard, caption: &Caption, shared: &SharedLayers) -> Drawing {
    let layout = GridLayout::new(SIZE, SIZE, BOARD_LENGTH, BOARD_GAP, SIDE);
    let mut drawing = layout.drawing(&STYLES, std::iter::empty(), !board.last_move.is_empty(), shared);
    add_symbols(&layout, &mut drawing, shared);
    draw_background(board, &layout, &mut drawing);
    let lines: Vec<Shape> = board
        .lines
        .iter()
        .filter_map(|line| layout.line_through(line, |number| board_center(&layout, number)))
        .collect();
    add_glow(&mut drawing, &lines, SIDE * layout.cell * 4 / 5);
    drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", mark_shapes(board, &layout));
    let last_move = board.last_move.iter().flat_map(|cell| {
        // A finished board hides its cells, so another marker goes around the whole board.
        let is_hidden = matches!(board.statuses.get(board_of(*cell)), Some(BoardStatus::Won(_) | BoardStatus::Drawn));
        let whole = is_hidden.then(|| Shape::mark("whole", board_center(&layout, board_of(*cell))));
        whole.into_iter().chain([Shape::mark("last", layout.cell_center(*cell))])
    });
    layout.finish(&mut drawing, caption, &STYLES, last_move.collect(), shared, None);
    drawing
}

/// Draws the boards without their marks. Active boards get a frame, and dots in their free cells.
fn draw_background(board: &UltimateBoard, layout: &GridLayout, drawing: &mut Drawing) {
    let (mut boards, mut grids, mut frames) = (vec![paper(drawing.width, drawing.height)], Vec::new(), Vec::new());
    for (number, status) in board.statuses.iter().enumerate() {
        let ((x, y), size) = (board_corner(layout, number), SIDE * layout.cell);
        let is_finished = matches!(status, BoardStatus::Won(_) | BoardStatus::Drawn);
        let fill = if is_finished { palette::CLOSED_CELL } else { palette::OPEN_CELL };
        let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"8\" fill=\"{fill}\"/>");
        boards.push(rect.into());
        if !is_finished {
            grids.push(format!("<use href=\"#rules\" x=\"{x}\" y=\"{y}\"/>").into());
        }
        if *status == BoardStatus::Active {
            let (x, y, size) = (x - 3, y - 3, size + 6);
            let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"10\"/>");
            frames.push(rect.into());
        }
    }
    let is_playable = |cell: &usize| {
        board.cells[*cell].is_none() && board.statuses.get(board_of(*cell)) == Some(&BoardStatus::Active)
    };
    let playable: Vec<usize> = (0..board.cells.len()).filter(is_playable).collect();
    let dot = |cell: &usize| {
        let (x, y) = layout.cell_center(*cell);
        format!("M{x} {y}h0")
    };
    let dots = playable.chunks(9).map(|cells| cells.iter().map(dot).collect::<String>());
    let dots = dots.map(|dots| format!("<path d=\"{dots}\"/>").into());
    let (line, active) = (palette::GRID_LINE, palette::ACTIVE);
    drawing.add_layer(format!("stroke=\"{line}\" stroke-width=\"2\""), boards);
    drawing.add_layer(format!("stroke=\"{line}\" stroke-width=\"2\""), grids);
    drawing.add_layer(format!("fill=\"none\" stroke=\"{active}\" stroke-width=\"5\""), frames);
    drawing.add_layer(format!("stroke=\"{active}\" stroke-width=\"6\" stroke-linecap=\"round\""), dots.collect());
}

/// Returns the marks on unfinished boards, and one big symbol for each finished board.
fn mark_shapes(board: &UltimateBoard, layout: &GridLayout) -> Vec<Shape> {
    let is_unfinished =
        |cell: usize| matches!(board.statuses.get(board_of(cell)), Some(BoardStatus::Active | BoardStatus::Inactive));
    let small = board.cells.iter().enumerate().filter(|(cell, _)| is_unfinished(*cell));
    let small = small.filter_map(|(cell, mark)| Some(Shape::mark((*mark)?.glyph.letter, layout.cell_center(cell))));
    let big = board.statuses.iter().enumerate().filter_map(|(number, status)| {
        let symbol = match status {
            BoardStatus::Active | BoardStatus::Inactive => return None,
            BoardStatus::Won(seat) => winner_symbol_id(*seat),
            BoardStatus::Drawn => "drawn",
        };
        Some(Shape::mark(symbol, board_center(layout, number)))
    });
    small.chain(big).collect()
}

/// Returns the top left corner of a board.
fn board_corner(layout: &GridLayout, board: usize) -> (usize, usize) {
    layout.cell_corner(board / SIDE * SIDE, board % SIDE * SIDE)
}

/// Returns the center of a board.
fn board_center(layout: &GridLayout, board: usize) -> (u32, u32) {
    let ((x, y), half) = (board_corner(layout, board), SIDE * layout.cell / 2);
    ((x + half) as u32, (y + half) as u32)
}

/// Returns the id of the symbol for a board won by a seat.
fn winner_symbol_id(seat: Seat) -> &'static str {
    if seat == Seat::First { "XX" } else { "OO" }
}

/// Adds the symbols that have the size of a board.
fn add_symbols(layout: &GridLayout, drawing: &mut Drawing, shared: &SharedLayers) {
    let size = SIDE * layout.cell;
    for seat in Seat::BOTH {
        let (Piece { glyph, .. }, id) = (ordinary_piece(&STYLES, seat), winner_symbol_id(seat));
        shared.add_symbol(drawing, id, &|| piece_symbol(id, glyph.form, seat, STYLES[seat.index()].ink, size));
    }
    shared.add_symbol(drawing, "rules", &|| {
        format!("<path id=\"rules\" d=\"{}\"/>", grid_lines(0, 0, SIDE, SIDE, layout.cell))
    });
    shared.add_symbol(drawing, "drawn", &|| drawn_symbol(size));
    shared.add_symbol(drawing, "whole", &|| corners_symbol("whole", (size / 2 - 8) as u32, 4, false));
}

/// Returns the symbol for a drawn board of `size` pixels.
pub(super) fn drawn_symbol(size: usize) -> String {
    let (wide, half) = (size / 10, size / 5);
    format!(
        "<path id=\"drawn\" d=\"M-{half}-{wide}h{0}m-{0} {1}h{0}\" stroke=\"{2}\" stroke-width=\"{3}\"/>",
        half * 2,
        wide * 2,
        palette::MUTED,
        wide * 9 / 10
    )
}
