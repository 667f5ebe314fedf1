//! Facts about an imported game: the PGN tags that a record keeps, and the endings that the moves don't show.

use std::collections::BTreeMap;

use game::characters::is_invisible;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::calendar;
use crate::timestamp::Timestamp;

/// The tags that a record keeps. It doesn't keep the players' names, because it knows people by their accounts.
const TAGS: [&str; 9] = ["BlackElo", "Date", "Event", "Round", "Site", "TimeControl", "UTCDate", "UTCTime", "WhiteElo"];
/// The longest value of a tag, in characters.
const MAX_CHARS: usize = 200;

/// The tags of the imported PGN file: `Event`, `Site`, `Date`, `Round`, `UTCDate`, `UTCTime`, `TimeControl`, `WhiteElo` and
/// `BlackElo`, if the file has them. An unknown month or day of a date is `??`. Without a complete date, every imported
/// event has the `timestamp` 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PgnTags(BTreeMap<String, String>);

impl PgnTags {
    /// Returns the tags to keep. `value` looks up a tag in the file.
    pub fn from_lookup<'a>(value: impl Fn(&str) -> Option<&'a str>) -> PgnTags {
        let kept = |name: &str| {
            let value = value(name)?;
            match name {
                "Date" | "UTCDate" => calendar::to_pgn_date(value),
                "UTCTime" => calendar::is_time(value).then(|| value.to_owned()),
                _ => {
                    let clean: String = value.chars().filter(|c| !is_invisible(*c)).take(MAX_CHARS).collect();
                    Some(clean.trim().to_owned()).filter(|clean| !matches!(clean.as_str(), "" | "?"))
                }
            }
        };
        PgnTags(TAGS.into_iter().filter_map(|name| Some((name.to_owned(), kept(name)?))).collect())
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns the known part of the game's date: `2020-05-17`, `2020-05` or `2020`.
    pub fn date(&self) -> Option<String> {
        let date = ["Date", "UTCDate"].into_iter().find_map(|name| calendar::to_pgn_date(self.tag(name)?))?;
        Some(date.replace(".??", "").replace('.', "-"))
    }

    /// Returns the time at which the game began. It is midnight if the file doesn't
    /// say the time of day, and 0 if it doesn't have a complete date.
    pub fn start_time(&self) -> Timestamp {
        let time = self.tag("UTCTime").unwrap_or_default();
        let dates = ["UTCDate", "Date"].into_iter().filter_map(|name| self.tag(name));
        dates.filter_map(|date| calendar::from_pgn(date, time)).next().unwrap_or_default()
    }

    /// Returns the error in the tags of a record, to append to their path; `None` if they are valid.
    pub fn find_fault(&self) -> Option<&'static str> {
        let is_clean = |value: &str| value.chars().count() <= MAX_CHARS && !value.chars().any(is_invisible);
        if self.0.keys().any(|name| !TAGS.contains(&name.as_str())) {
            return Some("has a tag that records don't keep");
        }
        self.0
            .values()
            .any(|value| !is_clean(value))
            .then_some("has a tag that is too long or has invisible characters")
    }
}

/// The result of an imported game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportedResult {
    /// The event's seat won.
    Won,
    /// A draw.
    Draw,
    /// No result.
    None,
}

/// The reason for the result of an imported game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportedReason {
    /// The loser ran out of time.
    Time,
    /// The loser, or both sides, abandoned the game.
    Abandoned,
}
