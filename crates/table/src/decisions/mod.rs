//! Decisions about comments: a pure function from a table, an utterance and the house rules to a decision.
//!
//! Data flows one way: [`decide`] to [`setup`] to [`append`] to the table, then [`verdict`] carries the event out.

pub mod append;
pub mod decide;
pub mod decision;
pub mod host_policy;
pub mod presets;
pub mod refusal;
pub mod setup;
pub mod suggestion;
pub mod verdict;
