//! The rules of the games, their boards and their computer opponents.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod backgammon;
mod checkers;
mod chess;
mod computer;
mod conformance;
mod connect_four;
mod hex;
mod othello;
mod tic_tac_toe;
mod ultimate_tic_tac_toe;
