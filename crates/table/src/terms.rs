//! The terms of a table: the time limit for a move, who may move, and whether the game counts.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::UserId;

/// The terms that were set when the table was opened. They are the same for every game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The time that a player has for one move; `None` if there is no limit.
    pub per_move: Option<Duration>,
    /// The time that each player has for the whole game beyond `per_move`; `None` without a bank.
    pub bank: Option<Duration>,
    /// The rule of an open table, where anyone may move for either side; `None` if two players have a seat each.
    pub open: Option<OpenRule>,
    /// Whether the game is casual, so it changes no ratings.
    pub casual: bool,
}

/// The rule of an open table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRule {
    /// The number of moves by other people required between two moves by the same person; 0 lets anyone move at any time.
    pub gap: u32,
}

/// A person who moved at an open table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mover {
    /// The numeric user id, which identifies the person.
    pub id: UserId,
    /// The username, for display only.
    pub login: String,
    /// The number of their moves that count.
    pub moves: usize,
}
