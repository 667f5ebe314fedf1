//! The protocol: read, plan, decide, commit, answer.
//!
//! [`plan`] is pure and belongs to the core; [`settle`] is the loop that carries its steps out over a forge.
//!
//! May use: everything below and [`crate::forges`]. Used by: what a host sets up, the command line.

pub mod bundle;
pub mod given;
pub mod ledger;
pub mod older;
pub mod page_refresh;
pub mod patience;
pub mod place;
pub mod plan;
pub mod reading;
pub mod settle;
pub mod view;
