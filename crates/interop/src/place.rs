//! The place where a game was played, for the files that other programs read.

/// The place where a game was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The repository: `owner/name`.
    pub repository: String,
    /// The URL of the game's issue.
    pub issue_url: String,
}
