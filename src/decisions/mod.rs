//! Decisions about comments: a pure function from a table, an utterance and the house rules to a decision.
//!
//! Data flows one way: [`decide`] to [`setup`] to [`append`] to the table, then [`verdict`] carries the event out.
//!
//! May use: [`crate::game`], [`crate::games`], [`crate::talk`], [`crate::tables`]. Used by: answers, the protocol,
//! what a host sets up, the command line.

pub mod append;
pub mod decide;
pub mod decision;
pub mod hint;
pub mod house;
pub mod named_setups;
pub mod refusal;
pub mod setup;
pub mod verdict;
