//! The eight games, and the search that their computer opponents share.
//!
//! Each game has its own file or folder, and one line in [`registry`]. [`analysis`] finds the mistakes of a played game.

pub mod analysis;
pub mod backgammon;
pub mod checkers;
pub mod chess;
pub mod connect_four;
pub mod hex;
pub mod marks;
pub mod othello;
pub mod registry;
pub mod search;
pub mod tic_tac_toe;
pub mod ultimate_tic_tac_toe;
pub mod view;
