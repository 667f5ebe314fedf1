//! Games played on GitHub by comment, where every move is a commit.
//!
//! ```text
//!  event ──► read ──► decide ──► commit ──► answer ──┐
//!             ▲         │pure      │                 │ next unanswered
//!             └─────────┴──raced───┴─────────────────┘
//! ```
//!
//! Invariants, each with the tests that hold it:
//!
//! - Nothing is said before it is committed. Nothing is committed that was not decided on the head that it names.
//!   (`tests/fast/settle/trouble.rs`, `tests/simulator/`)
//! - A comment is applied at most once at a table. (`tests/fast/settle.rs`, `tests/simulator/`) A command is answered at least
//!   once, and one answer stays: where two runs can come to give one each (`docs/SIMULATION.md` has the ways), the next run
//!   removes the wrong one. (`tests/fast/settle/trouble.rs`, `tests/simulator/`)
//! - The core does no IO and knows no clock; randomness is an argument. A game never sees GitHub, people, JSON text or
//!   Markdown. (`tests/fast/wall.rs`)
//! - What is in the file can be replayed from its history. (`tests/fast/record.rs`)
//! - Text from a comment never reaches a shell, a path, a log line or an unescaped answer. The token never shows.
//!   (`tests/fast/escaping.rs`, `tests/program/a_run.rs`)
//! - The cost of a move does not depend on how many moves, games or comments came before: three hops in sequence (read,
//!   commit, answer), five requests at most; bytes bounded by the record's limit. What ends a game costs two more: a read of
//!   the standings, and its issue is closed. A move from another issue costs a read more when the table's last event came
//!   from an older issue than the newest few.
//!   (`tests/fast/settle.rs`)
//! - Everything from outside has a limit. (`tests/fast/settle/flood.rs`, `tests/fast/corpus.rs`)
//!
//! The parts, each of which uses only those before it. The core, which does no IO:
//!
//! 1. [`game`]: the contract between a game and its table, and the boards. [`search`]: how the computer thinks.
//!    [`games`]: the rules, and the registry.
//! 2. [`talk`]: what people say. [`tables`]: what has happened at a table, and the file that keeps it.
//! 3. [`decisions`]: a comment becomes a decision. [`answers`]: what people are told, in words and pictures.
//!    [`interop`]: games for other programs. [`standings`]: results and ratings. [`pages`]: boards and rankings on the
//!    pages of a repository. [`gallery`]: all of it as a site.
//!
//! The edge:
//!
//! 1. [`protocol`]: what to do next, the loop that does it, and the interface to a host. [`forges`]: GitHub, and a local git
//!    repository.
//! 2. [`host`]: the files that a repository holds for the bot. [`cli`]: the command line and the workflow step.

pub mod answers;
pub mod cli;
pub mod decisions;
pub mod forges;
pub mod gallery;
pub mod host;
pub mod interop;
pub mod pages;
pub mod protocol;
pub mod standings;
pub mod tables;
pub mod talk;

// The three parts at the bottom are a crate of their own, which is built beside the libraries of the edge.
pub use rules::{game, games, search};
