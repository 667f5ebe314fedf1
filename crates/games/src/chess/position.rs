//! Positions as records and other programs write them.

use game::contract::{Interop, Rules};
use game::rule::RuleError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::chess::config::{GameConfig, invalid};
use crate::chess::fen::{self, Fen};
use crate::chess::game::{Chess, End};
use crate::chess::moves::Move;

/// The most positions that can lie behind one: with one more the game is over.
const MOST_EARLIER: usize = 150;

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

    fn at(config: &GameConfig, position: &Position) -> Result<Chess, RuleError> {
        let read = |field: &str, text: &str| {
            fen::read(text).map_err(|fault| invalid(field, &format!("Invalid {field}: {fault}")))
        };
        let Fen { board, quiet } = read("fen", &position.fen)?;
        if position.earlier.len() > MOST_EARLIER {
            return Err(invalid("earlier", &format!("Invalid earlier: it can have at most {MOST_EARLIER} entries")));
        }
        let earlier = position.earlier.iter().map(|text| Ok(read("earlier", text)?.board));
        let earlier = earlier.collect::<Result<Vec<_>, RuleError>>()?;
        Ok(Chess { board, quiet, earlier, ..Chess::start(config)? }.judged())
    }

    fn position(&self) -> Position {
        let fen = Fen { board: self.board.clone(), quiet: self.quiet };
        Position { fen: fen::write(&fen), earlier: self.earlier.iter().map(fen::epd).collect() }
    }

    fn result(&self, mv: &Move) -> Value {
        json!({ "fen": self.play(mv).position().fen })
    }

    fn facts(&self) -> Map<String, Value> {
        let check = ("check".to_owned(), self.king_in_check().is_some().into());
        let ending = ("ending".to_owned(), self.end.map(End::reason).into());
        [check, ending, ("claimableDraw".to_owned(), self.claimable_draw().into())].into_iter().collect()
    }
}
