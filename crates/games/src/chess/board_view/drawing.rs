//! The board as a drawing: the viewer is below, and beside each player are the men that they have captured.

use cozy_chess::{Piece, Square};
use game::board::drawing::caption::{Caption, CaptionLine, CaptionShapes};
use game::board::drawing::shared_layers::SharedLayers;
use game::board::drawing::{
    Drawing, Shape, corners_symbol, heading_size, palette, paper, small_size, source_symbol, spaced_letters,
};
use game::seat::Seat;

use crate::chess::board_view::piece_shapes::{symbol, symbol_id};
use crate::chess::board_view::{BoardView, ColoredPiece};

/// The side of a square; the men are drawn for it.
pub const SQUARE_SIZE: u32 = 50;
/// The left and the upper edge of the board.
const LEFT: u32 = 32;
const TOP: u32 = 72;
const WIDTH: u32 = LEFT + 8 * SQUARE_SIZE + 20;
const BOTTOM: u32 = TOP + 8 * SQUARE_SIZE;
const LARGE_FONT: u32 = heading_size(WIDTH);
const SMALL_FONT: u32 = small_size(WIDTH);
const HEIGHT: u32 = BOTTOM + 114;

/// Returns the board as a drawing, with its margins.
pub fn drawing(squares: &BoardView, strip: &Caption, still: &SharedLayers) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    still.add_layer(&mut drawing, "field", &|| ("stroke-width=\"2\"".to_owned(), empty_board()));
    let places = (0..64).map(|at| (squares.square_at(at / 8, at % 8), center(at / 8, at % 8)));
    let places: Vec<(Square, (u32, u32))> = places.collect();
    let marked = |wanted: &dyn Fn(Square) -> bool, symbol: &'static str| -> Vec<Shape> {
        places.iter().filter(|(square, _)| wanted(*square)).map(|(_, at)| Shape::mark(symbol, *at)).collect()
    };
    let touched = marked(&|square| squares.last_move.contains(&square), "touched");
    let check = marked(&|square| squares.checked_king == Some(square), "check");
    let mut ends = marked(&|square| squares.last_move.first() == Some(&square), "last");
    ends.extend(marked(&|square| squares.last_move.get(1) == Some(&square), "from"));
    if !touched.is_empty() {
        still.add_symbol(&mut drawing, "touched", &last_move_symbol);
        still.add_symbol(&mut drawing, "last", &|| corners_symbol("last", SQUARE_SIZE / 2 - 4, 3, true));
        still.add_symbol(&mut drawing, "from", &source_symbol);
    }
    if !check.is_empty() {
        still.add_symbol(&mut drawing, "check", &check_symbol);
    }
    drawing.add_layer("stroke-width=\"1.5\"", touched.into_iter().chain(check).collect());
    let standing: Vec<(ColoredPiece, (u32, u32))> =
        places.iter().filter_map(|(square, at)| Some((squares.piece_at(*square)?, *at))).collect();
    let mut men: Vec<Shape> = standing.iter().map(|(man, at)| Shape::mark(symbol_id(*man), *at)).collect();
    let mut words = CaptionShapes::default();
    for seat in Seat::BOTH {
        draw_player(squares, strip, seat, &mut words, &mut men);
    }
    for seat in Seat::BOTH {
        let lost = squares.captured[seat.index()].iter().map(|piece| ColoredPiece { seat, piece: *piece });
        let own = standing.iter().map(|(man, _)| *man).filter(|man| man.seat == seat);
        [ColoredPiece { seat, piece: Piece::King }]
            .into_iter()
            .chain(own)
            .chain(lost)
            .for_each(|man| still.add_symbol(&mut drawing, symbol_id(man), &|| symbol(man)));
    }
    let row = CaptionLine {
        left: LEFT,
        right: LEFT + 8 * SQUARE_SIZE,
        baseline: HEIGHT - 18,
        font_size: SMALL_FONT,
        small_size: SMALL_FONT,
        status_width: 0,
    };
    words.add_footer(&row, strip);
    drawing.add_layer("fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"", men);
    drawing.add_layer("fill=\"none\"", words.icons.into_iter().chain(ends).collect());
    still.add_layer(&mut drawing, "coordinates", &|| {
        let style = format!("font-size=\"{SMALL_FONT}\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED);
        (style, coordinates(squares))
    });
    drawing.add_layer(format!("font-size=\"{LARGE_FONT}\" fill=\"{}\"", palette::INK), words.left_text);
    drawing.add_layer(
        format!("font-size=\"{LARGE_FONT}\" fill=\"{}\" text-anchor=\"end\"", palette::INK),
        words.right_text,
    );
    drawing
}

/// Returns the middle of a square.
fn center(row: usize, column: usize) -> (u32, u32) {
    (LEFT + column as u32 * SQUARE_SIZE + SQUARE_SIZE / 2, TOP + row as u32 * SQUARE_SIZE + SQUARE_SIZE / 2)
}

/// Returns the board without anything on it.
fn empty_board() -> Vec<Shape> {
    let all = 8 * SQUARE_SIZE;
    let dark: String = (0..8)
        .flat_map(|row: u32| (0..4).map(move |nth| ((nth * 2 + 1 - row % 2) * SQUARE_SIZE, row * SQUARE_SIZE)))
        .map(|(x, y)| format!("M{} {}h{SQUARE_SIZE}v{SQUARE_SIZE}h-{SQUARE_SIZE}z", LEFT + x, TOP + y))
        .collect();
    vec![
        paper(WIDTH, HEIGHT),
        format!(
            "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{all}\" height=\"{all}\" fill=\"{}\" stroke=\"{}\"/>",
            palette::LIGHT_SQUARE,
            palette::GRID_LINE
        )
        .into(),
        format!("<path d=\"{dark}\" fill=\"{}\"/>", palette::DARK_SQUARE).into(),
    ]
}

/// Draws a player's line with the men that they have captured beyond it: below the board for the viewer, above for the other.
fn draw_player(squares: &BoardView, strip: &Caption, seat: Seat, words: &mut CaptionShapes, men: &mut Vec<Shape>) {
    let below = seat == squares.viewer;
    let base = if below { BOTTOM + 70 } else { LARGE_FONT * 8 / 5 };
    let (from, to) = (LEFT, LEFT + 8 * SQUARE_SIZE);
    let row = CaptionLine {
        left: from,
        right: to,
        baseline: base,
        font_size: LARGE_FONT,
        small_size: SMALL_FONT,
        status_width: strip.status_width(LARGE_FONT),
    };
    words.add_player(&row, &strip.sides[seat.index()], &[]);
    let king = symbol_id(ColoredPiece { seat, piece: Piece::King });
    let scaled = |symbol: &str, x: u32, y: u32, scale: &str| {
        Shape::from(format!("<use href=\"#{symbol}\" transform=\"translate({x} {y})scale({scale})\"/>"))
    };
    men.push(scaled(king, from + 10, base - 7, ".5"));
    let y = if below { BOTTOM + 36 } else { TOP - 17 };
    let other = seat.other();
    for (nth, piece) in squares.captured[other.index()].iter().enumerate() {
        let symbol = symbol_id(ColoredPiece { seat: other, piece: *piece });
        men.push(scaled(symbol, from + 10 + nth as u32 * 19, y, ".5"));
    }
}

/// Returns the names of the files and ranks.
fn coordinates(squares: &BoardView) -> Vec<Shape> {
    let files = (0..8).map(|column| (center(0, column).0, char::from(squares.square_at(0, column).file())));
    let ranks = (0..8).map(|row| {
        let y = center(row, 0).1 + SMALL_FONT * 7 / 20;
        Shape::from(format!("<text x=\"{}\" y=\"{y}\">{}</text>", LEFT / 2 + 2, squares.square_at(row, 0).rank()))
    });
    std::iter::once(spaced_letters(files, BOTTOM + SMALL_FONT + 3)).chain(ranks).collect()
}

/// Returns the symbol below a square of the last move.
fn last_move_symbol() -> String {
    let half = SQUARE_SIZE / 2;
    format!(
        "<path id=\"touched\" d=\"M-{half}-{half}h{SQUARE_SIZE}v{SQUARE_SIZE}h-{SQUARE_SIZE}z\" fill=\"{}\"/>",
        palette::GLOW
    )
}

/// Returns the symbol below a king in check: a star with many points.
pub fn check_symbol() -> String {
    let corner = |at: u32| {
        let far = if at.is_multiple_of(2) { 25.0 } else { 17.0 };
        let angle = f64::from(at) * std::f64::consts::PI / 12.0;
        format!("{:.1} {:.1}", far * angle.sin(), -far * angle.cos())
    };
    let path = (0..24).map(corner).collect::<Vec<_>>().join("L");
    format!("<path id=\"check\" d=\"M{path}z\" fill=\"{}\"/>", palette::RED)
}
