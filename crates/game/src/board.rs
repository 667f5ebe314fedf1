//! Boards as people see them: as text, as an SVG drawing, as clickable tiles, and as a description for screen readers.
//!
//! Each kind of board implements [`Board`]. [`grid::Grid`] is a rectangle of cells; a board that only one game uses
//! lives with that game. The other modules hold their shared parts.

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
use crate::board::text::{TerminalStyle, Text};
use crate::board::tile_board::TileBoard;
use crate::seat::Seat;

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

    /// Returns the board with the owners of all pieces swapped. [`conformance`](crate::conformance) checks that this
    /// changes text, drawing and description.
    fn with_seats_swapped(&self) -> Box<dyn Board>;

    /// Shows the board from the side of a seat, if it has sides.
    fn set_viewer(&mut self, _viewer: Seat) {}

    /// Marks another cell as part of the last move, if the board marks cells.
    fn mark_last_move(&mut self, _cell: usize) {}

    /// Stops showing legal moves, for boards of past positions.
    fn hide_legal_moves(&mut self) {}
}
