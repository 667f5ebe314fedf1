//! Boards as pictures: what they look like, what they say to those who hear them, and how a game plays back.
//! `UPDATE_EXPECT=1 cargo test --test fast pictures` draws the golden files anew; `tests/look/look.sh` shows them.

mod check;
mod command_line;
mod every_ply;
mod golden;
mod replay;
mod scene;
mod tables;
mod words;
