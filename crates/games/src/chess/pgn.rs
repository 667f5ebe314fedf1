//! Games in [Portable Game Notation](https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm) (PGN).

pub mod reader;
pub mod start;
pub mod writer;

/// The result of an unfinished game.
pub const UNFINISHED: &str = "*";
/// The results of won games, by the seat that won.
pub const WINS: [&str; 2] = ["1-0", "0-1"];
/// The result of a drawn game.
pub const DRAW: &str = "1/2-1/2";
