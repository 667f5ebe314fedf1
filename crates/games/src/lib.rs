//! The games, and the search that their computer opponents share.
//!
//! Each game has one line in `registry`, and files with the same names; ARCHITECTURE.md lists them. `analysis` finds the
//! mistakes of a played game.

mod analysis;
pub mod backgammon;
pub mod checkers;
pub mod chess;
pub mod connect_four;
pub mod hex;
mod marks;
mod orientation;
pub mod othello;
mod position;
mod registry;
mod rows;
mod search;
pub mod tic_tac_toe;
pub mod ultimate_tic_tac_toe;

pub use analysis::{Analysis, AnalyzedPly, PlayedPly, accuracy, analyze, outcome_chance};
pub use marks::{Cell, GameMode, Mark, STYLES};
pub use position::{AnyMove, AnyPosition, Position, start};
pub use registry::{GameKind, GameVariant, RegisteredGame};
pub use search::Random;
pub use search::alpha_beta::{Limits, PROVEN_WIN, SearchPosition, Tuning, WIN_VALUE, search};
