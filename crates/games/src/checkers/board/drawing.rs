//! The board as a drawing: each dark square has its number in the upper left corner, and its man a little below.

use game::board::drawing::palette::{self, Ink};
use game::board::drawing::plan::{MARGIN, surround};
use game::board::drawing::still::Still;
use game::board::drawing::strip::Strip;
use game::board::drawing::{Drawing, Shape, ghost, heading, paper, ring, small};
use game::board::piece::{Form, Glyph, Look};
use game::seat::Seat;

use crate::checkers::board::{Checkered, Man};

/// The side of a square.
pub const SIDE: u32 = 56;
/// The radius of a man.
pub const RADIUS: u32 = 18;
/// How far a man lies from the middle of its square, to the right and down: the number needs the room.
const OFF: u32 = 5;
const LEFT: u32 = MARGIN as u32;
const WIDTH: u32 = 2 * LEFT + 8 * SIDE;
const TOP: u32 = heading(WIDTH) * 9 / 2;
const SMALL: u32 = small(WIDTH);
const HEIGHT: u32 = TOP + 8 * SIDE + SMALL + 34;

/// The ordinary men, beside the players' names.
const LOOKS: [Look; 2] = [
    Look { ink: Ink::BLACK, glyph: Glyph { name: "black", letter: 'b', form: Form::Disc } },
    Look { ink: Ink::WHITE, glyph: Glyph { name: "white", letter: 'w', form: Form::Disc } },
];

/// Returns the board as a drawing, with its margins.
pub fn drawing(board: &Checkered, strip: &Strip, still: &Still) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    let places = || (0..64).filter_map(|at| Some((Checkered::number(at / 8, at % 8)?, corner(at / 8, at % 8))));
    still.layer(&mut drawing, "field", &|| ("stroke-width=\"2\"".to_owned(), field()));
    let touched = places().filter(|(number, _)| board.last.contains(number));
    let touched: Vec<Shape> = touched.map(|(_, (x, y))| Shape::mark("touched", (x, y))).collect();
    if !touched.is_empty() {
        still.symbol(&mut drawing, "touched", &|| {
            format!("<path id=\"touched\" d=\"M0 0h{SIDE}v{SIDE}h-{SIDE}z\" fill=\"{}\"/>", palette::GLOW)
        });
        still.symbol(&mut drawing, "last", &|| ring("last", RADIUS as usize + 3));
        still.symbol(&mut drawing, "from", &ghost);
    }
    drawing.layer("stroke=\"none\"", touched);
    let men = places().filter_map(|(number, place)| Some((board.man(number)?, middle(place))));
    let men: Vec<(Man, (u32, u32))> = men.collect();
    for man in men.iter().map(|(man, _)| *man) {
        still.symbol(&mut drawing, man.letter().encode_utf8(&mut [0; 4]), &|| symbol(man));
    }
    let men = men.into_iter().map(|(man, at)| Shape::mark(man.letter(), at)).collect();
    drawing.layer("stroke-width=\"2\" stroke-linejoin=\"round\"", men);
    let ends = [("last", board.last.first()), ("from", board.last.last().filter(|_| board.last.len() > 1))];
    let ends = ends.into_iter().filter_map(|(symbol, end)| {
        let (_, place) = places().find(|(number, _)| Some(number) == end)?;
        Some(Shape::mark(symbol, middle(place)))
    });
    let numbers = || {
        let numbers = places().map(|(number, (x, y))| {
            let (x, y) = (x + 14, y + 3 + SMALL * 7 / 10);
            format!("<text x=\"{x}\" y=\"{y}\">{number}</text>").into()
        });
        let style = format!("font-size=\"{SMALL}\" fill=\"{}\" text-anchor=\"middle\"", palette::INK);
        (style, numbers.collect())
    };
    still.layer(&mut drawing, "numbers", &numbers);
    surround(&mut drawing, strip, &LOOKS, ends.collect(), still, &Vec::new);
    drawing
}

/// Returns the upper left corner of a square.
fn corner(row: usize, column: usize) -> (u32, u32) {
    (LEFT + column as u32 * SIDE, TOP + row as u32 * SIDE)
}

/// Returns the place of a man, by the corner of its square.
fn middle((x, y): (u32, u32)) -> (u32, u32) {
    (x + SIDE / 2 + OFF, y + SIDE / 2 + OFF)
}

/// Returns the board without anything on it.
fn field() -> Vec<Shape> {
    let all = 8 * SIDE;
    let dark = (0..64).filter(|at| Checkered::number(at / 8, at % 8).is_some()).map(|at| corner(at / 8, at % 8));
    let dark: String = dark.map(|(x, y)| format!("M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")).collect();
    let (light_square, dark_square, rule) = (palette::LIGHT_SQUARE, palette::DARK_SQUARE, palette::RULE);
    vec![
        paper(WIDTH, HEIGHT),
        format!("<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{all}\" height=\"{all}\" fill=\"{light_square}\" stroke=\"{rule}\"/>").into(),
        format!("<path d=\"{dark}\" fill=\"{dark_square}\"/>").into(),
    ]
}

/// Returns the symbol of a man: black ones have a ring inside and white ones two, kings a crown.
pub fn symbol(man: Man) -> String {
    let (id, first) = (man.letter(), man.seat == Seat::First);
    let (ink, line) = if first { (Ink::BLACK, palette::IVORY) } else { (Ink::WHITE, palette::EBONY) };
    let circle =
        |radius: u32, fill: &str, stroke: &str| format!("<circle r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\"/>");
    let disc = circle(RADIUS, ink.fill, ink.line);
    let inner = if man.king {
        let gem = if first { "" } else { "M-9 12h18" };
        format!("<path d=\"M-9 8l-2.5-12 5.5 5 6-9 6 9 5.5-5-2.5 12z{gem}\" fill=\"{line}\" stroke=\"{line}\"/>")
    } else {
        let second = if first { String::new() } else { circle(RADIUS - 12, "none", palette::RULE) };
        circle(RADIUS - 6, "none", palette::RULE) + &second
    };
    format!("<g id=\"{id}\">{disc}{inner}</g>")
}
