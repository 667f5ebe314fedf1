//! The JSON format of positions.

use game::contract::{Interchange, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::chess::config::GameConfig;
use crate::chess::fen::{self, Fen};
use crate::chess::game::{Chess, EndReason, MAX_EARLIER};
use crate::chess::moves::Move;

/// A position, with the earlier positions that may repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ChessPosition")]
pub struct Position {
    /// The position as FEN. The en passant square is present only if an en passant capture is legal.
    pub fen: String,
    /// The positions since the last irreversible move, oldest first, as the first four fields of their FEN. They are
    /// used to count repetitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
}

impl Interchange for Chess {
    type Position = Position;

    fn from_position(config: &GameConfig, position: &Position) -> Result<Chess, InvalidState> {
        let parse = |field: &str, text: &str| {
            fen::parse(text).map_err(|problem| InvalidState::new(field, format!("Invalid {field}: {problem}")))
        };
        let Fen { board, halfmove_clock } = parse("fen", &position.fen)?;
        if position.earlier.len() > MAX_EARLIER {
            return Err(InvalidState::new(
                "earlier",
                format!("Invalid earlier: it can have at most {MAX_EARLIER} entries"),
            ));
        }
        let earlier = position.earlier.iter().map(|text| Ok(parse("earlier", text)?.board));
        let earlier = earlier.collect::<Result<Vec<_>, InvalidState>>()?;
        Ok(Chess { board, halfmove_clock, earlier, ..Chess::start(config)? }.with_outcome())
    }

    fn position(&self) -> Position {
        Position { fen: current_fen(self), earlier: self.earlier.iter().map(fen::epd).collect() }
    }

    fn fen(&self) -> Option<String> {
        Some(current_fen(self))
    }

    fn position_after_json(&self, mv: &Move) -> Value {
        json!({ "fen": current_fen(&self.play(mv)) })
    }

    fn status_json(&self) -> Map<String, Value> {
        let check = ("check".to_owned(), self.checked_king().is_some().into());
        let ending = ("ending".to_owned(), self.end_reason.map(EndReason::describe).into());
        let can_win: Map<String, Value> = ["white", "black"]
            .into_iter()
            .zip(Seat::BOTH)
            .map(|(name, seat)| (name.to_owned(), self.can_win(seat).into()))
            .collect();
        let claimable_draw = ("claimableDraw".to_owned(), self.claimable_draw().into());
        [check, ending, claimable_draw, ("canWin".to_owned(), can_win.into())].into_iter().collect()
    }
}

fn current_fen(game: &Chess) -> String {
    fen::format(&Fen { board: game.board.clone(), halfmove_clock: game.halfmove_clock })
}
