//! GitHub over HTTP, and its events.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod github;
mod server;
mod webhooks;
