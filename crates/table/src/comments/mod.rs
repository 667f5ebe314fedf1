//! Comments with their author, place and time, and the commands in them.
//!
//! [`parser`] parses a comment into a command, chat or an error.

pub(crate) mod command;
pub(crate) mod commands;
pub(crate) mod comment;
pub(crate) mod consent;
pub(crate) mod friendly;
pub(crate) mod own_text;
pub mod parser;
