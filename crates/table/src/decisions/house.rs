//! The rules of the house: what its host has settled for all tables.

use games::registry::Kind;

use crate::dice::Secret;

/// The rules that the host has settled for all tables.
#[derive(Clone, Debug)]
pub struct HouseRules {
    /// The games that may be played; empty is all of them.
    pub games: Vec<Kind>,
    /// The people who may open a table.
    pub tables: OpeningPolicy,
    /// The secret that makes the dice of new tables provable.
    pub dice: Option<Secret>,
    /// Whether the issue of a table is closed when its game is over.
    pub close: bool,
}

impl Default for HouseRules {
    fn default() -> HouseRules {
        HouseRules { games: Vec::new(), tables: OpeningPolicy::default(), dice: None, close: true }
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

impl HouseRules {
    /// Returns the names of the games that may be played here.
    pub fn game_names(&self) -> Vec<&'static str> {
        Kind::ALL.iter().filter(|kind| self.allows(**kind)).map(|kind| kind.info().name).collect()
    }

    /// Tests if a game may be played here.
    pub fn allows(&self, kind: Kind) -> bool {
        self.games.is_empty() || self.games.contains(&kind)
    }
}
