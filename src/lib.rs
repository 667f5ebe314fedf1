//! The command line and the workflow step: the beginning of a run, and its report to the host.

pub mod doctor;
pub mod dry_run;
pub mod environment;
pub mod import;
mod perft;
pub mod play;
mod print;
pub mod probe;
pub mod program;
pub mod report;
pub mod run;
mod site;
pub mod verify;
