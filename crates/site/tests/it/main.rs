//! Tests of the website.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod flip;
mod lists;
mod pages;
mod people;
mod steps;
mod support;
mod visitors;
