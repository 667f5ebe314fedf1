//! Tables: their history, the state that follows from it, and the file that keeps it.
//!
//! [`history`] names the events, [`table`] grows a table by them and is the only judge of what may happen, [`state_file`]
//! writes a table down and reads it back by replaying it; [`migrate`] knows the older forms of the file.
//!
//! May use: [`crate::game`], [`crate::games`], [`crate::talk`]. Used by: everything above but the forges.

pub mod any;
pub mod ask;
pub mod calendar;
pub mod computer;
pub mod consequences;
pub mod dice;
pub mod earlier;
pub mod history;
pub mod imported;
pub mod invalid_history;
pub mod json;
pub mod json_path;
pub mod migrate;
pub mod open;
pub mod plies;
pub mod pretty;
pub mod refusal;
pub mod searches;
pub mod state_file;
pub mod table;
pub mod terms;
pub mod words;
