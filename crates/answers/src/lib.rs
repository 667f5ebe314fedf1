//! Answers: the sentences and pictures that the bot replies with, and the blocks it keeps on pages.

pub mod announce;
pub mod board;
pub mod commit_message;
pub mod duration;
pub mod help;
pub mod marker;
pub mod output_format;
pub mod pages;
pub mod refusal;
pub mod render;
pub mod scene;
pub mod sentences;
mod status;
