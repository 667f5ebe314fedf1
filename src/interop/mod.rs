//! Games for other programs: JSON Lines, PGN, PDN, match texts, and UCI.
//!
//! May use: everything below, up to [`crate::answers`]. Used by: the site, the command line.

pub mod export;
pub mod import;
mod mat;
mod pdn;
mod pgn;
pub mod rules;
pub mod uci;
