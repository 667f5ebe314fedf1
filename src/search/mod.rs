//! The computer's thinking: searches that go through the contract alone, and what the games' own searches share.
//!
//! Everything here is a pure function of a position, a level and a seed, bounded by nodes and never by time: the same choice
//! on every machine. No thread, no clock, no global, and no floating point where it decides.
//!
//! May use: [`crate::game`]. Used by: the games.

pub mod general;
pub mod random;
