//! Positions as records and other programs write them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::rule::RuleError;
use crate::games::chess::config::{GameConfig, invalid};
use crate::games::chess::fen::{self, Fen};
use crate::games::chess::game::Chess;

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

/// Returns the position of a game.
pub(super) fn of(game: &Chess) -> Position {
    let fen = Fen { board: game.board.clone(), quiet: game.quiet };
    Position { fen: fen::write(&fen), earlier: game.earlier.iter().map(fen::epd).collect() }
}

/// Returns the game that another program has written.
pub(super) fn set_up(config: &GameConfig, position: &Position) -> Result<Chess, RuleError> {
    let read =
        |field: &str, text: &str| fen::read(text).map_err(|fault| invalid(field, &format!("Invalid {field}: {fault}")));
    let Fen { board, quiet } = read("fen", &position.fen)?;
    if position.earlier.len() > MOST_EARLIER {
        return Err(invalid("earlier", &format!("Invalid earlier: it can have at most {MOST_EARLIER} entries")));
    }
    let earlier = position.earlier.iter().map(|text| Ok(read("earlier", text)?.board));
    let earlier = earlier.collect::<Result<Vec<_>, RuleError>>()?;
    Ok(Chess { board, quiet, earlier, ..Chess::begun(config)? }.judged())
}
