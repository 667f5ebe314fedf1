//! Backgammon.

pub mod board;
pub mod plays;
pub mod validate;
pub mod written;
