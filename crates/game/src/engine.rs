//! The computer's levels, and the move that it chooses.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// The computer's playing strength, from 1 (suitable for beginners) to 8 (strongest).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Level(u8);

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 8] = [Level(1), Level(2), Level(3), Level(4), Level(5), Level(6), Level(7), Level(8)];
    /// The level `easy`.
    pub const EASY: Level = Level(2);
    /// The level `medium`, the default.
    pub const MEDIUM: Level = Level(4);
    /// The level `hard`.
    pub const HARD: Level = Level(6);
    /// The level `max`.
    pub const MAX: Level = Level(8);

    /// Returns the level with this number, or `None` if it isn't 1 to 8.
    pub fn new(number: u8) -> Option<Level> {
        if (1..=8).contains(&number) { Some(Level(number)) } else { None }
    }

    /// Parses `1` to `8`, or `easy`, `medium`, `hard` or `max` in any case.
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

/// A move that the computer chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove<M> {
    /// The move.
    pub mv: M,
    /// The number of positions searched.
    pub nodes: u64,
    /// The score for the side to move, in a unit of the game's own. Positive is better.
    pub score: i32,
}
