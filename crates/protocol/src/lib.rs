//! The protocol: how the bot reads a thread, decides what to do next, commits it and answers.
//!
//! ```text
//!  event ──► read ──► plan ──► decide ──► commit ──► answer ──┐
//!             ▲                              │                │ next comment
//!             └────────────── lost race ─────┴────────────────┘
//! ```
//!
//! [`settle`] is the entry point and the loop over a [`forge::Forge`]; its steps are in `reader`, `commit_files` and
//! `answer`. `plan` decides the next step. It is a pure function of what was read (`reader`) and of the run's `memory`.
//!
//! ```
//! use protocol::Trigger;
//! use protocol::settle::settle;
//! use testkit::place;
//! use testkit::world::{World, default_config, run};
//!
//! let github = World::new(); // a fake GitHub in memory
//! let issue = github.open_issue("alice", "/new tic-tac-toe @bob");
//! let trigger = Trigger::Comment { source: place(issue, 0), table: None };
//! let report = run(settle(&github, &default_config(), trigger)).expect("the run ends").expect("the run succeeds");
//! assert_eq!(report.applied, 1);
//! assert_eq!(github.answers(issue).len(), 1);
//! ```
//!
//! Invariants, each with the tests that check it (in `crates/protocol/tests/it/` unless another folder is named):
//!
//! - The bot answers only after the commit. It commits only a decision that it made on the head that the commit names.
//!   (`settle/trouble.rs`, `tests/simulator/`)
//! - A comment is applied at most once at a table. (`settle.rs`, `tests/simulator/`) A command is answered at least once, and
//!   one answer stays: if two runs each post one (`docs/SIMULATION.md` says how), the next run deletes the wrong one.
//!   (`settle/trouble.rs`, `tests/simulator/`)
//! - The core does no I/O and reads no clock; randomness is an argument. (`tests/program/core.rs`)
//! - A record can be replayed from its history. (`crates/table/tests/it/record.rs`)
//! - Text from a comment never reaches a shell, a path, a log line or an unescaped answer. The token never appears in output.
//!   (`escaping.rs`, `tests/program/a_run.rs`)
//! - The cost of a move doesn't depend on the number of earlier moves, games or comments: three requests (read, commit,
//!   answer), and bytes bounded by the record's limit. The end of a game costs one more, which reads the standings. A move from
//!   another issue costs one more read if the table's last event came from an issue that isn't among the newest few.
//!   (`settle.rs`)
//! - Everything from outside has a limit. (`settle/flood.rs`, `tests/program/corpus.rs`)

mod answer;
mod clock;
mod comment_context;
mod commit_files;
pub mod forge;
mod gone_issues;
mod host_text;
mod ledger;
mod memory;
mod own_games_query;
mod page_refresh;
mod plan;
mod reader;
mod recent_issues;
mod repo_config;
mod settings;
pub mod settle;
mod sweep;
pub mod wakes;

pub use answer::{COMMENTS_WARNING, MAX_COMMENTS, announcement};
pub use clock::Clock;
pub use comment_context::table_to_read;
pub use forge::{
    Account, Answer, AnswerClaims, AnswerOutcome, Assignee, COMMENTS_PER_PAGE, Change, ClaimOutcome, Comment,
    CommitOutcome, Cursor, Environment, FileContent, Forge, Head, HostError, IssueList, LISTED_COMMENTS, Label,
    MAX_ASSIGNEES, NOT_ASSIGNED, PostOutcome, Presence, Reaction, Remedy, RequestError, SearchPermit, Snapshot, Thread,
    Update, comments_to_list, random_bytes, shown_permission,
};
pub use host_text::{error_text, note_text, note_texts, request_error_text};
pub use ledger::{
    GiveUpReason, HostNote, Ledger, MAX_COMMANDS, PageProblem, Report, SettleError, SweepFailure, TableWork,
};
pub use own_games_query::{pointer, review_line};
pub use repo_config::{ACTIONS_BOT, RepoConfig, Trigger, WebRepo, is_enterprise_server, server_name};
pub use settings::{
    FirstRead, SETTINGS_PATH, SettingsFile, SettingsMistake, SettingsSource, settle_with_settings, with_settings,
};
pub use settle::clock_check::GRACE;
pub use sweep::issues_to_read;
