//! What the computer opponents' searches share.
//!
//! Every search is a pure function of a position, a level and a seed. Nodes limit it, never time, so it picks the same
//! move on every machine. It uses no threads, clocks, global state, or floating point in its decisions.
//!
//! A game with an evaluation implements [`alpha_beta::SearchPosition`] and calls [`alpha_beta::search`].

pub mod alpha_beta;
pub mod fixed_point;
pub mod order;
pub mod random;
pub mod transposition_table;
