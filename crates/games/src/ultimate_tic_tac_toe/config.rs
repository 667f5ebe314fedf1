//! The settings of a game: who moves first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::xo::{GameMode, Player};

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", from = "ConfigInput")]
#[schemars(rename = "UltimateTicTacToeConfig")]
pub struct GameConfig {
    /// The side that moves first.
    pub first_player: Player,
    /// The mode of play.
    pub mode: GameMode,
}

/// A [`GameConfig`] as JSON, where every field is optional.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeConfig")]
struct ConfigInput {
    /// The side that moves first. Defaults to X.
    first_player: Option<Player>,
    /// The mode of play.
    mode: Option<GameMode>,
}

impl From<ConfigInput> for GameConfig {
    fn from(input: ConfigInput) -> GameConfig {
        GameConfig { first_player: input.first_player.unwrap_or_default(), mode: input.mode.unwrap_or_default() }
    }
}
