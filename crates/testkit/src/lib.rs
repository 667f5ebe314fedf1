//! GitHub in memory and over HTTP, and the simulator: what the tests and `examples/` stand on.
//!
//! [`scenario`] is a repository with its bot: post a comment, and see the reply. [`world`] is GitHub in memory and [`server`] the same over HTTP; [`payloads`] are the events that it sends, and [`relay`]
//! counts what passes by. [`simulator`] tells stories over all that in virtual time, [`storm`] with real processes.

pub mod browser;
pub mod house;
pub mod page;
pub mod payloads;
pub mod records;
pub mod relay;
pub mod scenario;
pub mod server;
pub mod simulator;
pub mod storm;
pub mod world;

use game::options::Options;

/// Returns the options that a line stands for, such as `960=518 rated`.
pub fn options(line: &str) -> Options {
    let mut options = Options::default();
    for word in line.split_whitespace() {
        match word.split_once('=') {
            Some((key, value)) => options.pairs.push((key.to_owned(), value.to_owned())),
            None => options.words.push(word.to_owned()),
        }
    }
    options
}

/// How often to try something: `few` times in every test run, and `many` times where `PLAY_BY_COMMIT_LONG` is set, as in `.ci/run`.
pub fn often<T>(few: T, many: T) -> T {
    if std::env::var_os("PLAY_BY_COMMIT_LONG").is_some() { many } else { few }
}
