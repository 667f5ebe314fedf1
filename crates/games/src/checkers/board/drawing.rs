//! The board as a drawing: each dark square has its number in the upper left corner, and its man a little below.

use game::board::drawing::caption::Caption;
use game::board::drawing::layout::{MARGIN, add_margins};
use game::board::drawing::palette::{self, Ink};
use game::board::drawing::shared_layers::SharedLayers;
use game::board::drawing::{Drawing, Shape, heading_size, paper, ring_symbol, small_size, source_symbol};
use game::board::piece::{Form, Glyph, PieceStyle};
use game::seat::Seat;

use crate::checkers::board::{BoardPiece, CheckersBoard};

/// The side of a square.
pub const SQUARE_SIZE: u32 = 56;
/// The radius of a man.
pub const PIECE_RADIUS: u32 = 18;
/// How far a man lies from the middle of its square, to the right and down: the number needs the room.
const PIECE_OFFSET: u32 = 5;
const LEFT: u32 = MARGIN as u32;
const WIDTH: u32 = 2 * LEFT + 8 * SQUARE_SIZE;
const TOP: u32 = heading_size(WIDTH) * 9 / 2;
const LABEL_SIZE: u32 = small_size(WIDTH);
const HEIGHT: u32 = TOP + 8 * SQUARE_SIZE + LABEL_SIZE + 34;

/// The ordinary men, beside the players' names.
const STYLES: [PieceStyle; 2] = [
    PieceStyle { ink: Ink::BLACK, glyph: Glyph { name: "black", letter: 'b', form: Form::Disc } },
    PieceStyle { ink: Ink::WHITE, glyph: Glyph { name: "white", letter: 'w', form: Form::Disc } },
];

/// Returns the board as a drawing, with its margins.
pub fn draw(board: &CheckersBoard, strip: &Caption, still: &SharedLayers) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    let places = || {
        (0..64).filter_map(|at| Some((CheckersBoard::square_number(at / 8, at % 8)?, square_corner(at / 8, at % 8))))
    };
    still.add_layer(&mut drawing, "field", &|| ("stroke-width=\"2\"".to_owned(), empty_board()));
    let touched = places().filter(|(number, _)| board.last_move.contains(number));
    let touched: Vec<Shape> = touched.map(|(_, (x, y))| Shape::mark("touched", (x, y))).collect();
    if !touched.is_empty() {
        still.add_symbol(&mut drawing, "touched", &|| {
            format!(
                "<path id=\"touched\" d=\"M0 0h{SQUARE_SIZE}v{SQUARE_SIZE}h-{SQUARE_SIZE}z\" fill=\"{}\"/>",
                palette::GLOW
            )
        });
        still.add_symbol(&mut drawing, "last", &|| ring_symbol("last", PIECE_RADIUS as usize + 3));
        still.add_symbol(&mut drawing, "from", &source_symbol);
    }
    drawing.add_layer("stroke=\"none\"", touched);
    let men = places().filter_map(|(number, place)| Some((board.piece(number)?, piece_center(place))));
    let men: Vec<(BoardPiece, (u32, u32))> = men.collect();
    for man in men.iter().map(|(man, _)| *man) {
        still.add_symbol(&mut drawing, man.letter().encode_utf8(&mut [0; 4]), &|| piece_symbol(man));
    }
    let men = men.into_iter().map(|(man, at)| Shape::mark(man.letter(), at)).collect();
    drawing.add_layer("stroke-width=\"2\" stroke-linejoin=\"round\"", men);
    let ends =
        [("last", board.last_move.first()), ("from", board.last_move.last().filter(|_| board.last_move.len() > 1))];
    let ends = ends.into_iter().filter_map(|(symbol, end)| {
        let (_, place) = places().find(|(number, _)| Some(number) == end)?;
        Some(Shape::mark(symbol, piece_center(place)))
    });
    let numbers = || {
        let numbers = places().map(|(number, (x, y))| {
            let (x, y) = (x + 14, y + 3 + LABEL_SIZE * 7 / 10);
            format!("<text x=\"{x}\" y=\"{y}\">{number}</text>").into()
        });
        let style = format!("font-size=\"{LABEL_SIZE}\" fill=\"{}\" text-anchor=\"middle\"", palette::INK);
        (style, numbers.collect())
    };
    still.add_layer(&mut drawing, "numbers", &numbers);
    add_margins(&mut drawing, strip, &STYLES, ends.collect(), still, &Vec::new);
    drawing
}

/// Returns the upper left corner of a square.
fn square_corner(row: usize, column: usize) -> (u32, u32) {
    (LEFT + column as u32 * SQUARE_SIZE, TOP + row as u32 * SQUARE_SIZE)
}

/// Returns the place of a man, by the corner of its square.
fn piece_center((x, y): (u32, u32)) -> (u32, u32) {
    (x + SQUARE_SIZE / 2 + PIECE_OFFSET, y + SQUARE_SIZE / 2 + PIECE_OFFSET)
}

/// Returns the board without anything on it.
fn empty_board() -> Vec<Shape> {
    let all = 8 * SQUARE_SIZE;
    let dark = (0..64)
        .filter(|at| CheckersBoard::square_number(at / 8, at % 8).is_some())
        .map(|at| square_corner(at / 8, at % 8));
    let dark: String = dark.map(|(x, y)| format!("M{x} {y}h{SQUARE_SIZE}v{SQUARE_SIZE}h-{SQUARE_SIZE}z")).collect();
    let (light_square, dark_square, rule) = (palette::LIGHT_SQUARE, palette::DARK_SQUARE, palette::GRID_LINE);
    vec![
        paper(WIDTH, HEIGHT),
        format!("<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{all}\" height=\"{all}\" fill=\"{light_square}\" stroke=\"{rule}\"/>").into(),
        format!("<path d=\"{dark}\" fill=\"{dark_square}\"/>").into(),
    ]
}

/// Returns the symbol of a man: black ones have a ring inside and white ones two, kings a crown.
pub fn piece_symbol(man: BoardPiece) -> String {
    let (id, first) = (man.letter(), man.seat == Seat::First);
    let (ink, line) = if first { (Ink::BLACK, palette::IVORY) } else { (Ink::WHITE, palette::EBONY) };
    let circle =
        |radius: u32, fill: &str, stroke: &str| format!("<circle r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\"/>");
    let disc = circle(PIECE_RADIUS, ink.fill, ink.stroke);
    let inner = if man.is_king {
        let gem = if first { "" } else { "M-9 12h18" };
        format!("<path d=\"M-9 8l-2.5-12 5.5 5 6-9 6 9 5.5-5-2.5 12z{gem}\" fill=\"{line}\" stroke=\"{line}\"/>")
    } else {
        let second = if first { String::new() } else { circle(PIECE_RADIUS - 12, "none", palette::GRID_LINE) };
        circle(PIECE_RADIUS - 6, "none", palette::GRID_LINE) + &second
    };
    format!("<g id=\"{id}\">{disc}{inner}</g>")
}
