//! The doctor: examines how a repository is set up, and says in plain sentences what is good, what has to be changed, and
//! what could not be seen. It changes nothing.
//!
//! Files are judged in the same way wherever they are: in a work tree, or on GitHub through one commit. What only GitHub
//! knows is asked for there. What cannot be known is said to be unknown, never guessed.

mod files;
pub mod findings;
pub(crate) mod forms;
pub mod offline;
pub mod online;
mod site;
mod version;
mod workflow;
