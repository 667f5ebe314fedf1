//! The rules: the three parts of the house that every other one stands on, as a crate of its own. It needs nothing but
//! `serde`, so it is built while the libraries of the edge are, and it is optimised by itself.

pub mod game;
pub mod games;
pub mod search;
