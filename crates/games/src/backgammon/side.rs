//! The two sides and their colors.

use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The color of a side.
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

/// Returns a side's name in records and for programs: `white`.
pub fn color_name(seat: Seat) -> &'static str {
    ["white", "black"][seat.index()]
}

/// Returns a side's name for people: `White`.
pub fn display_name(seat: Seat) -> &'static str {
    ["White", "Black"][seat.index()]
}
