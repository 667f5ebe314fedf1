//! Static website of a repository's games: pages for every table, player, and leaderboard.
//!
//! [`build`] reads the records and writes the files. Each record becomes a
//! [`RoundSummary`](round_summary::RoundSummary) that stays in memory, and the files of its own page ([`game`]), which
//! don't. All other pages are built from the rounds: [`home`], [`game_index`], [`lists`], [`player`],
//! [`players_index`], [`standings`], and [`feed`]. [`page`] is the layout that they share. Templates escape everything
//! that comes from records, and pages work without scripts.
//!
//! ```no_run
//! use std::path::PathBuf;
//!
//! use site::build::{SiteOptions, build};
//! use site::page::Site;
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

pub mod build;
pub mod evaluation;
pub mod flip;
pub mod game;
pub mod game_index;
pub mod home;
pub mod learn;
pub mod lists;
pub mod moves;
pub mod page;
pub mod people;
pub mod player;
pub mod ratings;
pub mod replay;
pub mod results_index;
pub mod round_summary;
pub mod standings;
