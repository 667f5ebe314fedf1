//! Games as [Portable Game Notation](https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm), which every chess program
//! reads: tags about the game, and its moves.

pub mod reader;
pub mod start;
pub mod writer;

/// What a game is as long as nobody has won or drawn it.
pub const UNFINISHED: &str = "*";
/// The results by the side that has won, and a draw.
pub const WINS: [&str; 2] = ["1-0", "0-1"];
/// A draw.
pub const DRAW: &str = "1/2-1/2";
