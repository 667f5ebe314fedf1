//! The GitHub in memory.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;
