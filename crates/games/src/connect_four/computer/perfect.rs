//! Perfect play on the standard board: 7x6 with four in a row.
//!
//! [`solver`] searches positions to the end, and [`analysis`] chooses a move with it. Solving takes too long in the opening.
//! There, [`book`] has the moves for the engine's own games, and [`opening_values`] the values of all other positions.

pub mod analysis;
pub mod book;
mod claimeven;
pub mod opening_values;
pub mod solver;
pub mod standard_board;
pub mod transposition_table;
