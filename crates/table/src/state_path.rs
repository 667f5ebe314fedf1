//! The files of the state directory, by their paths below it.
//!
//! ```
//! use table::{IssueNumber, StatePath};
//!
//! let issue = IssueNumber::new(42);
//! assert_eq!(StatePath::Record(issue).below("state"), "state/42.json");
//! assert_eq!(StatePath::parse("archive/42-1.json"), Some(StatePath::ArchivedRecord { issue, round: 1 }));
//! assert_eq!(StatePath::parse("record.schema.json"), None);
//! ```

use crate::{IssueNumber, UserId};
use std::fmt;

/// A file in the state directory. It is displayed as its path below the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatePath {
    /// The record of a table: `42.json`.
    Record(IssueNumber),
    /// The picture of a table's board: `42.svg`.
    Board(IssueNumber),
    /// The record of an earlier round: `archive/42-1.json`.
    ArchivedRecord {
        /// The issue of the table.
        issue: IssueNumber,
        /// The round.
        round: u32,
    },
    /// The replay of a finished round: `archive/42-1.svg`.
    Replay {
        /// The issue of the table.
        issue: IssueNumber,
        /// The round.
        round: u32,
    },
    /// The summary of a game in progress: `running/42.json`.
    Running(IssueNumber),
    /// The rows of the list of tables on pages: `tables.json`.
    TableList,
    /// When the daily run began to look for commands: `daily.json`.
    DailyRun,
    /// A picture on a clickable board, by the beginning of its hash: `tiles/9c2172b9.svg`.
    Tile(String),
    /// A person's time away, by their user ID: `away/583231.json`.
    Away(UserId),
    /// A file of the standings, by its name: `players/chess.json`.
    Standings(String),
}

impl StatePath {
    /// Parses a path below the state directory; `None` if it isn't one of its files.
    pub fn parse(path: &str) -> Option<StatePath> {
        let (dir, file) = path.split_once('/').unwrap_or(("", path));
        let (name, extension) = file.rsplit_once('.').filter(|(name, _)| !name.is_empty() && !name.contains('/'))?;
        let round = || {
            let (issue, round) = name.split_once('-')?;
            Some((issue.parse().ok()?, round.parse().ok()?))
        };
        match (dir, extension) {
            ("", "json") if name == "tables" => Some(StatePath::TableList),
            ("", "json") if name == "daily" => Some(StatePath::DailyRun),
            ("", "json") => name.parse().ok().map(StatePath::Record),
            ("", "svg") => name.parse().ok().map(StatePath::Board),
            ("archive", "json") => round().map(|(issue, round)| StatePath::ArchivedRecord { issue, round }),
            ("archive", "svg") => round().map(|(issue, round)| StatePath::Replay { issue, round }),
            ("running", "json") => name.parse().ok().map(StatePath::Running),
            ("away", "json") => name.parse().ok().map(StatePath::Away),
            ("tiles", "svg") => Some(StatePath::Tile(name.to_owned())),
            ("players", "json") => Some(StatePath::Standings(name.to_owned())),
            _ => None,
        }
    }

    /// Parses a path from the repository's root; `None` if it isn't a file of this state directory.
    pub fn parse_below(path: &str, state_dir: &str) -> Option<StatePath> {
        StatePath::parse(path.strip_prefix(state_dir)?.strip_prefix('/')?)
    }

    /// Returns the issue of a table's record; `None` for any other file.
    pub fn into_record(self) -> Option<IssueNumber> {
        if let StatePath::Record(issue) = self { Some(issue) } else { None }
    }

    /// Returns the path from the repository's root.
    pub fn below(&self, state_dir: &str) -> String {
        format!("{state_dir}/{self}")
    }
}

impl fmt::Display for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StatePath::Record(issue) => write!(f, "{issue}.json"),
            StatePath::Board(issue) => write!(f, "{issue}.svg"),
            StatePath::ArchivedRecord { issue, round } => write!(f, "archive/{issue}-{round}.json"),
            StatePath::Replay { issue, round } => write!(f, "archive/{issue}-{round}.svg"),
            StatePath::Running(issue) => write!(f, "running/{issue}.json"),
            StatePath::Away(id) => write!(f, "away/{id}.json"),
            StatePath::TableList => write!(f, "tables.json"),
            StatePath::DailyRun => write!(f, "daily.json"),
            StatePath::Tile(hash) => write!(f, "tiles/{hash}.svg"),
            StatePath::Standings(name) => write!(f, "players/{name}.json"),
        }
    }
}
