//! Games for other programs: JSON Lines, PGN, PDN, match texts, and UCI.

pub mod export;
pub mod import;
mod mat;
mod pdn;
mod pgn;
pub mod rules;
pub mod uci;
