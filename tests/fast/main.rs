//! What is decided within one process: rules, records, words, pages, pictures, standings, and the protocol over a GitHub in
//! memory. Where a family has a command of its own, the test of the command stands beside it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod actors;
mod backgammon;
mod boards;
mod cell;
mod checkers;
mod chess;
mod community;
mod computer;
mod conformance;
mod connect_four;
mod conversations;
mod corpus;
mod dice;
mod dice_record;
mod escaping;
mod forges;
mod gallery;
mod hex;
mod host;
mod json_path;
mod migration;
mod othello;
mod pages;
mod pictures;
mod readme;
mod record;
mod report;
mod rules;
mod settle;
mod speech;
mod standings;
mod tic_tac_toe;
mod ultimate_tic_tac_toe;
mod wall;
mod webhooks;
mod world;
