//! The command line and the workflow step: where a run begins and what it tells its host.
//!
//! May use: everything. Used by: `main`.

pub mod event;
pub mod play;
pub mod program;
pub mod rehearsal;
pub mod report;
pub mod run;
