//! What a game is: its rules, notation, display and engine, and the boards and sentences that people see.
//!
//! A game is a value that knows its rules, its notation and its board, and nothing else: no people, no repository, no
//! Markdown. [`contract::Game`] says all of it, in traits of their own for the rules, the notation, the board and so on.

pub mod board;
pub mod cell;
pub mod conformance;
pub mod contract;
pub mod engine;
pub mod info;
pub mod notation;
pub mod options;
pub mod phrase;
pub mod roll;
pub mod rule;
pub mod seat;
