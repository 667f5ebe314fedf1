//! Tests of the exchange with other programs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod link;
mod mat;
mod othello;
mod pdn;
mod pgn;
mod played;
mod rules;
