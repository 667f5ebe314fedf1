//! Decisions about comments: a pure function from a table, a comment and the host's policy to a decision.
//!
//! Data flows one way: [`decide`] to [`setup`] to [`append`] to the table. Then [`verdict`] carries out the event.

pub mod append;
mod away;
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
