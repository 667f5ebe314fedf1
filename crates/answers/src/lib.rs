//! Everything the bot says: answers to comments, pictures of boards, commit messages, and the blocks it maintains on
//! pages.
//!
//! Sentences are [phrases](game::phrase::Phrase) until [`render`] turns them into Markdown, terminal text, or plain
//! words.
//!
//! ```
//! use answers::render::{markdown, plain};
//! use game::phrase::{Span, code, phrase};
//!
//! let sentence = phrase![Span::Person("octocat".to_owned()), " played ", code("b2"), "."];
//! assert_eq!(markdown(&sentence), "**octocat** played `b2`.");
//! assert_eq!(plain(&sentence), "octocat played b2.");
//! ```

pub mod announce;
pub mod board;
pub mod board_picture;
pub mod commit_message;
mod conditional_moves;
pub mod help;
pub mod marker;
pub mod own_games;
pub mod pages;
pub mod rankings;
pub mod refusal;
pub mod render;
pub mod review;
pub mod sentences;
pub mod status;
pub mod terminal;
