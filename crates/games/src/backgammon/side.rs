//! The two sides, by their colours.

use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A side, by its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BackgammonPlayer")]
pub enum Color {
    /// The side that moves from high points to low ones.
    White,
    /// The side that moves from low points to high ones.
    Black,
}

impl From<Seat> for Color {
    fn from(seat: Seat) -> Color {
        [Color::White, Color::Black][seat.index()]
    }
}

impl From<Color> for Seat {
    fn from(color: Color) -> Seat {
        Seat::BOTH[color as usize]
    }
}

/// Returns the name of a side in records and for programs: `white`.
pub fn color_name(seat: Seat) -> &'static str {
    ["white", "black"][seat.index()]
}

/// Returns the name of a side as people read it: `White`.
pub fn display_name(seat: Seat) -> &'static str {
    ["White", "Black"][seat.index()]
}
