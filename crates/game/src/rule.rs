//! Errors of the rules, and of reading a move.

use std::fmt;

use serde_json::{Value, json};

/// A rule that is in the way, in the engine's own words: a machine code, the sentence, and the facts behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleError {
    /// The machine code: `OCCUPIED_CELL`.
    pub code: &'static str,
    /// The sentence: "Cannot move to occupied cell at position 4. Cell contains: O".
    pub message: String,
    /// The facts, as a JSON object.
    pub context: Value,
}

impl RuleError {
    /// Returns an error with its facts.
    pub fn new(code: &'static str, message: impl Into<String>, context: Value) -> RuleError {
        RuleError { code, message: message.into(), context }
    }

    /// Returns the error about a field of a configuration or a position with a value that it cannot have.
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

/// The reason why a text is no move of a game at all, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseMoveError {
    /// The text is not written as moves are written in this game.
    NotAMove,
    /// The text names something that this board does not have; the sentence says what the board has.
    OutOfRange(RuleViolation),
    /// The text could mean any of these moves, each in canonical notation.
    Ambiguous(Vec<String>),
}

/// A machine code and a sentence, where there are no further facts to tell.
pub type RuleViolation = (&'static str, String);
