//! Perfect play of 7x6 with four in a row: who wins, and with what.
//!
//! [`solver`] looks through to the end of [`usual`] positions; `foresight` spares it much of that, and [`memory`] is what it
//! remembers. [`best`] makes a move of it, and [`book`] knows the moves of the opening, where looking through takes too long.

pub mod best;
pub mod book;
mod foresight;
pub mod memory;
pub mod solver;
pub mod usual;
