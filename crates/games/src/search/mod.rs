//! The computer's thinking: a search that knows the rules alone, and what the games' own searches share.
//!
//! Everything here is a pure function of a position, a level and a seed, bounded by nodes and never by time: the same choice
//! on every machine. No thread, no clock, no global, and no floating point where it decides.
//!
//! A game that has nothing of its own is played by [`general`], a Monte Carlo tree search. One that can value a position
//! implements [`alpha_beta::SearchPosition`] and asks [`alpha_beta::search`].

pub mod alpha_beta;
pub mod fixed_point;
pub mod general;
pub mod mcts;
pub mod order;
pub mod random;
pub mod transposition_table;
