//! Games played on GitHub by comment, where every move is a commit.
//!
//! ```text
//!  event ──► read ──► decide ──► commit ──► answer ──┐
//!             ▲         │pure      │                 │ next unanswered
//!             └─────────┴──raced───┴─────────────────┘
//! ```
//!
//! Invariants, held by tests:
//!
//! - Nothing is said before it is committed. Nothing is committed that was not decided on the head that it names.
//! - A comment is applied at most once at a table. A command is answered at least once, and one answer stays: where two
//!   runs can come to give one each (`docs/SIMULATION.md` has the ways), whoever looks next removes the wrong one.
//! - The core does no IO and knows no clock; randomness is an argument. A game never sees GitHub, people, JSON text or
//!   Markdown.
//! - What is in the file can be replayed from its history.
//! - Text from a comment never reaches a shell, a path, a log line or an unescaped answer. The token never shows.
//! - The cost of a move does not depend on how many moves, games or comments came before: three hops in sequence (read,
//!   commit, answer), five requests at most; bytes bounded by the record's limit. A result costs one read more, of the
//!   standings; so does a move from another issue when the table's last event came from an older issue than the newest few.
//! - Everything from outside has a limit.
//!
//! In reading order. The core, which imports nothing of the edge:
//!
//! 1. [`said`]: who says what, where and when.
//! 2. [`game`]: the contract between a game and its table. [`games`]: the registry. [`cell`], [`picture`]: what they share.
//!    [`dice`]: throws and their proofs.
//! 3. [`history`]: what can happen at a table. [`table`]: what follows from it. [`record`] and [`pretty`]: the state file.
//! 4. [`command`]: a comment becomes a command. [`decide`] and [`setup`]: a command becomes a decision.
//! 5. [`picture`] and [`scene`]: boards as text and as SVG. [`page`]: boards in a README. [`refusal`] and [`answer`]: the
//!    words. [`standings`]: who has played how often, and how well. [`rules`]: the rules for other programs. [`export`]:
//!    a match of backgammon for other programs.
//!
//! The edge:
//!
//! 1. [`forge`]: the few things we need of a host, with [`forge::github`] and [`forge::local`].
//! 2. [`plan`]: what is to be done next about a thread. [`settle`]: the loop that does it.
//! 3. [`event`] and [`runner`]: a workflow step, and [`rehearsal`]: one that writes nothing. [`play`]: a table in the terminal.
//!    [`host`]: what a repository holds of ours, [`init`]: puts it there, [`doctor`]: looks whether it is right. [`cli`]: the
//!    command line.

pub mod answer;
pub mod cell;
pub mod cli;
pub mod command;
pub mod decide;
pub mod dice;
pub mod doctor;
pub mod event;
pub mod export;
pub mod forge;
pub mod game;
pub mod games;
pub mod history;
pub mod host;
pub mod init;
pub mod page;
pub mod picture;
pub mod plan;
pub mod play;
pub mod pretty;
pub mod record;
pub mod refusal;
pub mod rehearsal;
pub mod rules;
pub mod runner;
pub mod said;
pub mod scene;
pub mod settle;
pub mod setup;
pub mod standings;
pub mod table;
