//! Checkers (English draughts): men go forward, kings both ways, and who can capture must.
//!
//! [`config`] is what can be chosen, [`game`] the state of a game, [`men`] its sets of squares with the moves, [`board`] what people see; `computer` chooses
//! moves.

pub mod board;
mod computer;
pub mod config;
mod contract;
pub mod fen;
pub mod game;
pub mod men;
mod objection;
mod picture;
pub mod position;
mod reader;
