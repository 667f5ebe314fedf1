//! Tic-tac-toe on a square board of any size from 3x3 to 19x19, with k in a row to win.
//!
//! [`game`] is the game at a table; [`engine`] serves the same rules to programs that keep their own state; `computer`
//! chooses moves.

mod computer;
pub mod config;
pub mod engine;
pub mod game;
pub mod lines;
