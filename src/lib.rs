//! Games played on GitHub by comment, where every move is a commit.

pub mod cell;
pub mod forge;
pub mod game;
pub mod games;
pub mod picture;
pub mod said;
