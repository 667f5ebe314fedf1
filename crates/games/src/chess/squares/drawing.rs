//! The board as a drawing: the viewer is below, and beside each player are the men that they have captured.

use cozy_chess::{Piece, Square};
use game::board::drawing::still::Still;
use game::board::drawing::strip::{Row, Strip, Words};
use game::board::drawing::{Drawing, Shape, apart, corners, ghost, heading, palette, paper, small};
use game::seat::Seat;

use crate::chess::squares::men::{id, symbol};
use crate::chess::squares::{Man, Squares};

/// The side of a square; the men are drawn for it.
pub const SIDE: u32 = 50;
/// The left and the upper edge of the board.
const LEFT: u32 = 32;
const TOP: u32 = 72;
const WIDTH: u32 = LEFT + 8 * SIDE + 20;
const BOTTOM: u32 = TOP + 8 * SIDE;
const FONT: u32 = heading(WIDTH);
const SMALL: u32 = small(WIDTH);
const HEIGHT: u32 = BOTTOM + 114;

/// Returns the board as a drawing, with its margins.
pub fn drawing(squares: &Squares, strip: &Strip, still: &Still) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    still.layer(&mut drawing, "field", &|| ("stroke-width=\"2\"".to_owned(), field()));
    let places = (0..64).map(|at| (squares.square(at / 8, at % 8), centre(at / 8, at % 8)));
    let places: Vec<(Square, (u32, u32))> = places.collect();
    let marked = |wanted: &dyn Fn(Square) -> bool, symbol: &'static str| -> Vec<Shape> {
        places.iter().filter(|(square, _)| wanted(*square)).map(|(_, at)| Shape::mark(symbol, *at)).collect()
    };
    let touched = marked(&|square| squares.last.contains(&square), "touched");
    let check = marked(&|square| squares.check == Some(square), "check");
    let mut ends = marked(&|square| squares.last.first() == Some(&square), "last");
    ends.extend(marked(&|square| squares.last.get(1) == Some(&square), "from"));
    if !touched.is_empty() {
        still.symbol(&mut drawing, "touched", &glow);
        still.symbol(&mut drawing, "last", &|| corners("last", SIDE / 2 - 4, 3, true));
        still.symbol(&mut drawing, "from", &ghost);
    }
    if !check.is_empty() {
        still.symbol(&mut drawing, "check", &burst);
    }
    drawing.layer("stroke-width=\"1.5\"", touched.into_iter().chain(check).collect());
    let standing: Vec<(Man, (u32, u32))> =
        places.iter().filter_map(|(square, at)| Some((squares.man(*square)?, *at))).collect();
    let mut men: Vec<Shape> = standing.iter().map(|(man, at)| Shape::mark(id(*man), *at)).collect();
    let mut words = Words::default();
    for seat in Seat::BOTH {
        player(squares, strip, seat, &mut words, &mut men);
    }
    for seat in Seat::BOTH {
        let lost = squares.captured[seat.index()].iter().map(|piece| Man { seat, piece: *piece });
        let own = standing.iter().map(|(man, _)| *man).filter(|man| man.seat == seat);
        [Man { seat, piece: Piece::King }]
            .into_iter()
            .chain(own)
            .chain(lost)
            .for_each(|man| still.symbol(&mut drawing, id(man), &|| symbol(man)));
    }
    let row = Row { from: LEFT, to: LEFT + 8 * SIDE, base: HEIGHT - 18, font: SMALL, small: SMALL, word: 0 };
    words.footer(&row, strip);
    drawing.layer("fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"", men);
    drawing.layer("fill=\"none\"", words.signs.into_iter().chain(ends).collect());
    still.layer(&mut drawing, "coordinates", &|| {
        let style = format!("font-size=\"{SMALL}\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED);
        (style, coordinates(squares))
    });
    drawing.layer(format!("font-size=\"{FONT}\" fill=\"{}\"", palette::INK), words.left);
    drawing.layer(format!("font-size=\"{FONT}\" fill=\"{}\" text-anchor=\"end\"", palette::INK), words.right);
    drawing
}

/// Returns the middle of a square.
fn centre(row: usize, column: usize) -> (u32, u32) {
    (LEFT + column as u32 * SIDE + SIDE / 2, TOP + row as u32 * SIDE + SIDE / 2)
}

/// Returns the board without anything on it.
fn field() -> Vec<Shape> {
    let all = 8 * SIDE;
    let dark: String = (0..8)
        .flat_map(|row: u32| (0..4).map(move |nth| ((nth * 2 + 1 - row % 2) * SIDE, row * SIDE)))
        .map(|(x, y)| format!("M{} {}h{SIDE}v{SIDE}h-{SIDE}z", LEFT + x, TOP + y))
        .collect();
    vec![
        paper(WIDTH, HEIGHT),
        format!(
            "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{all}\" height=\"{all}\" fill=\"{}\" stroke=\"{}\"/>",
            palette::LIGHT_SQUARE,
            palette::RULE
        )
        .into(),
        format!("<path d=\"{dark}\" fill=\"{}\"/>", palette::DARK_SQUARE).into(),
    ]
}

/// Draws a player's line with the men that they have captured beyond it: below the board for the viewer, above for the other.
fn player(squares: &Squares, strip: &Strip, seat: Seat, words: &mut Words, men: &mut Vec<Shape>) {
    let below = seat == squares.view;
    let base = if below { BOTTOM + 70 } else { FONT * 8 / 5 };
    let (from, to) = (LEFT, LEFT + 8 * SIDE);
    let row = Row { from, to, base, font: FONT, small: SMALL, word: strip.word_room(FONT) };
    words.player(&row, &strip.sides[seat.index()], &[]);
    let king = id(Man { seat, piece: Piece::King });
    let scaled = |symbol: &str, x: u32, y: u32, scale: &str| {
        Shape::from(format!("<use href=\"#{symbol}\" transform=\"translate({x} {y})scale({scale})\"/>"))
    };
    men.push(scaled(king, from + 10, base - 7, ".5"));
    let y = if below { BOTTOM + 36 } else { TOP - 17 };
    let other = seat.other();
    for (nth, piece) in squares.captured[other.index()].iter().enumerate() {
        let symbol = id(Man { seat: other, piece: *piece });
        men.push(scaled(symbol, from + 10 + nth as u32 * 19, y, ".5"));
    }
}

/// Returns the names of the files and ranks.
fn coordinates(squares: &Squares) -> Vec<Shape> {
    let files = (0..8).map(|column| (centre(0, column).0, char::from(squares.square(0, column).file())));
    let ranks = (0..8).map(|row| {
        let y = centre(row, 0).1 + SMALL * 7 / 20;
        Shape::from(format!("<text x=\"{}\" y=\"{y}\">{}</text>", LEFT / 2 + 2, squares.square(row, 0).rank()))
    });
    std::iter::once(apart(files, BOTTOM + SMALL + 3)).chain(ranks).collect()
}

/// Returns the symbol below a square of the last move.
fn glow() -> String {
    let half = SIDE / 2;
    format!("<path id=\"touched\" d=\"M-{half}-{half}h{SIDE}v{SIDE}h-{SIDE}z\" fill=\"{}\"/>", palette::GLOW)
}

/// Returns the symbol below a king in check: a star with many points.
pub fn burst() -> String {
    let corner = |at: u32| {
        let far = if at.is_multiple_of(2) { 25.0 } else { 17.0 };
        let angle = f64::from(at) * std::f64::consts::PI / 12.0;
        format!("{:.1} {:.1}", far * angle.sin(), -far * angle.cos())
    };
    let path = (0..24).map(corner).collect::<Vec<_>>().join("L");
    format!("<path id=\"check\" d=\"M{path}z\" fill=\"{}\"/>", palette::RED)
}
