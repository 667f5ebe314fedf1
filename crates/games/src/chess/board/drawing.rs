//! The board as an SVG drawing. The viewer is at the bottom; captured pieces are next to the player who captured them.
//! All lengths are in pixels.

use cozy_chess::{Piece, Square};
use game::board::drawing::caption::{Caption, CaptionLine, CaptionShapes};
use game::board::drawing::layout::chip;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::drawing::{
    Drawing, Shape, corners_symbol, heading_size, palette, paper, small_size, source_symbol, spaced_letters,
};
use game::seat::Seat;

use crate::chess::board::piece_shapes::{symbol, symbol_id};
use crate::chess::board::{ChessBoard, ColoredPiece};

/// The width of a square. The piece shapes are drawn for it.
pub const SQUARE_SIZE: u32 = 50;
/// The left and top edges of the board.
const LEFT: u32 = 32;
const TOP: u32 = 72;
const WIDTH: u32 = LEFT + 8 * SQUARE_SIZE + 20;
const BOTTOM: u32 = TOP + 8 * SQUARE_SIZE;
const LARGE_FONT: u32 = heading_size(WIDTH);
const SMALL_FONT: u32 = small_size(WIDTH);
const HEIGHT: u32 = BOTTOM + 114;

/// Draws the board with its margins.
pub fn draw(view: &ChessBoard, caption: &Caption, layers: &SharedLayers) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, HEIGHT, [LEFT, TOP, 8 * SQUARE_SIZE, 8 * SQUARE_SIZE]);
    layers.add_layer(&mut drawing, "field", &|| ("stroke-width=\"2\"".to_owned(), empty_board()));
    let squares: Vec<(Square, (u32, u32))> =
        (0..64).map(|cell| (view.square_at(cell / 8, cell % 8), center(cell / 8, cell % 8))).collect();
    let mark = |is_marked: &dyn Fn(Square) -> bool, symbol: &'static str| -> Vec<Shape> {
        squares.iter().filter(|(square, _)| is_marked(*square)).map(|(_, at)| Shape::mark(symbol, *at)).collect()
    };
    let touched = mark(&|square| view.last_move.contains(&square), "touched");
    let check = mark(&|square| view.checked_king == Some(square), "check");
    let mut ends = mark(&|square| view.last_move.first() == Some(&square), "last");
    ends.extend(mark(&|square| view.last_move.get(1) == Some(&square), "from"));
    if !touched.is_empty() {
        layers.add_symbol(&mut drawing, "touched", &last_move_symbol);
        layers.add_symbol(&mut drawing, "last", &|| corners_symbol("last", SQUARE_SIZE / 2 - 4, 3, true));
        layers.add_symbol(&mut drawing, "from", &source_symbol);
    }
    if !check.is_empty() {
        layers.add_symbol(&mut drawing, "check", &check_symbol);
    }
    let mut grounds: Vec<Shape> = touched.into_iter().chain(check).collect();
    let pieces: Vec<(ColoredPiece, (u32, u32))> =
        squares.iter().filter_map(|(square, at)| Some((view.piece_at(*square)?, *at))).collect();
    let mut piece_shapes: Vec<Shape> = pieces.iter().map(|(piece, at)| Shape::mark(symbol_id(*piece), *at)).collect();
    let mut caption_shapes = CaptionShapes::default();
    for seat in Seat::BOTH {
        grounds.extend(player_grounds(view, seat));
        draw_player(view, caption, seat, &mut caption_shapes, &mut piece_shapes);
    }
    drawing.add_layer("stroke-width=\"1.5\"", grounds);
    for seat in Seat::BOTH {
        let captured = view.captured[seat.index()].iter().map(|piece| ColoredPiece { seat, piece: *piece });
        let own = pieces.iter().map(|(piece, _)| *piece).filter(|piece| piece.seat == seat);
        for piece in [ColoredPiece { seat, piece: Piece::King }].into_iter().chain(own).chain(captured) {
            layers.add_symbol(&mut drawing, symbol_id(piece), &|| symbol(piece));
        }
    }
    let row = CaptionLine {
        left: LEFT,
        right: LEFT + 8 * SQUARE_SIZE,
        baseline: HEIGHT - 18,
        font_size: SMALL_FONT,
        small_size: SMALL_FONT,
        status_width: 0,
    };
    caption_shapes.add_footer(&row, caption);
    drawing.add_layer(
        "fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
        piece_shapes,
    );
    drawing.add_layer("fill=\"none\"", caption_shapes.icons.into_iter().chain(ends).collect());
    layers.add_layer(&mut drawing, "coordinates", &|| {
        let style = format!("font-size=\"{SMALL_FONT}\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED);
        (style, coordinates(view))
    });
    drawing.add_layer(format!("font-size=\"{LARGE_FONT}\" fill=\"{}\"", palette::INK), caption_shapes.left_text);
    drawing.add_layer(
        format!("font-size=\"{LARGE_FONT}\" fill=\"{}\" text-anchor=\"end\"", palette::INK),
        caption_shapes.right_text,
    );
    drawing
}

/// Returns the center of a square.
fn center(row: usize, column: usize) -> (u32, u32) {
    (LEFT + column as u32 * SQUARE_SIZE + SQUARE_SIZE / 2, TOP + row as u32 * SQUARE_SIZE + SQUARE_SIZE / 2)
}

/// Returns the shapes of an empty board.
fn empty_board() -> Vec<Shape> {
    let size = 8 * SQUARE_SIZE;
    let dark: String = (0..8)
        .flat_map(|row: u32| (0..4).map(move |pair| ((pair * 2 + 1 - row % 2) * SQUARE_SIZE, row * SQUARE_SIZE)))
        .map(|(x, y)| format!("M{} {}h{SQUARE_SIZE}v{SQUARE_SIZE}h-{SQUARE_SIZE}z", LEFT + x, TOP + y))
        .collect();
    vec![
        paper(WIDTH, HEIGHT),
        format!(
            "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{size}\" height=\"{size}\" fill=\"{}\" stroke=\"{}\"/>",
            palette::LIGHT_SQUARE,
            palette::GRID_LINE
        )
        .into(),
        format!("<path d=\"{dark}\" fill=\"{}\"/>", palette::DARK_SQUARE).into(),
    ]
}

/// Adds a player's caption, and the pieces that they captured: below the board for the viewer, above for the opponent.
fn draw_player(
    view: &ChessBoard,
    caption: &Caption,
    seat: Seat,
    caption_shapes: &mut CaptionShapes,
    piece_shapes: &mut Vec<Shape>,
) {
    let is_below = seat == view.viewer;
    let baseline = player_baseline(is_below);
    let row = CaptionLine {
        left: LEFT,
        right: LEFT + 8 * SQUARE_SIZE,
        baseline,
        font_size: LARGE_FONT,
        small_size: SMALL_FONT,
        status_width: caption.status_width(LARGE_FONT),
    };
    caption_shapes.add_player(&row, &caption.sides[seat.index()], &[]);
    let king = symbol_id(ColoredPiece { seat, piece: Piece::King });
    let half_size = |symbol: &str, x: u32, y: u32| {
        Shape::from(format!("<use href=\"#{symbol}\" transform=\"translate({x} {y})scale(.5)\"/>"))
    };
    piece_shapes.push(half_size(king, LEFT + 10, baseline - 7));
    let y = captured_row(is_below);
    let opponent = seat.other();
    for (index, piece) in view.captured[opponent.index()].iter().enumerate() {
        let symbol = symbol_id(ColoredPiece { seat: opponent, piece: *piece });
        piece_shapes.push(half_size(symbol, LEFT + 10 + index as u32 * 19, y));
    }
}

/// Returns the baseline of a player's name.
fn player_baseline(is_below: bool) -> u32 {
    if is_below { BOTTOM + 70 } else { LARGE_FONT * 8 / 5 }
}

/// Returns the middle of the row of captured pieces.
fn captured_row(is_below: bool) -> u32 {
    if is_below { BOTTOM + 36 } else { TOP - 17 }
}

/// Returns the background of a player's king and captured pieces.
fn player_grounds(view: &ChessBoard, seat: Seat) -> Vec<Shape> {
    let is_below = seat == view.viewer;
    let mut grounds = vec![chip((LEFT + 10, player_baseline(is_below) - 7), 15)];
    let captured = view.captured[seat.other().index()].len() as u32;
    if captured > 0 {
        let (left, top, width) = (LEFT - 2, captured_row(is_below) - 13, captured * 19 + 5);
        let rect = format!("<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"25\" rx=\"6\"");
        grounds.push(format!("{rect} fill=\"{}\"/>", palette::CHIP).into());
    }
    grounds
}

/// Returns the labels of the files and ranks.
fn coordinates(view: &ChessBoard) -> Vec<Shape> {
    let files = (0..8).map(|column| (center(0, column).0, char::from(view.square_at(0, column).file())));
    let ranks = (0..8).map(|row| {
        let y = center(row, 0).1 + SMALL_FONT * 7 / 20;
        Shape::from(format!("<text x=\"{}\" y=\"{y}\">{}</text>", LEFT / 2 + 2, view.square_at(row, 0).rank()))
    });
    std::iter::once(spaced_letters(files, BOTTOM + SMALL_FONT + 3)).chain(ranks).collect()
}

/// Returns the symbol that highlights a square of the last move.
fn last_move_symbol() -> String {
    let half = SQUARE_SIZE / 2;
    format!(
        "<path id=\"touched\" d=\"M-{half}-{half}h{SQUARE_SIZE}v{SQUARE_SIZE}h-{SQUARE_SIZE}z\" fill=\"{}\"/>",
        palette::GLOW
    )
}

/// Returns the symbol that highlights a king in check: a star.
pub fn check_symbol() -> String {
    let corner = |index: u32| {
        let radius = if index.is_multiple_of(2) { 25.0 } else { 17.0 };
        let angle = f64::from(index) * std::f64::consts::PI / 12.0;
        format!("{:.1} {:.1}", radius * angle.sin(), -radius * angle.cos())
    };
    let path = (0..24).map(corner).collect::<Vec<_>>().join("L");
    format!("<path id=\"check\" d=\"M{path}z\" fill=\"{}\"/>", palette::RED)
}
