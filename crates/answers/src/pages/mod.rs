//! Boards, links and rankings on the pages of a repository.

pub mod block;
pub mod clicked;
pub mod links;
pub mod markers;
pub mod markup;
pub mod moves;
pub mod page;
pub mod ranking_table;
pub mod table_list;
