//! Everything the bot says: answers to comments, pictures of boards, commit messages, and the blocks it maintains on
//! pages.
//!
//! Sentences are [phrases](game::Phrase) until [`render`] turns them into Markdown, terminal text, or plain
//! words.
//!
//! ```
//! use answers::render::{markdown, plain};
//! use game::{person, say};
//!
//! let (login, mv) = ("octocat", "b2");
//! let sentence = say!("{login:person} played `{mv}`.");
//! assert_eq!(markdown(&sentence), "**octocat** played `b2`.");
//! assert_eq!(plain(&sentence), "octocat played b2.");
//! ```

pub mod announce;
mod board;
pub mod board_picture;
pub mod commit_message;
mod conditional_moves;
mod help;
mod marker;
pub mod own_games;
pub mod pages;
pub mod rankings;
mod refusal;
pub mod render;
pub mod review;
pub mod sentences;
pub mod status;
mod terminal;

pub use board::terminal_board;
pub use board_picture::BoardPicture;
pub use commit_message::GameEnd;
pub use help::{DICE_PAGE, DOCS, command_table};
pub use marker::{MAX_ANSWER, Marker, Notice, NoticeKind};
pub use pages::block::Block;
pub use pages::links::{LINK_FORM, Links, OPEN_SEAT_LABEL, game_page_path, is_only_a_command, percent_encode};
pub use pages::markers::{MAX_PAGE, MAX_PAIRS};
pub use pages::page::{BlockUpdates, RefreshedPage, WantedBlocks};
pub use pages::table_list::TableList;
pub use pages::{block, page, ranking_table, table_list};
pub use refusal::sentence;
pub use render::OutputFormat;
pub use sentences::MoveNumber;
pub use terminal::TerminalOptions;
