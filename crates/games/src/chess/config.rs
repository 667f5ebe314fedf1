//! The settings of a game: the starting position and how the board is shown.

use cozy_chess::Board;
use game::rule::RuleError;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::chess::fen::{self, Fen};
use crate::view::View;

/// The number of Chess960 starting positions.
pub(super) const CHESS960_SETUPS: u16 = 960;

/// The settings of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "ChessConfig")]
pub struct GameConfig {
    /// The number of the Chess960 starting position, 0 to 959; 518 is the standard one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chess960: Option<u16>,
    /// Whether a player chose that number. A random position omits this.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
    /// The starting position, as FEN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Whether players have to claim draws by repetition, by the number of moves, and by material. An import sets this
    /// if the game continued after such a draw, as games before 2014 did.
    #[serde(rename = "claimedDraws", skip_serializing_if = "std::ops::Not::not")]
    pub claimed_draws: bool,
    /// The side that the board is shown from; white if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
    /// Whether text boards show figurines instead of letters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub figurines: bool,
}

impl GameConfig {
    /// Returns the seat that the board is shown from.
    pub(super) fn viewer(&self, side_to_move: Seat) -> Seat {
        match self.view {
            None | Some(View::White) => Seat::First,
            Some(View::Black) => Seat::Second,
            Some(View::Turn) => side_to_move,
        }
    }

    /// Returns the starting position.
    ///
    /// # Errors
    /// Returns an `INVALID_STATE` error if a setting is invalid or if two settings exclude each other.
    pub(super) fn initial_position(&self) -> Result<Fen, RuleError> {
        match (&self.fen, self.chess960) {
            (Some(_), Some(_)) => Err(invalid_state("fen", "Invalid fen: it can't be combined with chess960")),
            (Some(text), None) => {
                fen::parse(text).map_err(|problem| invalid_state("fen", &format!("Invalid fen: {problem}")))
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

/// Returns the `INVALID_STATE` error for a field of a record.
pub(super) fn invalid_state(field: &str, message: &str) -> RuleError {
    RuleError::new("INVALID_STATE", message, json!({ "field": field }))
}
