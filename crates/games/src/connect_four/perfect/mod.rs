//! Perfect play of 7x6 with four in a row: who wins, and with what.
//!
//! [`solver`] looks through to the end of [`usual`] positions; `foresight` spares it much of that, and [`memory`] is what it
//! remembers. [`best`] makes a move of it. In the opening that takes too long: [`book`] has the moves of the computer's own games
//! there, and [`worths`] knows what all other positions are worth.

pub mod analysis;
pub mod book;
mod claimeven;
pub mod opening_values;
pub mod solver;
pub mod standard_board;
pub mod transposition_table;
