//! Tests of the website.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod lists;
mod pages;
mod people;
mod steps;
mod support;
