//! Exchange with other programs: PGN import and export, PDN and match text export, rules over JSON Lines, and a UCI
//! engine.
//!
//! ```
//! use interop::rules::respond;
//!
//! let response = respond(r#"{"id":1,"game":"tic-tac-toe","moves":["b2"],"try":"b2"}"#);
//! assert!(response.contains(r#""code":"OCCUPIED_CELL""#));
//! ```

pub mod export;
pub mod import;
mod mat;
mod pgn;
pub mod rules;
mod uci;

pub use export::{Analysis, GameFile, Place};
pub use rules::ErrorResponse;
pub use uci::{EngineOptions, GoParams, IDENTIFICATION, command_words, info_line, parse_go, parse_position, truncated};
