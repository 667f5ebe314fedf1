//! The settings of a game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The settings of a game. Othello has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OthelloConfig")]
pub struct GameConfig {}
