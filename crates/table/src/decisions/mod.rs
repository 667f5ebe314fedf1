//! Decisions about comments: a pure function from a table, a comment and the host's policy to a decision.
//!
//! Calls go one way: [`interpret`] finds the command in a comment. [`decide`] decides about it, if necessary with [`setup`], and
//! both begin an event with [`append`]. [`decision::Decision::finish`] gives the event its effects.

pub(crate) mod append;
pub(crate) mod decide;
pub(crate) mod decision;
pub(crate) mod interpret;
pub(crate) mod line;
pub(crate) mod option_words;
pub(crate) mod refusal;
pub(crate) mod setup;
pub(crate) mod setup_refusal;
pub(crate) mod suggestion;
pub(crate) mod table_refusal;
