//! The board as an SVG drawing. The viewer is at the bottom; captured pieces are next to the player who captured them.
//! All lengths are in pixels.

use cozy_chess::{Piece, Square};
use game::palette::{EBONY, IVORY, RIM};
use game::{
    Caption, CaptionLine, CaptionShapes, Drawing, Seat, Shape, SharedLayers, chip, corners_symbol, heading_size,
    palette, paper, small_size, source_symbol, spaced_letters,
};

use crate::chess::ChessBoard;
use crate::chess::board::ColoredPiece;

/// The width of a square. The piece shapes are drawn for it.
pub(crate) const SQUARE_SIZE: u32 = 50;
/// The left and top edges of the board.
const LEFT: u32 = 32;
const TOP: u32 = 72;
const WIDTH: u32 = LEFT + 8 * SQUARE_SIZE + 20;
const BOTTOM: u32 = TOP + 8 * SQUARE_SIZE;
const LARGE_FONT: u32 = heading_size(WIDTH);
const SMALL_FONT: u32 = small_size(WIDTH);
const HEIGHT: u32 = BOTTOM + 114;

/// Draws the board with its margins.
pub(crate) fn draw(view: &ChessBoard, caption: &Caption, layers: &SharedLayers) -> Drawing {
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
pub(crate) fn check_symbol() -> String {
    let corner = |index: u32| {
        let radius = if index.is_multiple_of(2) { 25.0 } else { 17.0 };
        let angle = f64::from(index) * std::f64::consts::PI / 12.0;
        format!("{:.1} {:.1}", radius * angle.sin(), -radius * angle.cos())
    };
    let path = (0..24).map(corner).collect::<Vec<_>>().join("L");
    format!("<path id=\"check\" d=\"M{path}z\" fill=\"{}\"/>", palette::RED)
}

// SVG shapes of the pieces: Staunton pieces drawn for this program, in a square from -25 to 25.
//
// Each piece has a filled outline and inner lines.

/// Returns the outline of a piece and its inner lines, as SVG paths.
fn shape(piece: Piece) -> (&'static str, &'static str) {
    match piece {
        Piece::Pawn => (
            "M-12 19v-3.5c0-6.5 6-7.5 7-15.5h-3.5c.2-3 1.8-4.2 4.1-5a7 7 0 1 1 8.8 0c2.3.8 3.9 2 4.1 5h-3.5 \
             c1 8 7 9 7 15.5v3.5z",
            "M-12 15.5h24M-5 0h10",
        ),
        Piece::Knight => (
            "M-13 19v-4h2c0-9 9-10 9.5-16.5c-3.5 3-7 3-9 6c-1.5 2.5-5.5 2.5-7-1.5c.5-6 5-8.5 6.5-14l.3-8.8 \
             l4.7 4.3l3.5-4.3c10 1 16.5 9.3 14.5 34.8h1.5v4z",
            "M-11 15h23M3.5-13.5c5.5 5 7 14 6.3 25M-7.5-9.3a1 1 0 1 1-.1 0zM-14.3 2l1-1.2",
        ),
        Piece::Bishop => (
            "M-14 19v-3.5c1-4.5 8-4 8.5-10h-3v-3.5h2.5c-7-5-5.5-11.5 3.2-18.3a2.9 2.9 0 1 1 5.6 0 \
             c8.7 6.8 10.2 13.3 3.2 18.3h2.5v3.5h-3c.5 6 7.5 5.5 8.5 10v3.5z",
            "M-14 15.5h28M-5.5 5.5h11M-6 2h12M0-11v8M-4-7h8",
        ),
        Piece::Rook => (
            "M-14 19v-4h2.5l2.5-5.5v-12.5l-4-4v-9.5h5v4h5.3v-4h5.4v4h5.3v-4h5v9.5l-4 4v12.5l2.5 5.5h2.5v4z",
            "M-11.5 15h23M-9 9.5h18M-9-3h18M-13-7h26",
        ),
        Piece::Queen => (
            "M-12 19v-3.5l.5-7l-6.5-15.5l8.5 9l.5-14l6.5 12.5l2.5-15l2.5 15l6.5-12.5l.5 14l8.5-9l-6.5 15.5l.5 7 \
             v3.5zM-18.2-11.4a2.3 2.3 0 1 1-.1 0zM-9.2-16.5a2.3 2.3 0 1 1-.1 0zM0-19.3a2.3 2.3 0 1 1-.1 0z \
             M9.2-16.5a2.3 2.3 0 1 1-.1 0zM18.2-11.4a2.3 2.3 0 1 1-.1 0z",
            "M-12 15.5h24M-11.5 8.5c6-2.5 17-2.5 23 0M-11.8 12c6-2 17.6-2 23.6 0",
        ),
        Piece::King => (
            "M-12 19v-3.5l.5-6.5c-11-8.5-8-18-.5-18c4.5 0 7.5 2 9.3 4.7c-2.5-3.7-2-6.7 1.2-8.7v-3h-3.7v-2.8h3.7 \
             v-3.7h3v3.7h3.7v2.8h-3.7v3c3.2 2 3.7 5 1.2 8.7c1.8-2.7 4.8-4.7 9.3-4.7c7.5 0 10.5 9.5-.5 18l.5 6.5 \
             v3.5z",
            "M-12 15.5h24M-11.5 9c6-2.5 17-2.5 23 0M-11.8 12.3c6-2 17.6-2 23.6 0M-2.7-4.3c2 3.3 2.7 5.5 2.7 11.3 \
             c0-5.8.7-8 2.7-11.3",
        ),
    }
}

/// Returns the id of a piece's symbol: `wn`.
fn symbol_id(piece: ColoredPiece) -> &'static str {
    let [white, black] = match piece.piece {
        Piece::Pawn => ["wp", "bp"],
        Piece::Knight => ["wn", "bn"],
        Piece::Bishop => ["wb", "bb"],
        Piece::Rook => ["wr", "br"],
        Piece::Queen => ["wq", "bq"],
        Piece::King => ["wk", "bk"],
    };
    if piece.seat == Seat::First { white } else { black }
}

/// Returns the symbol of a piece. White pieces have dark lines. Black pieces have light lines, and a rim in dark mode.
pub fn symbol(piece: ColoredPiece) -> String {
    let (id, (outline, lines)) = (symbol_id(piece), shape(piece.piece));
    let (style, line_color) = if piece.seat == Seat::First {
        (format!("fill=\"{IVORY}\" stroke=\"{EBONY}\""), EBONY)
    } else {
        (format!("fill=\"{EBONY}\" stroke=\"{RIM}\" stroke-width=\"2.5\" paint-order=\"stroke\""), IVORY)
    };
    format!("<g id=\"{id}\"><path d=\"{outline}\" {style}/><path d=\"{lines}\" stroke=\"{line_color}\"/></g>")
}
