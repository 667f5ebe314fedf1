//! Boards as people see them. A game describes its board once, as data; from the same facts it becomes lines of text, a
//! drawing, and plain words.
//!
//! Each kind of board is one type that implements [`Board`]. The rectangle of cells is [`grid::Grid`]; a kind that only one
//! game uses lives with that game. What kinds are made of is here: [`piece`] says how the pieces of a seat look, [`text`],
//! [`words`], [`drawing`] and [`mosaic`] hold what all of them share.

pub mod description;
pub mod drawing;
pub mod grid;
pub mod piece;
pub mod replay;
pub mod text;
pub mod tile_board;

use std::any::Any;
use std::fmt::Debug;

use crate::board::drawing::Drawing;
use crate::board::drawing::caption::Caption;
use crate::board::drawing::shared_layers::SharedLayers;
use crate::board::text::Text;
use crate::board::tile_board::TileBoard;
use crate::seat::Seat;

/// A board that can be shown in any way. It is [`Any`], so that a caller who knows its kind gets the description back.
pub trait Board: Any + Debug {
    /// Returns the board as lines for a fixed-width font, without colours or with them.
    ///
    /// Shape carries the meaning, never colour: on cells `(X)` belongs to the last move, `[X]` stands in a completed line.
    fn text(&self) -> Text;

    /// Returns the same lines seen from the side of a seat. What is numbered is still counted as the side on turn counts it.
    fn text_seen_by(&self, _viewer: Seat) -> Text {
        self.text()
    }

    /// Returns the whole position in plain words, as one paragraph without any character that Markdown knows.
    fn description(&self) -> String;

    /// Returns the board as a drawing, with a margin that says who plays and how it stands. Drawings of one game share what is the
    /// same in all of them.
    fn drawing(&self, strip: &Caption, still: &SharedLayers) -> Drawing;

    /// Returns the width on a page, in pixels; a narrow screen shows it narrower.
    fn page_width(&self) -> usize;

    /// Returns the board in small pictures, for pages on which cells are links; `None` if no move belongs to a cell.
    fn tile_board(&self, _playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        None
    }

    /// Returns the seat from whose side the board is seen; `None` if it looks the same from both.
    fn viewer(&self) -> Option<Seat> {
        None
    }

    /// Returns the board with the owners of all pieces exchanged. It has to look, read and sound different
    /// ([`conformance`](crate::conformance) compares them).
    fn with_seats_swapped(&self) -> Box<dyn Board>;

    /// Turns the board to the side of a seat, if it has sides.
    fn set_viewer(&mut self, _viewer: Seat) {}

    /// Marks one more cell as part of what was played last, where the board marks cells.
    fn mark_last_move(&mut self, _cell: usize) {}

    /// Makes this a board of the past, which no longer shows what can be moved.
    fn hide_legal_moves(&mut self) {}
}
