//! A local git repository as a forge.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod forges;
mod local;
mod remote;
