//! The board as people see it. Squares are numbered 1 to 32 from the top, with black at the top, as in the literature. The board
//! can be turned.

use game::tile_board::centered_svg;
use game::{
    Board, Caption, Display, Drawing, Emphasis, Form, Game, Glyph, Ground, Ink, MARGIN, PieceStyle, Rules, Seat, Shape,
    SharedLayers, TerminalStyle, Text, Tile, TileBoard, TileRow, Tone, add_margins, heading_size, palette, paper,
    ring_symbol, small_size, source_symbol, tile_board,
};

use crate::checkers::Checkers;
use crate::checkers::game::Move;
use crate::checkers::position::{SQUARES, bit};
use crate::view::View;

/// A board with numbered dark squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CheckersBoard {
    /// The side at the bottom, if the players chose one; otherwise it is white, as in the literature.
    pub viewer: Option<Seat>,
    /// The pieces on squares 1 to 32. `None` is a free square.
    pub squares: Vec<Option<BoardPiece>>,
    /// The squares of the last move, from its end back to its start.
    pub last_move: Vec<u8>,
}

/// A man or a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardPiece {
    /// The owner.
    pub seat: Seat,
    /// Whether the piece is a king.
    pub is_king: bool,
}

impl BoardPiece {
    /// Returns the letter in text and the symbol's id. Kings have capital letters.
    pub(super) fn letter(self) -> char {
        let letter = ['b', 'w'][self.seat.index()];
        if self.is_king { letter.to_ascii_uppercase() } else { letter }
    }
}

impl CheckersBoard {
    /// Returns the number of the square in this row and column from the viewer's top left, or `None` if it is light.
    fn square_number(&self, row: usize, column: usize) -> Option<u8> {
        if (row + column).is_multiple_of(2) {
            return None;
        }
        let number = (row * 4 + column / 2 + 1) as u8;
        Some(if self.is_turned() { SQUARES + 1 - number } else { number })
    }

    /// Whether black, the first seat, is at the bottom.
    fn is_turned(&self) -> bool {
        self.viewer == Some(Seat::First)
    }

    /// Returns the numbers of the first and the last square in this row from the viewer's top.
    fn row_ends(&self, row: usize) -> [u8; 2] {
        let mut numbers = (0..8).filter_map(|column| self.square_number(row, column));
        let first = numbers.next().unwrap_or_default();
        [first, numbers.next_back().unwrap_or_default()]
    }

    pub(super) fn piece(&self, number: u8) -> Option<BoardPiece> {
        self.squares.get(usize::from(number).checked_sub(1)?).copied().flatten()
    }

    /// Describes the squares of a side's men or kings, or returns `None` if it has none.
    fn squares_phrase(&self, seat: Seat, is_king: bool) -> Option<String> {
        let has_piece = |number: &u8| self.piece(*number) == Some(BoardPiece { seat, is_king });
        let squares: Vec<String> = (1..=SQUARES).filter(has_piece).map(|number| number.to_string()).collect();
        let subject = match (is_king, squares.len()) {
            (_, 0) => return None,
            (true, 1) => "a king on",
            (true, _) => "kings on",
            (false, 1) => "a man on",
            (false, _) => "men on",
        };
        Some(format!("{subject} {}", squares.join(", ")))
    }
}

// The board as text. `b` and `w` are men, capitals are kings, and parentheses mark the squares of the last move. Each
// row starts and ends with the number of its first and last square.

/// Returns the board as text.
fn board_text(board: &CheckersBoard) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        let [first, last] = board.row_ends(row);
        text.push_plain(format!("{first:>2} "));
        for column in 0..8 {
            let (tone, cell) = board
                .square_number(row, column)
                .map_or((Tone::default(), "   ".to_owned()), |number| square_text(board, number));
            text.push(tone, cell);
        }
        text.push_plain(format!(" {last:>2}"));
        text.end_line();
    }
    text.push_line("Black is b, White is w, kings are B and W");
    text
}

/// Returns the board for a terminal. Every dark square shows its number, and the viewer's side is at the bottom.
fn terminal_text(board: &CheckersBoard, style: &TerminalStyle) -> Text {
    let board = &CheckersBoard { viewer: Some(style.viewer), ..board.clone() };
    let mut text = Text::default();
    let edge = style.pick("─", "-").repeat(4 * 8);
    let wall = if style.colored { "" } else { style.pick("│", "|") };
    if !style.colored {
        text.push_line(format!(" {}{edge}{}", style.pick("┌", "+"), style.pick("┐", "+")));
    }
    for row in 0..8 {
        text.push_plain(format!(" {wall}"));
        for column in 0..8 {
            let Some(number) = board.square_number(row, column) else {
                text.push_on(style.colored.then_some(Ground::Light), Tone::default(), "    ");
                continue;
            };
            let is_last = board.last_move.contains(&number);
            let ground = style.colored.then_some(if is_last { Ground::Marked } else { Ground::Dark });
            text.push_on(ground, Tone { ink: None, emphasis: Emphasis::Dim }, format!("{number:>2}"));
            let (tone, _) = square_text(board, number);
            let piece = board.piece(number).map_or(' ', |piece| terminal_char(piece, style));
            text.push_on(ground, tone, format!("{piece}{}", if is_last { '*' } else { ' ' }));
        }
        text.push_plain(wall);
        text.end_line();
    }
    if !style.colored {
        text.push_line(format!(" {}{edge}{}", style.pick("└", "+"), style.pick("┘", "+")));
    }
    let [black, white, black_king, white_king] =
        [(Seat::First, false), (Seat::Second, false), (Seat::First, true), (Seat::Second, true)]
            .map(|(seat, is_king)| terminal_char(BoardPiece { seat, is_king }, style));
    text.push_line(format!("Black is {black}, White is {white}, kings are {black_king} and {white_king}."));
    text
}

fn terminal_char(piece: BoardPiece, style: &TerminalStyle) -> char {
    let figurines = if piece.is_king { ['♛', '♕'] } else { ['●', '○'] };
    style.pick(figurines[piece.seat.index()], piece.letter())
}

fn square_text(board: &CheckersBoard, number: u8) -> (Tone, String) {
    let piece = board.piece(number);
    let letter = piece.map_or('.', |piece| piece.letter());
    let ink = piece.map(|piece| if piece.seat == Seat::First { Ink::BLACK } else { Ink::WHITE });
    let (emphasis, text) = if board.last_move.contains(&number) {
        (Emphasis::LastMove, format!("({letter})"))
    } else {
        (if piece.is_some() { Emphasis::None } else { Emphasis::Dim }, format!(" {letter} "))
    };
    (Tone { ink, emphasis }, text)
}

// The board as tiles, one for each square. Free dark squares show their number.

/// Returns the board as tiles. The cells are the numbers of the dark squares.
fn tile_board(board: &CheckersBoard) -> TileBoard {
    let square = |row: usize, column: usize| match board.square_number(row, column) {
        Some(number) => tile(board, number),
        None => Tile::margin(
            SQUARE_SIZE,
            centered_svg(
                SQUARE_SIZE,
                SQUARE_SIZE,
                &tile_board::background(SQUARE_SIZE, SQUARE_SIZE, palette::LIGHT_SQUARE),
            ),
        ),
    };
    let row = |row: usize| {
        let tiles = (0..8).map(|column| square(row, column)).collect();
        let number = if board.is_turned() { 8 - row } else { row + 1 };
        TileRow { name: Some(format!("Row {number}")), tiles }
    };
    TileBoard { rows: (0..8).map(row).collect(), page_width: 480 }
}

fn tile(board: &CheckersBoard, number: u8) -> Tile {
    let (piece, step) = (board.piece(number), board.last_move.iter().position(|last| *last == number));
    let color = if step.is_some() { palette::GLOW } else { palette::DARK_SQUARE };
    let mut body = tile_board::background(SQUARE_SIZE, SQUARE_SIZE, color);
    let mark = match step {
        Some(0) => ring_symbol("last", PIECE_RADIUS as usize + 3),
        Some(_) if step.map(|step| step + 1) == Some(board.last_move.len()) => source_symbol(),
        _ => String::new(),
    };
    match piece {
        Some(piece) => {
            // The tile has no number, so the piece can be larger.
            let style = "transform=\"scale(1.2)\" stroke-width=\"2\" stroke-linejoin=\"round\"";
            body += &format!("<g {style}>{}{mark}</g>\n", piece_symbol(piece));
        }
        None => {
            let style = format!("font-size=\"21\" fill=\"{}\" text-anchor=\"middle\"", palette::INK);
            let mark = if mark.is_empty() { mark } else { format!("<g transform=\"scale(1.7)\">{mark}</g>") };
            body += &format!("{mark}<text y=\"8\" font-family=\"system-ui,sans-serif\" {style}>{number}</text>\n");
        }
    }
    let name = piece.map(|BoardPiece { seat, is_king }| {
        let side = ["black", "white"][seat.index()];
        format!("{side} {}", if is_king { "king" } else { "man" })
    });
    let alt_text = tile_board::alt_text(&number.to_string(), name.as_deref(), step == Some(0));
    Tile {
        cell: Some(usize::from(number)),
        alt_text,
        width: SQUARE_SIZE,
        svg: centered_svg(SQUARE_SIZE, SQUARE_SIZE, &body),
    }
}

// The board as a drawing. Each dark square has its number in the top left corner.
// All lengths are in pixels.

/// The side of a square.
const SQUARE_SIZE: u32 = 56;
/// The radius of a piece.
const PIECE_RADIUS: u32 = 18;
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
pub(super) fn draw(board: &CheckersBoard, caption: &Caption, shared: &SharedLayers) -> Drawing {
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
fn piece_symbol(piece: BoardPiece) -> String {
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

// Shows a game as a board.

impl Board for CheckersBoard {
    fn text(&self) -> Text {
        board_text(self)
    }

    fn terminal_text(&self, style: &TerminalStyle) -> Text {
        terminal_text(self, style)
    }

    fn description(&self) -> String {
        let side = |seat: Seat| {
            let kinds: Vec<String> =
                [false, true].into_iter().filter_map(|king| self.squares_phrase(seat, king)).collect();
            let kinds = if kinds.is_empty() { "no pieces".to_owned() } else { kinds.join("; ") };
            format!("{}: {kinds}.", Checkers::INFO.side_name(seat))
        };
        let mut sentences: Vec<String> = Seat::BOTH.into_iter().map(side).collect();
        if let Some((from, path)) = self.last_move.split_last() {
            let path: Vec<String> = path.iter().rev().map(u8::to_string).collect();
            sentences.push(format!("The last move went from {from} to {}.", path.join(" and then ")));
        }
        sentences.join(" ")
    }

    fn drawing(&self, caption: &Caption, shared: &SharedLayers) -> Drawing {
        draw(self, caption, shared)
    }

    fn page_width(&self) -> usize {
        480
    }

    fn tile_board(&self, _is_playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        Some(tile_board(self))
    }

    fn viewer(&self) -> Option<Seat> {
        self.viewer
    }

    fn set_viewer(&mut self, viewer: Seat) {
        self.viewer = Some(viewer);
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let squares = self
            .squares
            .iter()
            .map(|piece| piece.map(|piece| BoardPiece { seat: piece.seat.other(), ..piece }))
            .collect();
        Box::new(CheckersBoard { squares, ..self.clone() })
    }
}

impl Display for Checkers {
    fn board(&self, last_move: Option<&Move>) -> Box<dyn Board> {
        let bitboards = &self.bitboards;
        let piece = |square: u64| {
            let owner = Seat::BOTH.into_iter().find(|seat| bitboards.by_seat[seat.index()] & square != 0)?;
            Some(BoardPiece { seat: owner, is_king: bitboards.kings & square != 0 })
        };
        Box::new(CheckersBoard {
            viewer: self.view.map(|view| match view {
                View::White => Seat::Second,
                View::Black => Seat::First,
                View::Turn => self.side_to_move(),
            }),
            squares: (0..SQUARES).map(|square| piece(bit(square))).collect(),
            last_move: last_move.map_or(Vec::new(), |mv| mv.path.iter().rev().copied().collect()),
        })
    }

    fn source_cell(&self, mv: &Move) -> Option<usize> {
        Some(usize::from(*mv.path.first()?))
    }
}
