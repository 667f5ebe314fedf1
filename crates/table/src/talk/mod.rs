//! Talk: comments with their author, place and time, and the command that a comment is read as.
//!
//! [`thread`] is the data of a conversation as a forge shows it; [`command`] turns a comment into a command or into chat.

pub mod command;
pub mod comment;
pub mod context;
pub mod thread;
