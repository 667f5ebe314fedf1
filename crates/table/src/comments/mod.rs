//! Comments with their author, place and time, and the commands in them.
//!
//! [`parser`] parses a comment into a command, chat or an error.

pub mod command;
pub mod command_spec;
pub(crate) mod command_word;
pub mod commands;
pub mod comment;
pub mod consent;
pub mod context;
pub mod friendly;
pub mod issue_form;
pub mod own_text;
pub mod parser;
pub mod plain_text;
pub mod turn;
pub mod variants;
pub mod words;
