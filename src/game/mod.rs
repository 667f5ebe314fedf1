//! The contract between a game and its table, and the boards that people see.
//!
//! A game is a value that knows its rules, its notation and its board, and nothing else: no people, no repository, no
//! Markdown. Everything above this part is written against [`contract::Game`].
//!
//! May use: nothing of this crate. Used by: everything.

pub mod board;
pub mod cell;
pub mod choice;
pub mod contract;
pub mod info;
pub mod notation;
pub mod options;
pub mod phrase;
pub mod rule;
pub mod seat;
pub mod throw;
