//! The doctor: checks a repository's setup without changing it, and words each finding in `facts.rs`.
//!
//! The checks of files are the same for a work tree ([`offline`]) and for a commit on GitHub ([`online`]). The doctor reports a
//! check that it couldn't make as skipped.

pub(crate) mod facts;
mod files;
pub mod findings;
pub(crate) mod forms;
pub mod grade;
pub mod offline;
pub mod online;
mod site;
mod version;
mod workflow;
