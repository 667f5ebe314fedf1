//! Comments with their author, place and time, and the commands in them.
//!
//! [`parsed_comment`] parses a comment into a command, chat or an error. [`phrases`] has the words and phrases that people write.

pub(crate) mod command;
pub(crate) mod commands;
pub(crate) mod comment;
pub(crate) mod game_names;
pub(crate) mod own_text;
pub(crate) mod parsed_comment;
pub(crate) mod phrases;
pub(crate) mod plain_words;
