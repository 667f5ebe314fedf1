//! Tests of the real program with git, a shell, and a fake GitHub over HTTP.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

// Tests start in the order of their names, and these ones take longest.
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
mod live;
mod move_game;
mod pins;
mod pipe;
mod readme;
mod render;
mod report;
mod site;
mod step;
mod uci;
mod verify_standings;

#[cfg(unix)]
mod terminal;
mod whole_match;
