//! Comments, tables, records and decisions: what a comment does to a game. Pure: no I/O, no clock.
//!
//! [`history`] names the events, [`game_state`] is the only judge of what may happen, [`table`] grows a table by events,
//! [`state_file`] writes a table down and reads it back by replaying it; [`migrate`] knows the older forms of the file.

pub mod any_table;
pub mod calendar;
pub mod consequences;
pub mod decisions;
pub mod dice;
pub mod engine;
pub mod game_state;
pub mod history;
pub mod imported;
pub mod invalid_history;
pub mod json;
pub mod json_path;
pub mod migrate;
pub mod occupants;
pub mod offers;
pub mod pretty;
pub mod refusal;
pub mod reply_audit;
pub mod round_dice;
pub mod state_file;
pub mod table;
pub mod talk;
pub mod terms;
pub mod timeline;
