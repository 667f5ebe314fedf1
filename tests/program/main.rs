//! The real program, and what it talks to for real: git, a shell, and GitHub over HTTP on this machine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

// Tests begin in the order of their names, and these wait longest.
mod a_run;
mod a_storm;
mod cli;
mod computer;
mod core;
mod corpus;
mod docs;
mod export;
mod first_day;
mod host;
mod import;
mod readme;
mod render;
mod report;
mod site;
mod speech;
mod step;
mod uci;
mod verify_standings;

#[cfg(unix)]
mod terminal;
mod whole_match;
