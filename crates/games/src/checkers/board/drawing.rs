//! The board as a drawing. Each dark square has its number in the top left corner.
//! All lengths are in pixels.

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
/// The radius of a piece.
pub const PIECE_RADIUS: u32 = 18;
/// How far right and down of the square's center a piece is drawn, to leave room for the number.
const PIECE_OFFSET: u32 = 5;
const LEFT: u32 = MARGIN as u32;
const WIDTH: u32 = 2 * LEFT + 8 * SQUARE_SIZE;
const TOP: u32 = heading_size(WIDTH) * 9 / 2;
const LABEL_SIZE: u32 = small_size(WIDTH);
const HEIGHT: u32 = TOP + 8 * SQUARE_SIZE + LABEL_SIZE + 34;

/// The ordinary pieces, shown next to the players' names.
const STYLES: [PieceStyle; 2] = [
    PieceStyle { ink: Ink::BLACK, glyph: Glyph { name: "black", letter: 'b', form: Form::Disc } },
    PieceStyle { ink: Ink::WHITE, glyph: Glyph { name: "white", letter: 'w', form: Form::Disc } },
];

/// Draws the board with its caption.
pub fn draw(board: &CheckersBoard, caption: &Caption, shared: &SharedLayers) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, HEIGHT, [LEFT, TOP, 8 * SQUARE_SIZE, 8 * SQUARE_SIZE]);
    let squares = || {
        (0..64)
            .filter_map(|index| Some((board.square_number(index / 8, index % 8)?, square_corner(index / 8, index % 8))))
    };
    shared.add_layer(&mut drawing, "field", &|| ("stroke-width=\"2\"".to_owned(), empty_board()));
    let visited = squares().filter(|(number, _)| board.last_move.contains(number));
    let visited: Vec<Shape> = visited.map(|(_, (x, y))| Shape::mark("touched", (x, y))).collect();
    if !visited.is_empty() {
        shared.add_symbol(&mut drawing, "touched", &|| {
            format!(
                "<path id=\"touched\" d=\"M0 0h{SQUARE_SIZE}v{SQUARE_SIZE}h-{SQUARE_SIZE}z\" fill=\"{}\"/>",
                palette::GLOW
            )
        });
        shared.add_symbol(&mut drawing, "last", &|| ring_symbol("last", PIECE_RADIUS as usize + 3));
        shared.add_symbol(&mut drawing, "from", &source_symbol);
    }
    drawing.add_layer("stroke=\"none\"", visited);
    let pieces = squares().filter_map(|(number, corner)| Some((board.piece(number)?, piece_center(corner))));
    let pieces: Vec<(BoardPiece, (u32, u32))> = pieces.collect();
    for piece in pieces.iter().map(|(piece, _)| *piece) {
        shared.add_symbol(&mut drawing, piece.letter().encode_utf8(&mut [0; 4]), &|| piece_symbol(piece));
    }
    let pieces = pieces.into_iter().map(|(piece, index)| Shape::mark(piece.letter(), index)).collect();
    drawing.add_layer("stroke-width=\"2\" stroke-linejoin=\"round\"", pieces);
    let start = if board.last_move.len() > 1 { board.last_move.last() } else { None };
    let ends = [("last", board.last_move.first()), ("from", start)].into_iter().filter_map(|(symbol, end)| {
        let (_, corner) = squares().find(|(number, _)| Some(number) == end)?;
        Some(Shape::mark(symbol, piece_center(corner)))
    });
    let numbers = || {
        let numbers = squares().map(|(number, (x, y))| {
            let (x, y) = (x + 14, y + 3 + LABEL_SIZE * 7 / 10);
            format!("<text x=\"{x}\" y=\"{y}\">{number}</text>").into()
        });
        // A piece covers a part of its square's number.
        let style = format!(
            "font-size=\"{LABEL_SIZE}\" fill=\"{}\" text-anchor=\"middle\" stroke=\"{}\" stroke-width=\"4\" paint-order=\"stroke\"",
            palette::INK,
            palette::DARK_SQUARE
        );
        (style, numbers.collect())
    };
    shared.add_layer(&mut drawing, "numbers", &numbers);
    add_margins(&mut drawing, caption, &STYLES, ends.collect(), shared, None, &Vec::new);
    drawing
}

/// Returns the top left corner of a square.
fn square_corner(row: usize, column: usize) -> (u32, u32) {
    (LEFT + column as u32 * SQUARE_SIZE, TOP + row as u32 * SQUARE_SIZE)
}

/// Returns the center of a piece, given the corner of its square.
fn piece_center((x, y): (u32, u32)) -> (u32, u32) {
    (x + SQUARE_SIZE / 2 + PIECE_OFFSET, y + SQUARE_SIZE / 2 + PIECE_OFFSET)
}

/// Returns the shapes of the empty board.
fn empty_board() -> Vec<Shape> {
    let size = 8 * SQUARE_SIZE;
    let dark =
        (0..64).filter(|index| (index / 8 + index % 8) % 2 == 1).map(|index| square_corner(index / 8, index % 8));
    let dark: String = dark.map(|(x, y)| format!("M{x} {y}h{SQUARE_SIZE}v{SQUARE_SIZE}h-{SQUARE_SIZE}z")).collect();
    let (light_square, dark_square, border) = (palette::LIGHT_SQUARE, palette::DARK_SQUARE, palette::GRID_LINE);
    vec![
        paper(WIDTH, HEIGHT),
        format!("<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{size}\" height=\"{size}\" fill=\"{light_square}\" stroke=\"{border}\"/>").into(),
        format!("<path d=\"{dark}\" fill=\"{dark_square}\"/>").into(),
    ]
}

/// Returns the symbol of a piece. Black men have one inner ring, white men have two, and kings have a crown.
pub fn piece_symbol(piece: BoardPiece) -> String {
    let (id, is_black) = (piece.letter(), piece.seat == Seat::First);
    let (ink, line) = if is_black { (Ink::BLACK, palette::IVORY) } else { (Ink::WHITE, palette::EBONY) };
    let circle =
        |radius: u32, fill: &str, stroke: &str| format!("<circle r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\"/>");
    let disc = circle(PIECE_RADIUS, ink.fill, ink.stroke);
    let inner = if piece.is_king {
        let gem = if is_black { "" } else { "M-9 12h18" };
        format!("<path d=\"M-9 8l-2.5-12 5.5 5 6-9 6 9 5.5-5-2.5 12z{gem}\" fill=\"{line}\" stroke=\"{line}\"/>")
    } else {
        let second = if is_black { String::new() } else { circle(PIECE_RADIUS - 12, "none", palette::GRID_LINE) };
        circle(PIECE_RADIUS - 6, "none", palette::GRID_LINE) + &second
    };
    format!("<g id=\"{id}\">{disc}{inner}</g>")
}
