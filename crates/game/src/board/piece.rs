//! Pieces: their owner, name and look.

use crate::board::drawing::palette::Ink;
use crate::board::text::TerminalStyle;
use crate::phrase::capitalize;
use crate::seat::Seat;

/// A piece on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The owner, which determines the color.
    pub seat: Seat,
    /// The kind of piece.
    pub glyph: Glyph,
}

/// A kind of piece. Within a game, no two kinds share a name or a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// The name in a sentence: `X`, `red`, `black king`.
    pub name: &'static str,
    /// The ASCII letter in text, and the symbol's id in drawings.
    pub letter: char,
    /// The shape in drawings.
    pub form: Form,
}

/// The shape of a piece.
///
/// Pieces never differ in color alone: if both seats use a filled form, the second seat's pieces have a bright center.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Two crossed strokes.
    Cross,
    /// An unfilled circle.
    Ring,
    /// A filled circle.
    Disc,
    /// A filled SVG path within a square from -50 to 50.
    Path(&'static str),
}

/// The style of a seat's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceStyle {
    /// The color of all pieces.
    pub ink: Ink,
    /// The ordinary piece, also shown next to the player's name.
    pub glyph: Glyph,
}

/// Returns the ordinary piece of a seat.
pub fn ordinary_piece(styles: &[PieceStyle; 2], seat: Seat) -> Piece {
    Piece { seat, glyph: styles[seat.index()].glyph }
}

/// Returns the cells with the owners of the pieces swapped. A seat's ordinary piece becomes the opponent's ordinary piece.
pub fn swap_seats(cells: &[Option<Piece>], styles: &[PieceStyle; 2]) -> Vec<Option<Piece>> {
    let swap = |piece: Piece| {
        let other = ordinary_piece(styles, piece.seat.other());
        if piece == ordinary_piece(styles, piece.seat) { other } else { Piece { seat: other.seat, ..piece } }
    };
    cells.iter().map(|cell| cell.map(swap)).collect()
}

/// Returns an explanation of the pieces' letters: `Red is R, Yellow is Y`. `None` if the pieces are named by their letters.
pub fn legend(styles: &[PieceStyle; 2]) -> Option<String> {
    legend_with(styles, |_, glyph| glyph.letter)
}

/// Returns the same legend with terminal characters: `Red is ●, Yellow is ○`.
pub fn terminal_legend(styles: &[PieceStyle; 2], style: &TerminalStyle) -> Option<String> {
    legend_with(styles, |seat, glyph| terminal_char(Piece { seat, glyph }, style))
}

fn legend_with(styles: &[PieceStyle; 2], character: impl Fn(Seat, Glyph) -> char) -> Option<String> {
    let entries = Seat::BOTH.into_iter().zip(styles);
    let entries = entries.filter(|(_, style)| style.glyph.name != style.glyph.letter.to_string());
    let entries: Vec<String> = entries
        .map(|(seat, style)| format!("{} is {}", capitalize(style.glyph.name), character(seat, style.glyph)))
        .collect();
    if entries.is_empty() { None } else { Some(entries.join(", ")) }
}

/// Returns the terminal character of a piece: a disc or its letter. Black's disc is filled. In a game without Black,
/// it's the first seat's.
pub fn terminal_char(piece: Piece, style: &TerminalStyle) -> char {
    let is_filled = match piece.glyph.name {
        "black" => true,
        "white" => false,
        _ => piece.seat == Seat::First,
    };
    match piece.glyph.form {
        Form::Disc => style.pick(if is_filled { '●' } else { '○' }, piece.glyph.letter),
        _ => piece.glyph.letter,
    }
}
