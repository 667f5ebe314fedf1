//! The settings of a game: where it begins, and the side that the board is seen from.

use cozy_chess::Board;
use game::rule::RuleError;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::chess::fen::{self, Fen};

/// The number of setups of Chess960.
pub(super) const CHESS960_SETUPS: u16 = 960;

/// The settings of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "ChessConfig")]
pub struct GameConfig {
    /// The number of the setup in Chess960, 0 to 959; 518 is the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chess960: Option<u16>,
    /// Whether a person chose that number. A random setup leaves this out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
    /// The position that the game begins with, as FEN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The side that the board is shown from; white's unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
    /// Whether boards of text show figurines instead of letters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub figurines: bool,
}

/// The side that a board is shown from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ChessView")]
pub enum View {
    /// From white's side.
    White,
    /// From black's side.
    Black,
}

impl GameConfig {
    /// Returns the seat that the board is shown from.
    pub(super) fn viewer(&self) -> Seat {
        match self.view {
            None | Some(View::White) => Seat::First,
            Some(View::Black) => Seat::Second,
        }
    }

    /// Returns the first position.
    pub(super) fn initial_position(&self) -> Result<Fen, RuleError> {
        match (&self.fen, self.chess960) {
            (Some(_), Some(_)) => Err(invalid_state("fen", "Invalid fen: it can't be combined with chess960")),
            (Some(text), None) => {
                let first = fen::parse(text);
                first.map_err(|fault| invalid_state("fen", &format!("Invalid fen: {fault}")))
            }
            (None, Some(number)) if number >= CHESS960_SETUPS => Err(invalid_state(
                "chess960",
                &format!("Invalid chess960: {number}. Expected 0 to {}", CHESS960_SETUPS - 1),
            )),
            (None, Some(number)) => Ok(Fen { board: Board::chess960_startpos(number.into()), halfmove_clock: 0 }),
            (None, None) => Ok(Fen { board: Board::startpos(), halfmove_clock: 0 }),
        }
    }
}

/// Returns the error about a field that no game could have.
pub(super) fn invalid_state(field: &str, message: &str) -> RuleError {
    RuleError::new("INVALID_STATE", message, json!({ "field": field }))
}
