//! Comments with their author, place and time, and the commands in them.
//!
//! [`command`] parses a comment.

pub mod answer;
pub mod command;
pub mod comment;
pub mod context;
pub mod friendly;
pub mod issue_form;
pub mod own_text;
pub mod plain_text;
pub mod synonyms;
pub mod turn;
pub mod words;
