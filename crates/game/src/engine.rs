//! What the computer has chosen, and how hard it tries.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// How hard the computer tries, from 1 (it loses to somebody who has learned the game today) to 8 (as hard as it can).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Level(u8);

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 8] = [Level(1), Level(2), Level(3), Level(4), Level(5), Level(6), Level(7), Level(8)];
    /// The level `easy`.
    pub const EASY: Level = Level(2);
    /// The level `medium`, which is played where none is named.
    pub const MEDIUM: Level = Level(4);
    /// The level `hard`.
    pub const HARD: Level = Level(6);
    /// The level `max`.
    pub const MAX: Level = Level(8);

    /// Returns the level of this number; `None` unless it is 1 to 8.
    pub fn new(number: u8) -> Option<Level> {
        (1..=8).contains(&number).then_some(Level(number))
    }

    /// Returns the level that somebody names: `1` to `8`, or `easy`, `medium`, `hard`, `max`, in any case.
    pub fn parse(name: &str) -> Option<Level> {
        match name.to_lowercase().as_str() {
            "easy" => Some(Level::EASY),
            "medium" => Some(Level::MEDIUM),
            "hard" => Some(Level::HARD),
            "max" => Some(Level::MAX),
            number => Level::new(number.parse().ok()?),
        }
    }

    /// Returns the number, 1 to 8.
    pub fn number(self) -> u8 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Level::new(number).ok_or_else(|| serde::de::Error::custom("a level is a number from 1 to 8"))
    }
}

impl JsonSchema for Level {
    fn schema_name() -> Cow<'static, str> {
        "Level".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": 8 })
    }
}

/// A move that the computer has chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove<M> {
    /// The move.
    pub mv: M,
    /// The work: how many positions were looked at. It bounds the choice, and time does not.
    pub nodes: u64,
    /// The value for the side that moves, in the game's own measure: more than 0 is good for it.
    pub score: i32,
}
