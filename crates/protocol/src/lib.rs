//! The protocol: the [`forge::Forge`] trait, what to do next about a comment, and the loop that does it.
//!
//! [`plan`] is pure and belongs to the core, with its data in [`view`], [`memory`], [`given_answers`], [`older_pages`] and
//! [`place`], [`config`]; [`run`] is the loop that carries its steps out over a forge: [`reading`], [`bundle`], [`answering`].
//! [`settle`] starts it.
//!
//! ```text
//!  event ──► read ──► decide ──► commit ──► answer ──┐
//!             ▲         │pure      │                 │ next unanswered
//!             └─────────┴──raced───┴─────────────────┘
//! ```
//!
//! Invariants, each with the tests that hold it (in `crates/protocol/tests/it/` where no other folder is named):
//!
//! - Nothing is said before it is committed. Nothing is committed that was not decided on the head that it names.
//!   (`settle/trouble.rs`, `tests/simulator/`)
//! - A comment is applied at most once at a table. (`settle.rs`, `tests/simulator/`) A command is answered at least once, and
//!   one answer stays: where two runs can come to give one each (`docs/SIMULATION.md` has the ways), the next run removes the
//!   wrong one. (`settle/trouble.rs`, `tests/simulator/`)
//! - The core does no I/O and reads no clock; randomness is an argument. (`tests/program/core.rs`)
//! - A record can be replayed from its history. (`crates/table/tests/it/record.rs`)
//! - Text from a comment never reaches a shell, a path, a log line or an unescaped answer. The token never shows.
//!   (`escaping.rs`, `tests/program/a_run.rs`)
//! - The cost of a move does not depend on how many moves, games or comments came before: three hops in sequence (read,
//!   commit, answer), five requests at most; bytes bounded by the record's limit. What ends a game costs two more: a read of
//!   the standings, and its issue is closed. A move from another issue costs a read more when the table's last event came
//!   from an older issue than the newest few. (`settle.rs`)
//! - Everything from outside has a limit. (`settle/flood.rs`, `tests/program/corpus.rs`)

pub mod answer;
pub mod backoff;
pub mod clock;
pub mod commit_files;
pub mod forge;
pub mod inputs;
pub mod ledger;
pub mod memory;
pub mod older_comments;
pub mod page_files;
pub mod page_refresh;
pub mod plan;
pub mod reader;
pub mod repo_config;
pub mod run;
pub mod search_cache;
pub mod settle;
pub mod thread_answers;
pub mod view;
