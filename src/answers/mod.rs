//! What people are told: the sentences and the pictures of a table, as Markdown, text, commit messages and SVG.
//!
//! May use: everything below, up to [`crate::decisions`]. Used by: pages, the protocol, the command line.

pub mod announce;
pub mod board;
pub mod help;
pub mod markdown;
pub mod marker;
pub mod message;
pub mod replay;
pub mod scene;
