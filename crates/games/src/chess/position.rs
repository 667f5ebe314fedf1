//! Positions as records and other programs write them.

use game::contract::{Interop, Rules};
use game::rule::RuleError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::chess::config::{GameConfig, invalid_state};
use crate::chess::fen::{self, Fen};
use crate::chess::game::{Chess, EndReason};
use crate::chess::moves::Move;

/// The most positions that can lie behind one: with one more the game is over.
const MAX_EARLIER: usize = 150;

/// A position, with those before it that may come again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ChessPosition")]
pub struct Position {
    /// The position as FEN. The square of an en passant capture is named only where that capture is legal.
    pub fen: String,
    /// The first four fields of the positions since the last move that cannot be undone, oldest first: by them repetitions are
    /// counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
}

impl Interop for Chess {
    type Position = Position;

    fn from_position(config: &GameConfig, position: &Position) -> Result<Chess, RuleError> {
        let read = |field: &str, text: &str| {
            fen::parse(text).map_err(|fault| invalid_state(field, &format!("Invalid {field}: {fault}")))
        };
        let Fen { board, halfmove_clock: quiet } = read("fen", &position.fen)?;
        if position.earlier.len() > MAX_EARLIER {
            return Err(invalid_state(
                "earlier",
                &format!("Invalid earlier: it can have at most {MAX_EARLIER} entries"),
            ));
        }
        let earlier = position.earlier.iter().map(|text| Ok(read("earlier", text)?.board));
        let earlier = earlier.collect::<Result<Vec<_>, RuleError>>()?;
        Ok(Chess { board, halfmove_clock: quiet, earlier, ..Chess::start(config)? }.with_outcome())
    }

    fn position(&self) -> Position {
        let fen = Fen { board: self.board.clone(), halfmove_clock: self.halfmove_clock };
        Position { fen: fen::format(&fen), earlier: self.earlier.iter().map(fen::epd).collect() }
    }

    fn to_json_after(&self, mv: &Move) -> Value {
        json!({ "fen": self.play(mv).position().fen })
    }

    fn extra_json(&self) -> Map<String, Value> {
        let check = ("check".to_owned(), self.checked_king().is_some().into());
        let ending = ("ending".to_owned(), self.end_reason.map(EndReason::describe).into());
        [check, ending, ("claimableDraw".to_owned(), self.claimable_draw().into())].into_iter().collect()
    }
}
