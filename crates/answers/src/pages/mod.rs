//! Blocks that the bot maintains on the repository's Markdown pages: boards, lists of games, and leaderboards.

pub mod block;
pub mod links;
pub mod markers;
pub mod moves;
pub mod page;
pub mod ranking_table;
pub mod table_list;
