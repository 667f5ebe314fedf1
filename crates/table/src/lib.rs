//! Comments, tables, records and decisions. The crate decides what a comment does to a game. It is pure: no I/O, no clock.
//!
//! [`history`] defines the events, and [`game_state`] decides what may happen. [`table`] applies events to a table.
//! [`state_file`] writes a table to a file and reads it back by replaying it.

pub mod absence;
pub mod any_table;
pub mod calendar;
mod clocks;
pub mod comments;
pub mod conditional_moves;
pub mod consequences;
pub mod decisions;
pub mod dice;
pub mod engine;
pub mod game_state;
pub mod history;
pub mod host_move;
pub mod ids;
pub mod imported;
pub mod invalid_file;
pub mod invalid_history;
pub mod invitations;
pub mod json;
pub mod json_path;
pub mod occupants;
pub mod offers;
pub mod oid;
pub mod pretty;
pub mod question;
pub mod rating_change;
pub mod refusal;
pub mod reply_audit;
pub mod round_dice;
pub mod running_game;
pub mod state_file;
pub mod state_path;
pub mod table;
pub mod terms;
pub mod timeline;
pub mod timestamp;
pub mod turn_clock;
