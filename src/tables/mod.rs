//! Tables: their history, the state that follows from it, and the file that keeps it.
//!
//! [`history`] names the events, [`game_state`] is the only judge of what may happen, [`table`] grows a table by events,
//! [`state_file`] writes a table down and reads it back by replaying it; [`migrate`] knows the older forms of the file.
//!
//! May use: [`crate::game`], [`crate::games`], [`crate::talk`]. Used by: everything above but the forges.

pub mod any;
pub mod calendar;
pub mod consequences;
pub mod dice;
pub mod game_state;
pub mod history;
pub mod imported;
pub mod invalid_history;
pub mod json;
pub mod json_path;
pub mod line;
pub mod migrate;
pub mod occupants;
pub mod offers;
pub mod pretty;
pub mod refusal;
pub mod reply_audit;
pub mod round_dice;
pub mod searches;
pub mod state_file;
pub mod table;
pub mod terms;
