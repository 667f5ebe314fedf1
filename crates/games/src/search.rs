//! The computer opponents' search: one that knows only the rules, and what the games' own searches share.
//!
//! Every search is a pure function of a position, a level and a seed. Nodes limit it, never time, so it picks the same
//! move on every machine. It uses no threads, clocks, global state, or floating point in its decisions.
//!
//! [`general`] plays a game without an evaluation, by Monte Carlo tree search. A game with an evaluation implements
//! [`alpha_beta::SearchPosition`] and calls [`alpha_beta::search`].

pub mod alpha_beta;
pub mod fixed_point;
pub mod general;
pub mod mcts;
pub mod order;
pub mod random;
pub mod transposition_table;
