//! The moves of a game: plays and cube actions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::backgammon::placement::Step;

/// A move: a play or a cube action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "BackgammonMove")]
pub enum Move {
    /// A play.
    Play(Steps),
    /// A cube action.
    Cube(CubeMove),
}

/// The steps of a play, in canonical order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// In a record, these fields share an object with the event's own fields.
#[schemars(rename = "BackgammonSteps", extend("additionalProperties" = true))]
pub struct Steps {
    /// The steps, one per die.
    pub moves: Vec<Step>,
}

/// A cube action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// In a record, these fields share an object with the event's own fields.
#[schemars(rename = "BackgammonAction", extend("additionalProperties" = true))]
pub struct CubeMove {
    /// The action.
    pub cube: CubeAction,
}

/// The four cube actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BackgammonDeed")]
pub enum CubeAction {
    /// Rolls without doubling.
    Roll,
    /// Offers to double the stakes.
    Double,
    /// Accepts the double and becomes the owner of the cube.
    Take,
    /// Declines the double and loses the game at the old stakes.
    Drop,
}

impl CubeAction {
    /// All actions.
    pub const ALL: [CubeAction; 4] = [CubeAction::Roll, CubeAction::Double, CubeAction::Take, CubeAction::Drop];

    /// Returns the word for the action.
    pub fn word(self) -> &'static str {
        match self {
            CubeAction::Roll => "roll",
            CubeAction::Double => "double",
            CubeAction::Take => "take",
            CubeAction::Drop => "drop",
        }
    }
}
