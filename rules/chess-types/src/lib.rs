//! What [`cozy-chess`](https://docs.rs/cozy-chess) is built on: squares, pieces, sets of squares, and the order in which its table
//! of sliding moves lies.
//!
//! The published crate of this name finds a slider's moves by multiplication, which spreads 6,328 different sets of squares over
//! 87,988 places of that table. Here each set has one place ([`sliders`]), and the program is 650 KB smaller. There is nothing
//! else than what `cozy-chess` and the rules of chess call, by the names by which they call it.

#![no_std]
#![forbid(unsafe_code)]

pub mod bitboard;
pub mod castling;
pub mod chess_move;
pub mod color;
pub mod file;
pub mod helpers;
mod kinds;
mod lines;
pub mod piece;
pub mod rank;
pub mod sliders;
pub mod square;

pub use bitboard::BitBoard;
pub use castling::CastleRights;
pub use chess_move::Move;
pub use color::Color;
pub use file::File;
pub use piece::Piece;
pub use rank::Rank;
pub use sliders::*;
pub use square::Square;
