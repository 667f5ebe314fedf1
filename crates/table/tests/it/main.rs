//! Records, dice and commands.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod commands;
mod conditional_moves;
mod crowd;
mod dice;
mod dice_record;
mod json_path;
mod record;
mod spellings;
