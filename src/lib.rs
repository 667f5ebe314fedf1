//! Games played on GitHub by comment, where every move is a commit.

pub mod answer;
pub mod cell;
pub mod cli;
pub mod command;
pub mod decide;
pub mod event;
pub mod forge;
pub mod game;
pub mod games;
pub mod history;
pub mod picture;
pub mod plan;
pub mod play;
pub mod pretty;
pub mod record;
pub mod refusal;
pub mod rules;
pub mod runner;
pub mod said;
pub mod settle;
pub mod setup;
pub mod table;
