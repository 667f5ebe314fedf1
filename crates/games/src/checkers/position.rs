//! The JSON format of positions.

use game::contract::{Interchange, Rules};
use game::rule::InvalidState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::checkers::config::{GameConfig, NoCaptureRule};
use crate::checkers::fen;
use crate::checkers::game::{Checkers, MAX_REVERSIBLE_PLIES, Move};

/// A position with the history needed for draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CheckersPosition")]
pub struct Position {
    /// The position as FEN: the side to move, then the squares of White's and Black's pieces. `K` precedes a king's
    /// square.
    pub fen: String,
    /// The number of plies since the last capture or man's move.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quiet: u16,
    /// The positions since then, oldest first, for counting repetitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
    /// The number of plies since the last capture, if the game has `drawAfter`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub captureless: u16,
}

fn is_zero(plies: &u16) -> bool {
    *plies == 0
}

impl Interchange for Checkers {
    type Position = Position;

    fn from_position(config: &GameConfig, position: &Position) -> Result<Checkers, InvalidState> {
        let no_capture_rule = config.no_capture_rule()?;
        let parse = |field: &str, text: &str| {
            fen::parse(text).map_err(|message| InvalidState::new(field, format!("Invalid {field}: {message}")))
        };
        let bitboards = parse("fen", &position.fen)?;
        if position.earlier.len() > usize::from(MAX_REVERSIBLE_PLIES) {
            return Err(InvalidState::new(
                "earlier",
                format!("Invalid earlier: it can have at most {MAX_REVERSIBLE_PLIES} entries"),
            ));
        }
        let earlier =
            position.earlier.iter().map(|text| parse("earlier", text)).collect::<Result<Vec<_>, InvalidState>>()?;
        let no_capture_rule = no_capture_rule.map(|rule| NoCaptureRule { plies: position.captureless, ..rule });
        if no_capture_rule.is_none() && position.captureless > 0 {
            let message = "Invalid captureless: only a game with drawAfter counts moves without a capture";
            return Err(InvalidState::new("captureless", message));
        }
        Ok(Checkers::with_outcome(bitboards, position.quiet, earlier, no_capture_rule).with_view(config.view))
    }

    fn position(&self) -> Position {
        let earlier = self.earlier.iter().map(fen::format).collect();
        let captureless = self.no_capture_rule.map_or(0, |rule| rule.plies);
        Position { fen: fen::format(&self.bitboards), quiet: self.reversible_plies, earlier, captureless }
    }

    fn position_after_json(&self, mv: &Move) -> Value {
        json!({ "fen": self.play(mv).position().fen })
    }
}
