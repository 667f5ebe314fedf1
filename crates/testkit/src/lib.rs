//! Test helpers: a fake GitHub, in memory and over HTTP, and a simulator for the protocol.
//!
//! - [`Scenario`]: a repository with its bot. Post a comment, and read the reply.
//! - [`world`]: GitHub in memory. [`server`] serves it over HTTP, [`payloads`] builds its webhook events, and `relay` counts requests.
//! - [`app`]: a GitHub App with many repositories, its tokens and webhooks.
//! - `tls`: a TLS front for that server, and a proxy.
//! - [`simulator`]: generated schedules of comments, events and faults in virtual time. [`storm`] does the same with real
//!   processes, and [`small_worlds`] walks every schedule of a few.
//!
//! ```
//! use testkit::Scenario;
//!
//! let scenario = Scenario::played("/new tic-tac-toe @bob", &["alice: b2", "bob: a1"]);
//! assert_eq!(scenario.moves(1), ["b2", "a1"]);
//! ```

pub mod app;
mod browser;
mod calls;
pub mod payloads;
pub mod records;
mod relay;
mod scenario;
pub mod server;
pub mod simulator;
pub mod small_worlds;
pub mod standings_fixture;
pub mod storm;
mod tls;
pub mod world;

pub use browser::{Form, Page, Part, addresses, forms, pictures};
pub use records::{write_games, write_unusual_games};
pub use relay::Relay;
pub use scenario::Scenario;
pub use standings_fixture::{End, StandingsFixture};
pub use tls::{HOST, Proxy, authority, start_tls};

use game::{Options, Seat};
use games::AnyPosition;
use table::{CommentId, CommentRef, EventKind, IssueNumber};

/// A time or a duration on the fake GitHub's clock, in milliseconds.
pub type Millis = u64;

/// Returns the place of a comment from plain numbers.
pub const fn place(issue: u64, comment: u64) -> CommentRef {
    CommentRef { issue: IssueNumber::new(issue), comment: CommentId::new(comment) }
}

/// Parses a line of options, such as `960=518 rated`.
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

/// Returns `long` if `PLAY_BY_COMMIT_LONG` is set, as `.ci/run long-tests` does, else `short`.
pub fn short_or_long<T>(short: T, long: T) -> T {
    if std::env::var_os("PLAY_BY_COMMIT_LONG").is_some() { long } else { short }
}

/// Returns `full` if `PLAY_BY_COMMIT_FULL` is set, as `.ci/run` does, or `PLAY_BY_COMMIT_LONG`, else `quick`.
///
/// The tests that take longest use it, so that `cargo test` is quick in a fresh clone.
pub fn quick_or_full<T>(quick: T, full: T) -> T {
    if std::env::var_os("PLAY_BY_COMMIT_FULL").is_some() { full } else { short_or_long(quick, full) }
}

/// Returns the resignation that costs a seat the most.
pub fn resignation(game: &AnyPosition, seat: Seat) -> EventKind {
    let most = game.resignation_stakes(seat).last();
    most.map_or(EventKind::Resign, |most| EventKind::ResignFor { cost: (*most).to_owned() })
}
