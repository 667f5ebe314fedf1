//! Comments with their author, place and time, and the commands in them.
//!
//! [`parser`] parses a comment into a command, chat or an error.

pub mod command;
pub mod commands;
pub mod comment;
pub mod consent;
pub mod friendly;
pub mod own_text;
pub mod parser;
