//! Tests of replies, pages, and pictures.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod docs;
mod pages;
mod pictures;
