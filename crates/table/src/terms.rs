//! The terms of a table, agreed upon at its opening: the time a move may take, and who may move.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::talk::comment::Millis;

/// The terms that were agreed when a table was opened; they are the same for every game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The milliseconds that a player may think about one move; `None` is no limit.
    pub per_move: Option<Millis>,
    /// The rule of an open table, where anyone may move for the side on turn; `None` where two players have a seat each.
    pub open: Option<OpenRule>,
}

/// The rule of an open table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRule {
    /// The number of moves of others that have to come between two moves of one person; 0 lets anyone move at any time.
    pub gap: u32,
}

/// A person who has moved at an open table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mover {
    /// The numeric user id: the identity.
    pub id: u64,
    /// The login: for showing.
    pub login: String,
    /// The number of their moves that count.
    pub moves: usize,
}
