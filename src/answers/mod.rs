//! Answers: the sentences and the pictures of a table, as Markdown, text, commit messages and SVG.
//!
//! May use: everything below, up to [`crate::decisions`]. Used by: pages, the protocol, the command line.

pub mod announce;
pub mod board;
pub mod duration;
pub mod help;
pub mod look;
pub mod marker;
pub mod message;
pub mod refusal;
pub mod render;
pub mod scene;
pub mod sentences;
