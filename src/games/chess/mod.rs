//! Chess, and Chess960.
//!
//! Where the pieces may go is known to the crate `cozy-chess`; [`game`] adds what it takes to end a game. Positions are written
//! and read in [`fen`], moves in [`san`] and [`reader`]; why a move is none is told in [`reasons`]. `contract` makes all of it
//! a game that a table can hold.

pub mod computer;
pub mod config;
mod contract;
pub mod fen;
pub mod game;
pub mod moves;
pub mod names;
mod options;
mod picture;
pub mod position;
pub mod reader;
pub mod reasons;
pub mod san;
mod spelling;
pub mod squares;
pub mod uci;
