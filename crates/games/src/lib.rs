//! The games, and the search that their computer opponents share.
//!
//! Each game has one line in [`registry`], and files with the same names; ARCHITECTURE.md lists them. [`analysis`] finds the
//! mistakes of a played game.

pub mod analysis;
pub mod backgammon;
pub mod checkers;
pub mod chess;
pub mod connect_four;
pub mod hex;
pub mod othello;
pub mod registry;
pub mod search;
pub mod tic_tac_toe;
pub mod ultimate_tic_tac_toe;
pub mod view;
pub mod xo;
