//! What the tests stand on, and the programs in `examples/` as well.
//!
//! [`world`] is GitHub in memory and [`server`] the same over HTTP; [`payloads`] are the events that it sends, and [`relay`]
//! counts what passes by. [`simulator`] tells stories over all that in virtual time, [`storm`] with real processes.

pub mod payloads;
pub mod records;
pub mod relay;
pub mod server;
pub mod simulator;
pub mod storm;
pub mod world;

/// How often to try something: `few` times in every test run, and `many` times where `PLAY_BY_COMMIT_LONG` is set, as in `.ci/run`.
pub fn often<T>(few: T, many: T) -> T {
    if std::env::var_os("PLAY_BY_COMMIT_LONG").is_some() { many } else { few }
}
