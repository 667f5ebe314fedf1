//! Boards as pictures: what they look like, what they say to those who hear them, and how a game plays back.
//! `UPDATE_EXPECT=1 cargo test -p play-by-commit-answers pictures` draws the golden files anew; `tests/look/look.sh` shows them.

mod check;
mod every_ply;
mod golden;
mod replay;
mod scene;
mod tables;
mod words;
