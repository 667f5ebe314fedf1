//! Connect four: discs fall into columns, and four in a row win; on boards from 4x4 to 10x10, with three to six in a row.
//!
//! [`game`] is the state of a game, [`discs`] the arithmetic of its sets of cells; `computer` chooses moves, and
//! [`perfect`] knows the best of the usual board.

mod computer;
pub mod config;
mod contract;
pub mod discs;
pub mod game;
pub mod perfect;
pub mod position;
