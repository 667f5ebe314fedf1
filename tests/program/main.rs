//! The real program, and what it talks to for real: git, a shell, and GitHub over HTTP on this machine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cli;
mod docs;
mod export;
mod first_day;
mod github;
mod host;
mod local;
mod run;
mod storm;
#[cfg(unix)]
mod terminal;
mod whole_match;
