//! Exchange with other programs: PGN import and export, other formats to export, links to other websites, rules over JSON
//! Lines, and a UCI engine.
//!
//! ```
//! use interop::rules::respond;
//!
//! let response = respond(r#"{"id":1,"game":"tic-tac-toe","moves":["b2"],"try":"b2"}"#);
//! assert!(response.contains(r#""code":"OCCUPIED_CELL""#));
//! ```

pub mod export;
pub mod import;
mod link;
mod mat;
mod pgn;
pub mod rules;
mod uci;

pub use export::{GameFile, Place};
pub use link::{GameLink, link};
pub use rules::ErrorResponse;
pub use uci::{EngineOptions, GoParams, IDENTIFICATION, command_words, info_line, parse_go, parse_position, truncated};
