//! Records, dice, and older versions of the file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod commands;
mod conditional_moves;
mod dice;
mod dice_record;
mod json_path;
mod migration;
mod record;
mod spellings;
