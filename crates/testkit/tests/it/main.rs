//! Tests of the in-memory GitHub.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod app;
mod world;
