//! Othello (Reversi) on 8x8: a disc turns over those of the other side that it encloses, and most discs win.
//!
//! [`game`] is the state of a game, [`discs`] the arithmetic of its sets of cells; `computer` chooses moves, and
//! [`ending`] the last ones.

mod computer;
mod contract;
pub mod discs;
pub mod ending;
pub mod game;
pub mod position;
