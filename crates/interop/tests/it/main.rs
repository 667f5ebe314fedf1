//! Tests of the rules engine for other programs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod rules;
