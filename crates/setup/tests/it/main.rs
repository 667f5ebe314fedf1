//! The files that a repository holds for the bot.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod host;
