//! Perfect play of 7x6 with four in a row: who wins, and with what.
//!
//! [`solver`] looks through to the end and [`memory`] is what it remembers; [`best`] makes a move of that, and [`book`] knows the
//! moves of the opening, where looking through takes too long.

pub mod best;
pub mod book;
pub mod memory;
pub mod solver;
