//! Errors for illegal moves, for invalid positions, and for text that can't be parsed as a move.

use serde_json::{Value, json};

use crate::Phrase;

/// The maximum number of legal moves that a message lists.
pub const MAX_LISTED_MOVES: usize = 8;

/// An error for an illegal move: the rule that forbids it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct IllegalMove {
    /// The machine code: `OCCUPIED_CELL`.
    pub code: &'static str,
    /// The message: "Cannot move to occupied cell at position 4. Cell contains: O".
    pub message: String,
    /// The facts, as a JSON object.
    pub context: Value,
    /// A friendlier message for players: "O is already on `b2`". `None` if the message is clear enough. The box keeps
    /// results small.
    pub explanation: Option<Box<Phrase>>,
}

impl IllegalMove {
    /// Creates an error without an explanation. `context` is a JSON object.
    pub fn new(code: &'static str, message: impl Into<String>, context: Value) -> IllegalMove {
        IllegalMove { code, message: message.into(), context, explanation: None }
    }

    /// Returns the range of the board's cells, if the move is outside the board.
    pub fn range(&self) -> Option<&str> {
        self.context["range"].as_str()
    }

    /// Adds an explanation for players.
    pub fn explained(self, explanation: impl Into<Phrase>) -> IllegalMove {
        IllegalMove { explanation: Some(Box::new(explanation.into())), ..self }
    }
}

/// An error for a configuration or a position that no game can have. Its machine code is [`InvalidState::CODE`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InvalidState {
    /// The message, which names the field.
    pub message: String,
    /// The facts, as a JSON object.
    pub context: Value,
}

impl InvalidState {
    /// The machine code.
    pub const CODE: &str = "INVALID_STATE";

    /// Creates an error about a field.
    pub fn new(field: &str, message: impl Into<String>) -> InvalidState {
        InvalidState { message: message.into(), context: json!({ "field": field }) }
    }

    /// Creates an error about a field with an unexpected value.
    pub fn unexpected(field: &str, found: impl Into<Value>, expected: &str) -> InvalidState {
        let found = found.into();
        let message = format!("Invalid game state: {field} is {found}, expected {expected}");
        InvalidState { message, context: json!({ "field": field, "found": found }) }
    }
}

/// An error for a text that can't be parsed as a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseMoveError {
    /// The text doesn't look like a move of this game.
    NotAMove,
    /// The text names a cell or piece that this board doesn't have. The message names the valid range.
    OutOfRange(IllegalMove),
    /// The text matches several legal moves, or several cells that can be taken, given here in canonical notation.
    Ambiguous(Vec<String>),
}

impl ParseMoveError {
    /// Returns an error for a cell or piece that this board doesn't have.
    pub fn out_of_range(code: &'static str, message: impl Into<String>) -> ParseMoveError {
        ParseMoveError::OutOfRange(IllegalMove::new(code, message, json!({})))
    }

    /// Returns an error for a cell outside this board, whose cells are `range`: `a1-c3`.
    pub fn outside_board(code: &'static str, message: impl Into<String>, range: &str) -> ParseMoveError {
        ParseMoveError::OutOfRange(IllegalMove::new(code, message, json!({ "range": range })))
    }
}
