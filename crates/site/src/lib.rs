//! The website of all games: every table, player and ranking as files.
//!
//! Each table becomes an [`entry::Entry`], a few lines that stay in memory, and the files of its own page ([`game`]), which do not.
//! All other pages are made of the entries: [`home`], [`lists`], [`player`], [`standings`], [`feed`]. [`page`] is what they have
//! in common. Whatever a record says is escaped by the templates, and pages need no script. [`build`] reads the records and
//! writes the files.

pub mod build;
pub mod entry;
pub mod evaluation;
pub mod feed;
pub mod game;
pub mod home;
pub mod lists;
pub mod moves;
pub mod page;
pub mod people;
pub mod player;
pub mod plot;
pub mod preview;
pub mod record_file;
pub mod standings;
