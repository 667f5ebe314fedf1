//! Positions as records and other programs write them.

use game::contract::{Interop, Rules};
use game::rule::RuleError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::checkers::config::{GameConfig, NoCaptureRule};
use crate::checkers::fen;
use crate::checkers::game::{Checkers, MAX_REVERSIBLE_PLIES, Move};

/// A position, with those before it that may come again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CheckersPosition")]
pub struct Position {
    /// The position as FEN: the side to move, then the squares of White's pieces and of Black's, with `K` before a king.
    pub fen: String,
    /// The plies since the last capture or man's move.
    #[serde(default, skip_serializing_if = "is_none")]
    pub quiet: u16,
    /// The positions since then, oldest first: by them repetitions are counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
    /// The plies since the last capture, in a game that `drawAfter` ends.
    #[serde(default, skip_serializing_if = "is_none")]
    pub captureless: u16,
}

fn is_none(plies: &u16) -> bool {
    *plies == 0
}

impl Interop for Checkers {
    type Position = Position;

    /// Plies without a capture are counted on where a game counts them.
    fn from_position(config: &GameConfig, position: &Position) -> Result<Checkers, RuleError> {
        let drought = config.no_capture_rule()?;
        let invalid =
            |field: &str, message: String| RuleError::new("INVALID_STATE", message, json!({ "field": field }));
        let read =
            |field: &str, text: &str| fen::parse(text).map_err(|why| invalid(field, format!("Invalid {field}: {why}")));
        let men = read("fen", &position.fen)?;
        if position.earlier.len() > usize::from(MAX_REVERSIBLE_PLIES) {
            return Err(invalid(
                "earlier",
                format!("Invalid earlier: it can have at most {MAX_REVERSIBLE_PLIES} entries"),
            ));
        }
        let earlier =
            position.earlier.iter().map(|text| read("earlier", text)).collect::<Result<Vec<_>, RuleError>>()?;
        let drought = drought.map(|drought| NoCaptureRule { plies: position.captureless, ..drought });
        if drought.is_none() && position.captureless > 0 {
            let why = "Invalid captureless: only a game with drawAfter counts moves without a capture";
            return Err(invalid("captureless", why.to_owned()));
        }
        Ok(Checkers::with_outcome(men, position.quiet, earlier, drought))
    }

    fn position(&self) -> Position {
        let earlier = self.earlier.iter().map(fen::format).collect();
        let captureless = self.no_capture_rule.map_or(0, |drought| drought.plies);
        Position { fen: fen::format(&self.bitboards), quiet: self.reversible_plies, earlier, captureless }
    }

    fn to_json_after(&self, mv: &Move) -> Value {
        json!({ "fen": self.play(mv).position().fen })
    }
}
