//! Boards as people see them: as text, as an SVG drawing, as clickable tiles, and as a description for screen readers.
//!
//! Each kind of board implements [`Board`]. [`grid::Grid`] is a rectangle of cells; a board that only one game uses
//! lives with that game. The other modules hold their shared parts.

pub mod drawing;
pub mod grid;
pub mod replay;
pub mod text;
pub mod tile_board;

use std::any::Any;
use std::fmt::Debug;

use crate::{Caption, Drawing, PaletteColor, Seat, SharedLayers, TerminalStyle, Text, TileBoard, capitalize};

/// A board in any output format. Callers can downcast it to its concrete type through [`Any`].
pub trait Board: Any + Debug {
    /// Returns the board as text for a fixed-width font.
    ///
    /// Colors are optional and add no information. `(X)` marks the last move, and `[X]` a completed line.
    fn text(&self) -> Text;

    /// Returns the board for a terminal, with edges and shaded squares. Any numbers on it, such as those of
    /// backgammon's points, are the ones that the player to move types.
    fn terminal_text(&self, style: &TerminalStyle) -> Text;

    /// Returns a description of the whole position for alt texts: one paragraph without Markdown characters.
    fn description(&self) -> String;

    /// Returns the board as a drawing with a caption. Drawings of one game share unchanged layers through `shared`.
    fn drawing(&self, caption: &Caption, shared: &SharedLayers) -> Drawing;

    /// Returns the maximum width on a page, in CSS pixels.
    fn page_width(&self) -> usize;

    /// Returns the board as clickable tiles, or `None` if the game's moves have no cells. `is_playable` says which
    /// cells are links.
    fn tile_board(&self, _is_playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        None
    }

    /// Returns the seat from whose side the board is drawn, or `None` if it looks the same from both.
    fn viewer(&self) -> Option<Seat> {
        None
    }

    /// Returns the board with the owners of all pieces swapped. `conformance` checks that this
    /// changes text, drawing and description.
    fn with_seats_swapped(&self) -> Box<dyn Board>;

    /// Returns what a page shows beside a player's name.
    fn side_facts(&self, seat: Seat) -> SideFacts;

    /// Shows the board from the side of a seat, if it has sides.
    fn set_viewer(&mut self, _viewer: Seat) {}

    /// Marks another cell as part of the last move, if the board marks cells.
    fn mark_last_move(&mut self, _cell: usize) {}

    /// Stops showing legal moves, for boards of past positions.
    fn hide_legal_moves(&mut self) {}
}

/// What a page shows beside a player's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideFacts {
    /// The id of the symbol of the player's ordinary piece in the drawing.
    pub piece: String,
    /// The ids of the pieces that the player captured, strongest first.
    pub captured: Vec<String>,
    /// How the player stands: `13 discs`; empty if there is nothing to count.
    pub note: String,
}

impl SideFacts {
    /// Returns the facts of a side with this piece and nothing else.
    pub fn of_piece(piece: PieceKind) -> SideFacts {
        SideFacts { piece: piece.letter.to_string(), ..SideFacts::default() }
    }
}

// Parts of board descriptions for screen readers. They contain no Markdown characters.

/// Returns the pieces on the cells that `include` accepts, one entry for each kind: "X on a1, b2". The first seat comes
/// first.
pub fn piece_list(
    cells: &[Option<Piece>],
    name: &dyn Fn(usize) -> String,
    include: impl Fn(usize) -> bool,
) -> Vec<String> {
    let mut kinds: Vec<(Seat, &str, Vec<String>)> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let Some(Piece { seat, kind }) = *cell else { continue };
        if !include(index) {
            continue;
        }
        match kinds.iter_mut().find(|(owner, name, _)| (*owner, *name) == (seat, kind.name)) {
            Some((.., cells)) => cells.push(name(index)),
            None => kinds.push((seat, kind.name, vec![name(index)])),
        }
    }
    kinds.sort_by_key(|(owner, ..)| *owner);
    kinds.into_iter().map(|(_, kind, cells)| format!("{kind} on {}", cells.join(", "))).collect()
}

/// Returns phrases for the pieces, the number of free cells, and the last move: "X on a1, b2", "7 cells free".
pub fn cell_phrases(cells: &[Option<Piece>], last: &[usize], name: &dyn Fn(usize) -> String) -> Vec<String> {
    let mut phrases = piece_list(cells, name, |_| true);
    let free = cells.iter().filter(|cell| cell.is_none()).count();
    phrases.push(format!("{free} cell{} free", if free == 1 { "" } else { "s" }));
    if !last.is_empty() {
        phrases.push(format!("the {}", last_move(last, name)));
    }
    phrases
}

/// Returns the ends of a line: "a1 to c3".
pub fn line_ends(line: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let end = |cell: Option<&usize>| cell.map_or(String::new(), |cell| name(*cell));
    format!("{} to {}", end(line.first()), end(line.last()))
}

/// Returns a phrase for the last move, or for a move and the computer's reply: "last move is c3", "last moves are a3, b2".
pub fn last_move(cells: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let verb = if cells.len() == 1 { "move is" } else { "moves are" };
    format!("last {verb} {}", cell_list(cells, name))
}

/// Returns the names of cells: "e2, e4".
pub fn cell_list(cells: &[usize], name: &dyn Fn(usize) -> String) -> String {
    cells.iter().map(|cell| name(*cell)).collect::<Vec<_>>().join(", ")
}

// Pieces: their owner, name and look.

/// A piece on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The owner, which determines the color.
    pub seat: Seat,
    /// The kind of piece.
    pub kind: PieceKind,
}

/// A kind of piece. Within a game, no two kinds share a name or a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceKind {
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
    /// A man of checkers: a filled circle with rings.
    Man,
    /// A king of checkers: a filled circle with a crown.
    King,
    /// A chess piece.
    Figure {
        /// The filled outline, as an SVG path within a square from -25 to 25.
        outline: &'static str,
        /// The inner lines, as another path.
        lines: &'static str,
        /// The figurine in text.
        figurine: &'static str,
    },
}

/// The style of a seat's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceStyle {
    /// The color of all pieces.
    pub color: PaletteColor,
    /// The ordinary piece, also shown next to the player's name.
    pub kind: PieceKind,
}

/// Returns the ordinary piece of a seat.
pub fn ordinary_piece(styles: &[PieceStyle; 2], seat: Seat) -> Piece {
    Piece { seat, kind: styles[seat.index()].kind }
}

/// Returns the cells with the owners of the pieces swapped. A seat's ordinary piece becomes the opponent's ordinary piece.
pub fn swap_seats(cells: &[Option<Piece>], styles: &[PieceStyle; 2]) -> Vec<Option<Piece>> {
    let swap = |piece: Piece| {
        let other = ordinary_piece(styles, piece.seat.other());
        if piece == ordinary_piece(styles, piece.seat) { other } else { Piece { seat: other.seat, ..piece } }
    };
    cells.iter().map(|cell| cell.map(swap)).collect()
}

/// Returns an explanation of the pieces' characters: `Red is R, Yellow is Y`, or `Red is ●, Yellow is ○` with `unicode`.
/// `None` if the pieces are named by their letters.
pub fn legend(styles: &[PieceStyle; 2], unicode: bool) -> Option<String> {
    let entries = Seat::BOTH.map(|seat| ordinary_piece(styles, seat)).into_iter();
    let entries = entries.filter(|piece| piece.kind.name != piece.kind.letter.to_string());
    let entries: Vec<String> =
        entries.map(|piece| format!("{} is {}", capitalize(piece.kind.name), piece_char(piece, unicode))).collect();
    if entries.is_empty() { None } else { Some(entries.join(", ")) }
}

/// Returns the character of a piece: its letter, or with `unicode` a disc or a figurine. Black's disc is filled. In a game
/// without Black, it's the first seat's.
pub fn piece_char(Piece { seat, kind }: Piece, unicode: bool) -> String {
    let is_filled = match kind.name {
        "black" => true,
        "white" => false,
        _ => seat == Seat::First,
    };
    match kind.form {
        Form::Disc | Form::Man if unicode => if is_filled { "●" } else { "○" }.to_owned(),
        Form::King if unicode => if is_filled { "♛" } else { "♕" }.to_owned(),
        Form::Figure { figurine, .. } if unicode => figurine.to_owned(),
        _ => kind.letter.to_string(),
    }
}
