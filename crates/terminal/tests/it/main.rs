//! Tests of games in the terminal. `tests/program/terminal.rs` types in a real one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod input_line;
mod program;
