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
pub mod clocks;
pub mod commit_message;
mod conditional_moves;
pub mod duration;
pub mod game_end;
pub mod help;
pub mod issue_title;
pub mod marker;
mod mentions;
pub mod move_number;
pub mod output_format;
pub mod own_games;
pub mod pages;
mod people;
pub mod rankings;
pub mod refusal;
pub mod render;
pub mod review;
pub mod sentences;
mod status;
mod suggestion;
pub mod terminal;
