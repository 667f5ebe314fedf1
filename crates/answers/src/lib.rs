//! Answers: the sentences and pictures that the bot replies with, and the blocks it keeps on pages.

pub mod announce;
pub mod board;
pub mod duration;
pub mod help;
pub mod look;
pub mod marker;
pub mod message;
pub mod pages;
pub mod refusal;
pub mod render;
pub mod scene;
pub mod sentences;
mod status;
