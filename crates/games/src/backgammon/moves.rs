//! The moves of a game: plays, and what is done about the cube.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::backgammon::placement::Step;

/// A move: a play of the dice, or an action with the cube.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "BackgammonMove")]
pub enum Move {
    /// Plays the dice.
    Play(Steps),
    /// Acts with the cube.
    Cube(CubeMove),
}

/// The steps of a play, in canonical order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// In a record the fields of the event stand beside these.
#[schemars(rename = "BackgammonSteps", extend("additionalProperties" = true))]
pub struct Steps {
    /// The steps, one a die.
    pub moves: Vec<Step>,
}

/// An action with the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// In a record the fields of the event stand beside these.
#[schemars(rename = "BackgammonAction", extend("additionalProperties" = true))]
pub struct CubeMove {
    /// The deed.
    pub cube: CubeAction,
}

/// The four actions with the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BackgammonDeed")]
pub enum CubeAction {
    /// Rolls without doubling.
    Roll,
    /// Offers to play on at twice the stakes.
    Double,
    /// Plays on at twice the stakes, and owns the cube.
    Take,
    /// Loses at the stakes as they were.
    Drop,
}

impl CubeAction {
    /// All of them.
    pub const ALL: [CubeAction; 4] = [CubeAction::Roll, CubeAction::Double, CubeAction::Take, CubeAction::Drop];

    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            CubeAction::Roll => "roll",
            CubeAction::Double => "double",
            CubeAction::Take => "take",
            CubeAction::Drop => "drop",
        }
    }
}
