//! The boards, and where a cell is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod boards;
mod cell;
