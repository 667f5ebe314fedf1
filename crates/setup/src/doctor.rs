//! The doctor: checks a repository's setup without changing it. `facts.rs` holds the text of each finding.
//!
//! A work tree ([`offline`]) and a commit on GitHub ([`online`]) get the same checks of their files. The doctor also lists the
//! checks that it had to skip.

pub(crate) mod facts;
mod files;
pub mod findings;
pub(crate) mod forms;
pub mod grade;
pub mod offline;
pub mod online;
mod site;
mod workflow;
