//! Static website of a repository's games: pages for every table, player, and leaderboard.
//!
//! [`build`] reads the records and writes the files. Each record becomes a
//! [`RoundSummary`] that stays in memory, and the files of its own page ([`game`]), which
//! don't. `round_cache` keeps the rounds for the next build. All other pages are built from the rounds: `home`, `game_index`,
//! `lists`, `player`, `pair`, `people`, `results_index` and `standings`. `page` is the layout that they share. Templates
//! escape everything that comes from records, and pages work without scripts.
//!
//! ```no_run
//! use std::path::PathBuf;
//!
//! use site::{Site, SiteOptions, build};
//!
//! let options = SiteOptions {
//!     state_dir: PathBuf::from("state"),
//!     out: PathBuf::from("_site"),
//!     site: Site { name: "owner/name".to_owned(), ..Site::default() },
//!     max_evaluations: 10,
//! };
//! let report = build(&options, None, &|_| {})?;
//! println!("{} games, {} files", report.games, report.files);
//! # anyhow::Ok(())
//! ```

mod build;
pub mod evaluation;
mod flip;
pub mod game;
pub mod game_index;
pub mod home;
mod learn;
mod lists;
mod moves;
pub mod page;
pub mod pair;
pub mod people;
pub mod player;
pub mod ratings;
mod replay;
mod results_index;
mod round_cache;
mod round_summary;
pub mod standings;

pub use build::{SiteOptions, SiteReport, build};
pub use evaluation::Evaluation;
pub use flip::flip_changes;
pub use lists::{PagedList, ROWS_PER_PAGE, result_pages};
pub use moves::{Steps, move_list, numbered_ply};
pub use page::{FeedHead, PageHead, PngRenderer, Site};
pub use people::Person;
pub use replay::animated_boards;
pub use round_summary::{
    RoundSummary, check_regular_file, is_json_schema, json_files, load_record, parse_record_name, read_text,
};
