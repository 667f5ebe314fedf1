//! Comments in, comments out: the server as a process, beside a fake GitHub with an App.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod intake;
mod life;
mod play;
mod process;
mod setup;
