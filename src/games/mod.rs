//! The games themselves, and the registry that names them.
//!
//! One file or folder a game, and one line in [`registry`].
//!
//! May use: [`crate::game`]. Used by: everything above.

pub mod backgammon;
pub mod checkers;
pub mod chess;
pub mod connect_four;
pub mod hex;
pub mod marks;
pub mod othello;
pub mod registry;
pub mod tic_tac_toe;
pub mod ultimate_tic_tac_toe;
