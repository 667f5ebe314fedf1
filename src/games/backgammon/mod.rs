//! Backgammon, with the doubling cube and matches for those who want them.
//!
//! The checkers and their plays are in [`checkers`] and [`plays`], a proposal is judged in [`validate`], plays are written
//! and read in [`written`]; how a game and a match go on is in [`game`]. `contract` makes all of it a game that a table
//! can hold.

pub mod checkers;
pub mod config;
mod contract;
pub mod engine;
pub mod game;
pub mod moves;
mod picture;
pub mod plays;
pub mod points;
pub mod position;
pub mod side;
pub mod validate;
mod words;
pub mod written;
