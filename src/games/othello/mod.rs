//! Othello (Reversi) on 8x8: a disc turns over those of the other side that it encloses, and most discs win.
//!
//! [`game`] is the game at a table, [`discs`] the arithmetic of its sets of cells; `computer` chooses moves.

mod computer;
pub mod discs;
pub mod game;
pub mod position;
