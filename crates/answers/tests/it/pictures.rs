//! Tests of board pictures: how they look, their text alternatives, and replays.
//!
//! `UPDATE_EXPECT=1 cargo test -p play-by-commit-answers pictures` updates the golden files. `tests/look/look.sh`
//! displays them.

mod board_picture;
mod check;
mod every_ply;
mod golden;
mod replay;
mod tables;
mod words;
