//! The command line of Play by Commit: one module for each command, and the GitHub Actions step.
//!
//! The binary calls [`program::main`]. The other modules are public for the tests:
//!
//! ```
//! use play_by_commit::report::output_line;
//!
//! assert_eq!(output_line("game", "chess"), "game=chess\n");
//! ```

pub mod doctor;
pub mod dry_run;
pub mod environment;
mod host_commands;
mod host_error;
pub mod import;
mod perft;
pub mod program;
pub mod report;
pub mod run;
mod site;
mod uci;
pub mod verify;
