//! The protocol: read, plan, decide, commit, answer.
//!
//! [`plan`] is pure and belongs to the core, with its data in [`view`], [`memory`], [`given_answers`], [`older_pages`] and
//! [`place`], [`config`]; [`run`] is the loop that carries its steps out over a forge: [`reading`], [`bundle`], [`answering`].
//! [`settle`] starts it.
//!
//! [`forge`] is the interface to a host of threads and repositories, and this part owns it.
//!
//! May use: everything below. Used by: the forges, what a host sets up, the command line.

pub mod answering;
pub mod bundle;
pub mod clock;
pub mod config;
pub mod forge;
pub mod given_answers;
pub mod ledger;
pub mod memo;
pub mod memory;
pub mod older_pages;
pub mod page_files;
pub mod page_refresh;
pub mod patience;
pub mod place;
pub mod plan;
pub mod reading;
pub mod run;
pub mod settle;
pub mod view;
