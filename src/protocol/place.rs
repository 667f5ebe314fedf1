//! Where a run works, and what woke it.

use crate::decisions::house::HouseRules;
use crate::talk::comment::Source;

/// What a host has set up.
#[derive(Clone, Debug)]
pub struct Place {
    /// The rules of the house.
    pub house: HouseRules,
    /// The directory of the records, from the root of the repository, without a slash at the end.
    pub state_dir: String,
    /// The mail domain that the host keeps for its users: `users.noreply.github.com`.
    pub noreply: String,
    /// Where the repository is on the web, if it is: pictures are shown from there.
    pub web: Option<Web>,
    /// Whether boards that are shown as text have the colours of a terminal.
    pub coloured: bool,
    /// The files, from the root of the repository, whose marked parts are kept current.
    pub pages: Vec<String>,
    /// How many days back the sweep looks, and a command in an issue without a table counts.
    pub days: u64,
}

/// A repository on the web.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Web {
    /// The server, without a slash at the end: `https://github.com`.
    pub server: String,
    /// The repository: `owner/name`.
    pub repository: String,
    /// The state branch, where it is not the default branch.
    pub branch: Option<String>,
}

/// What made the bot look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// A comment, or the body of a new issue.
    Comment {
        /// Where it stands.
        source: Source,
        /// The other table that its text names, as a hint for the first read.
        table: Option<u64>,
    },
    /// A line typed into a terminal: the one issue that there is.
    Issue(u64),
    /// The time of day: settle everything that was touched lately.
    Sweep,
}
