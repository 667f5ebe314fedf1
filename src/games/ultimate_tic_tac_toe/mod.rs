//! Ultimate tic-tac-toe: nine boards of tic-tac-toe, which are the cells of a tenth.
//!
//! [`game`] is the position and its rules, `contract` makes it a game that a table can hold; [`engine`] serves the same
//! rules to programs that keep their own state; `computer` chooses moves.

pub mod boards;
mod computer;
mod contract;
pub mod engine;
pub mod game;
pub mod rule;
pub mod state;
mod words;
