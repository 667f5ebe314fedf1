//! The board as it is shown: 64 squares, seen from one side.

pub(super) mod drawing;

use std::iter::once;

use cozy_chess::{Piece, Square};
use game::tile_board::centered_svg;
use game::{
    Emphasis, Game, Ground, Ink, Seat, TerminalStyle, Text, Tile, TileBoard, TileRow, Tone, corners_symbol, palette,
    source_symbol, tile_board,
};

use crate::chess::board::drawing::{SQUARE_SIZE, check_symbol};
use crate::chess::notation::{color_name, piece_name, to_color};
use crate::chess::{Chess, symbol};

/// The kinds of pieces, in the order that descriptions list them.
const PIECE_ORDER: [Piece; Piece::NUM] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// A chess board to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChessBoard {
    /// The seat from whose side the board is shown.
    pub viewer: Seat,
    /// Whether the text board shows figurines instead of letters.
    pub figurines: bool,
    /// The piece on each square, in the order of [`Square::ALL`]: a1, b1, and so on.
    pub pieces: [Option<ColoredPiece>; Square::NUM],
    /// The squares of the last move: its target, then its origin.
    pub last_move: Vec<Square>,
    /// The square of a king in check.
    pub checked_king: Option<Square>,
    /// The pieces that each seat has lost, strongest first.
    pub captured: [Vec<Piece>; 2],
}

/// A piece with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColoredPiece {
    /// The owner.
    pub seat: Seat,
    /// The kind of piece.
    pub piece: Piece,
}

impl ChessBoard {
    /// Returns the piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<ColoredPiece> {
        self.pieces[square as usize]
    }

    /// Returns the square at a row and column, counted from the viewer's top left.
    pub fn square_at(&self, row: usize, column: usize) -> Square {
        let (rank, file) = if self.viewer == Seat::First { (7 - row.min(7), column) } else { (row, 7 - column.min(7)) };
        Square::index((rank.min(7)) * 8 + file.min(7))
    }
}

// The board as text, in letters or figurines. Uppercase is white, parentheses mark the squares of the last move, and
// brackets a king in check.

/// The figurines of each side, in the order of [`PIECE_ORDER`]. Without its variation selector, the black pawn is an emoji on many
/// terminals and phones, with a color of its own.
const FIGURINES: [[&str; 6]; 2] = [["♔", "♕", "♖", "♗", "♘", "♙"], ["♚", "♛", "♜", "♝", "♞", "♟\u{fe0e}"]];
/// The letters of each side as in FEN, in the same order.
const LETTERS: [[&str; 6]; 2] = [["K", "Q", "R", "B", "N", "P"], ["k", "q", "r", "b", "n", "p"]];

/// Formats the board.
pub(super) fn board_text(view: &ChessBoard) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        text.push_plain(format!("{} ", view.square_at(row, 0).rank()));
        for column in 0..8 {
            let (tone, content) = square_text(view, view.square_at(row, column), ".", |piece| piece_text(view, piece));
            text.push(tone, content);
        }
        text.end_line();
    }
    let files = (0..8).map(|column| format!(" {} ", view.square_at(0, column).file()));
    text.push_line(format!("  {}", files.collect::<String>()));
    text.push_line(format!("White is {}, Black is {}", all_pieces(view, Seat::First), all_pieces(view, Seat::Second)));
    let captured = Seat::BOTH.map(|seat| {
        view.captured[seat.index()].iter().map(move |piece| piece_text(view, ColoredPiece { seat, piece: *piece }))
    });
    let captured: String = captured.into_iter().flatten().collect();
    if !captured.is_empty() {
        text.push_line(format!("captured: {captured}"));
    }
    text
}

/// Formats the board for a terminal: with shaded squares, or with an edge and dots on the dark squares.
pub(super) fn terminal_text(view: &ChessBoard, style: &TerminalStyle) -> Text {
    let mut text = Text::default();
    let edge = style.pick("─", "-").repeat(24);
    let wall = if style.colored { "" } else { style.pick("│", "|") };
    let margin = if style.colored { "   " } else { "    " };
    if !style.colored {
        text.push_line(format!("   {}{edge}{}", style.pick("┌", "+"), style.pick("┐", "+")));
    }
    for row in 0..8 {
        text.push_plain(format!(" {} {wall}", view.square_at(row, 0).rank()));
        for column in 0..8 {
            let square = view.square_at(row, column);
            let is_dark = (square.file() as usize + square.rank() as usize).is_multiple_of(2);
            let free = if is_dark && !style.colored { style.pick("·", ".") } else { " " };
            // The filled figurines are easier to see on a shaded square, and their color shows the side.
            let character = |piece: ColoredPiece| {
                let seat = if style.colored && view.figurines { Seat::Second } else { piece.seat };
                piece_text(view, ColoredPiece { seat, ..piece })
            };
            let (tone, content) = square_text(view, square, free, character);
            let ground = match tone.emphasis {
                Emphasis::WinningLine => Ground::Alert,
                Emphasis::LastMove => Ground::Marked,
                _ if is_dark => Ground::Dark,
                _ => Ground::Light,
            };
            text.push_on(style.colored.then_some(ground), tone, content);
        }
        text.push_plain(wall);
        text.end_line();
    }
    if !style.colored {
        text.push_line(format!("   {}{edge}{}", style.pick("└", "+"), style.pick("┘", "+")));
    }
    let files = (0..8).map(|column| format!(" {} ", view.square_at(0, column).file()));
    text.push_line(format!("{margin}{}", files.collect::<String>()));
    if !(style.colored && view.figurines) {
        text.push_line(format!(
            "White is {}, Black is {}.",
            all_pieces(view, Seat::First),
            all_pieces(view, Seat::Second)
        ));
    }
    let lost = Seat::BOTH.into_iter().filter(|seat| !view.captured[seat.index()].is_empty());
    let lost = lost.map(|seat| {
        let pieces =
            view.captured[seat.index()].iter().map(|piece| piece_text(view, ColoredPiece { seat, piece: *piece }));
        format!("{} has lost {}", ["White", "Black"][seat.index()], pieces.collect::<String>())
    });
    let lost: Vec<String> = lost.collect();
    if !lost.is_empty() {
        text.push_line(format!("{}.", lost.join(", ")));
    }
    text
}

/// Returns the characters of a side's pieces.
fn all_pieces(view: &ChessBoard, seat: Seat) -> String {
    PIECE_ORDER.map(|piece| piece_text(view, ColoredPiece { seat, piece })).into_iter().collect()
}

/// Returns the tone and the three characters of a square. `free` is the character of a free square.
fn square_text(
    view: &ChessBoard,
    square: Square,
    free: &'static str,
    character: impl Fn(ColoredPiece) -> &'static str,
) -> (Tone, String) {
    let piece = view.piece_at(square);
    let c = piece.map_or(free, character);
    let ink = piece.map(|piece| if piece.seat == Seat::First { Ink::WHITE } else { Ink::BLACK });
    let (emphasis, content) = if view.checked_king == Some(square) {
        (Emphasis::WinningLine, format!("[{c}]"))
    } else if view.last_move.contains(&square) {
        (Emphasis::LastMove, format!("({c})"))
    } else {
        (if piece.is_some() { Emphasis::None } else { Emphasis::Dim }, format!(" {c} "))
    };
    (Tone { ink, emphasis }, content)
}

/// Returns the figurine of a piece, or its letter.
fn piece_text(view: &ChessBoard, ColoredPiece { seat, piece }: ColoredPiece) -> &'static str {
    let index = PIECE_ORDER.iter().position(|kind| *kind == piece).unwrap_or_default();
    let texts = if view.figurines { FIGURINES } else { LETTERS };
    texts[seat.index()][index]
}

// The board as a table of small pictures, one for each square.

/// The SVG style of pieces.
const PIECE_STYLE: &str = "fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";

/// Returns the board as tiles. Cells are numbered in the order of [`cozy_chess::Square::ALL`].
pub(super) fn draw_tiles(view: &ChessBoard) -> TileBoard {
    let row = |row: usize| {
        let rank = view.square_at(row, 0).rank().to_string();
        let tiles = (0..8).map(|column| square_tile(view, row, column));
        TileRow {
            name: Some(format!("Row {rank}")),
            tiles: once(tile_board::row_number_tile(&rank, SQUARE_SIZE)).chain(tiles).collect(),
        }
    };
    let mut board = TileBoard { rows: (0..8).map(row).collect(), page_width: 480 };
    let margin = board.width() - 8 * SQUARE_SIZE;
    let files = (0..8).map(|column| {
        (margin + column as u32 * SQUARE_SIZE + SQUARE_SIZE / 2, char::from(view.square_at(0, column).file()))
    });
    board.rows.push(tile_board::column_letters_row(files, board.width(), SQUARE_SIZE));
    let (above, below) = (captured_row(view, view.viewer, margin), captured_row(view, view.viewer.other(), margin));
    board.rows = above.into_iter().chain(board.rows).chain(below).collect();
    board
}

/// Returns a row with the pieces that a seat has lost; `None` if it has lost none.
fn captured_row(view: &ChessBoard, seat: Seat, margin: u32) -> Option<TileRow> {
    let captured = &view.captured[seat.index()];
    if captured.is_empty() {
        return None;
    }
    let (width, height) = (SQUARE_SIZE / 2, SQUARE_SIZE * 3 / 5);
    let tile = |piece: &Piece| {
        let symbol = symbol(ColoredPiece { seat, piece: *piece });
        let shape = format!("<g transform=\"scale(.5)\" {PIECE_STYLE}>{symbol}</g>\n");
        let svg = centered_svg(width, height, &(tile_board::background(width, height, palette::PAPER) + &shape));
        let alt_text = format!("lost: {} {}", color_name(to_color(seat)), piece_name(*piece));
        Tile { alt_text, ..Tile::margin(width, svg) }
    };
    let rest = (8 * SQUARE_SIZE).saturating_sub(captured.len() as u32 * width);
    let tiles =
        once(Tile::blank(margin, height)).chain(captured.iter().map(tile)).chain(once(Tile::blank(rest, height)));
    Some(TileRow { name: None, tiles: tiles.collect() })
}

fn square_tile(view: &ChessBoard, row: usize, column: usize) -> Tile {
    let square = view.square_at(row, column);
    let (piece, is_checked) = (view.piece_at(square), view.checked_king == Some(square));
    let color = if view.last_move.contains(&square) {
        palette::GLOW
    } else if (row + column).is_multiple_of(2) {
        palette::LIGHT_SQUARE
    } else {
        palette::DARK_SQUARE
    };
    let check = if is_checked { check_symbol() } else { String::new() };
    let symbol = piece.map_or(String::new(), symbol);
    let mark = match view.last_move.iter().position(|marked| *marked == square) {
        Some(0) => corners_symbol("last", SQUARE_SIZE / 2 - 4, 3, true),
        Some(1) => source_symbol(),
        _ => String::new(),
    };
    let mut body = tile_board::background(SQUARE_SIZE, SQUARE_SIZE, color);
    if !(check.is_empty() && symbol.is_empty() && mark.is_empty()) {
        body += &format!("<g {PIECE_STYLE}>{check}{symbol}{mark}</g>\n");
    }
    let content =
        piece.map(|ColoredPiece { seat, piece }| format!("{} {}", color_name(to_color(seat)), piece_name(piece)));
    let is_target = view.last_move.first() == Some(&square);
    let mut alt_text = tile_board::alt_text(&square.to_string(), content.as_deref(), is_target);
    if is_checked {
        alt_text += ", in check";
    }
    let svg = centered_svg(SQUARE_SIZE, SQUARE_SIZE, &body);
    Tile { cell: Some(square as usize), alt_text, width: SQUARE_SIZE, svg }
}

// The board in words, for screen readers.

/// Describes the position in one paragraph.
pub(super) fn describe(view: &ChessBoard) -> String {
    let mut sentences: Vec<String> = Seat::BOTH.into_iter().map(|seat| describe_pieces(view, seat)).collect();
    if let [to, from, ..] = view.last_move[..] {
        sentences.push(format!("The last move went from {from} to {to}."));
    }
    if let Some(square) = view.checked_king
        && let Some(king) = view.piece_at(square)
    {
        sentences.push(format!("The {} king on {square} is in check.", color_name(to_color(king.seat))));
    }
    let captured = Seat::BOTH.into_iter().filter_map(|seat| describe_captured(&view.captured[seat.index()], seat));
    sentences.extend(captured);
    sentences.join(" ")
}

/// Lists the pieces of a side with their squares.
fn describe_pieces(view: &ChessBoard, seat: Seat) -> String {
    let mut kinds = Vec::new();
    for piece in PIECE_ORDER {
        let is_here = |square: &Square| view.piece_at(*square) == Some(ColoredPiece { seat, piece });
        let squares: Vec<String> = Square::ALL.into_iter().filter(is_here).map(|square| square.to_string()).collect();
        if !squares.is_empty() {
            let plural = if squares.len() > 1 { "s" } else { "" };
            kinds.push(format!("{}{plural} {}", piece_name(piece), squares.join(", ")));
        }
    }
    format!("{}: {}.", Chess::INFO.side_name(seat), kinds.join("; "))
}

/// Lists the pieces that a side has lost; `None` if it has lost none.
fn describe_captured(captured: &[Piece], seat: Seat) -> Option<String> {
    if captured.is_empty() {
        return None;
    }
    let mut kinds = Vec::new();
    for piece in PIECE_ORDER {
        let count = captured.iter().filter(|captured| **captured == piece).count();
        if count > 0 {
            let plural = if count > 1 { "s" } else { "" };
            kinds.push(format!("{count} {}{plural}", piece_name(piece)));
        }
    }
    Some(format!("{} has lost {}.", Chess::INFO.side_name(seat), kinds.join(", ")))
}
