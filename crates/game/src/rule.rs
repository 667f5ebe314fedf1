//! Errors for illegal moves and invalid positions, and for text that can't be parsed as a move.

use std::fmt;

use serde_json::{Value, json};

/// The most legal moves that a refusal lists.
pub const MAX_LISTED_MOVES: usize = 8;

/// An error for an illegal move or an invalid position: a machine code, a message, and the facts behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleError {
    /// The machine code: `OCCUPIED_CELL`.
    pub code: &'static str,
    /// The message: "Cannot move to occupied cell at position 4. Cell contains: O".
    pub message: String,
    /// The facts, as a JSON object.
    pub context: Value,
}

impl RuleError {
    /// Creates an error. `context` is a JSON object.
    pub fn new(code: &'static str, message: impl Into<String>, context: Value) -> RuleError {
        RuleError { code, message: message.into(), context }
    }

    /// Returns an error about a field of a configuration or a position whose value is invalid.
    pub fn invalid_state(field: &str, found: impl Into<Value>, expected: &str) -> RuleError {
        let found = found.into();
        let message = format!("Invalid game state: {field} is {found}, expected {expected}");
        RuleError::new("INVALID_STATE", message, json!({ "field": field, "found": found }))
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RuleError {}

/// An error for a text that can't be parsed as a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseMoveError {
    /// The text doesn't look like a move of this game.
    NotAMove,
    /// The text names a cell or piece that this board doesn't have. The message names the valid range.
    OutOfRange(RuleViolation),
    /// The text matches several legal moves, given here in canonical notation.
    Ambiguous(Vec<String>),
}

/// A broken rule: a machine code and a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleViolation {
    /// The machine code: `INVALID_MOVE_POSITION`.
    pub code: &'static str,
    /// The message: "Invalid move position: d4. Valid range: a1-c3 for 3x3 board".
    pub message: String,
}

impl ParseMoveError {
    /// Returns an error for a cell or piece that this board doesn't have.
    pub fn out_of_range(code: &'static str, message: impl Into<String>) -> ParseMoveError {
        ParseMoveError::OutOfRange(RuleViolation { code, message: message.into() })
    }
}
