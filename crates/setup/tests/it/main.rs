//! Tests of the setup of repositories.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod host;
mod settings_file;
