//! The rules of the house: what its host has settled for all tables.

use games::registry::GameKind;

use crate::dice::Secret;

/// The rules that the host has settled for all tables.
#[derive(Clone, Debug)]
pub struct HostPolicy {
    /// The games that may be played; empty is all of them.
    pub games: Vec<GameKind>,
    /// The people who may open a table.
    pub opening: OpeningPolicy,
    /// The secret that makes the dice of new tables provable.
    pub dice_secret: Option<Secret>,
    /// Whether the issue of a table is closed when its game is over.
    pub close_finished: bool,
}

impl Default for HostPolicy {
    fn default() -> HostPolicy {
        HostPolicy { games: Vec::new(), opening: OpeningPolicy::default(), dice_secret: None, close_finished: true }
    }
}

/// The people who may open a table in an issue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningPolicy {
    /// The author of the issue, and maintainers.
    #[default]
    Author,
    /// Anyone.
    Anyone,
    /// Maintainers.
    Maintainers,
}

impl HostPolicy {
    /// Returns the names of the games that may be played here.
    pub fn game_names(&self) -> Vec<&'static str> {
        GameKind::ALL.iter().filter(|kind| self.allows(**kind)).map(|kind| kind.info().name).collect()
    }

    /// Tests if a game may be played here.
    pub fn allows(&self, kind: GameKind) -> bool {
        self.games.is_empty() || self.games.contains(&kind)
    }
}
