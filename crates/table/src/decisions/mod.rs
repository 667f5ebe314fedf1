//! Decisions about comments: a pure function from a table, a comment and the host's policy to a decision.
//!
//! Calls go one way: [`decide`] calls [`setup`], which calls [`append`], which begins an event at the table. Then
//! [`verdict`] finishes the event.

pub mod append;
pub mod away;
pub mod decide;
pub mod decision;
mod draw_offer;
mod help;
pub mod host_policy;
pub mod interpret;
pub mod line;
pub mod option_words;
mod plain;
mod ranking;
pub mod refusal;
mod review;
pub mod setup;
mod spelling;
pub mod suggestion;
pub mod verdict;
