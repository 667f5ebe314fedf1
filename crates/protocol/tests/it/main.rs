//! Comments in, comments out: the protocol over a GitHub in memory.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod actors;
mod community;
mod condition;
mod conversations;
mod escaping;
mod host_text;
mod player_to_move;
mod settle;
mod wakes;
