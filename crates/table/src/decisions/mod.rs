//! Decisions about comments: a pure function from a table, a comment and the host's policy to a decision.
//!
//! Calls go one way: [`interpret`] finds the command in a comment. [`decide`] decides about it, if necessary with [`setup`], and
//! both begin an event with [`append`]. [`decision::Decision::finish`] gives the event its consequences.

pub mod append;
pub mod decide;
pub mod decision;
pub mod interpret;
pub mod line;
pub mod option_words;
pub mod refusal;
pub mod setup;
pub mod suggestion;
