//! The games.

pub mod tic_tac_toe;
