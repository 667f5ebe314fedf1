//! Tests of cell coordinates and of the parts that all boards share.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod boards;
mod cell;
mod phrase;
