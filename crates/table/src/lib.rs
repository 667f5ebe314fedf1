//! Comments, tables, records and decisions. The crate decides what a comment does to a game. It is pure: no I/O, no clock.
//!
//! [`history`] defines the events, and [`game_state`] decides what may happen. [`table`] applies events to a table.
//! [`state_file`] writes a table to a file and reads it back by replaying it.

pub mod absence;
pub mod any_table;
pub mod comments;
pub mod conditional_moves;
pub mod consequences;
pub mod decisions;
pub mod dice;
pub mod engine;
pub mod game_state;
pub mod history;
pub mod ids;
pub mod invalid_history;
pub mod json;
pub mod occupants;
pub mod offers;
pub mod running_game;
pub mod state_file;
pub mod state_path;
pub mod table;
pub mod timeline;
pub mod timestamp;
