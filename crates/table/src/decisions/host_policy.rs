//! The host's policy: settings that apply to all tables.

use games::registry::GameKind;

use crate::dice::Secret;

/// The host's settings for all tables.
#[derive(Clone, Debug)]
pub struct HostPolicy {
    /// The games that people may play; an empty list allows all of them.
    pub games: Vec<GameKind>,
    /// Who may open a table.
    pub opening: OpeningPolicy,
    /// The names of the labels of issues in which the bot listens, besides those with a table; an empty list means all issues.
    pub only_labels: Vec<String>,
    /// The secret that makes the dice of new tables verifiable.
    pub dice_secret: Option<Secret>,
    /// Whether the bot closes a table's issue when its game is over.
    pub close_finished: bool,
    /// Whether issues are assigned to the player whose turn it is.
    pub assign_turns: bool,
}

impl Default for HostPolicy {
    fn default() -> HostPolicy {
        HostPolicy {
            games: Vec::new(),
            opening: OpeningPolicy::default(),
            only_labels: Vec::new(),
            dice_secret: None,
            close_finished: true,
            assign_turns: false,
        }
    }
}

/// Who may open a table in an issue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningPolicy {
    /// The author and maintainers.
    #[default]
    Author,
    /// Anyone.
    Anyone,
    /// Maintainers only.
    Maintainers,
}

impl HostPolicy {
    /// Returns the names of the allowed games.
    pub fn game_names(&self) -> Vec<&'static str> {
        GameKind::ALL.iter().filter(|kind| self.allows(**kind)).map(|kind| kind.info().name).collect()
    }

    /// Whether the bot listens in an issue without a table that has these labels. GitHub ignores the case of labels.
    pub fn is_invited(&self, labels: &[String]) -> bool {
        let is_named = |label: &String| self.only_labels.iter().any(|name| name.to_lowercase() == label.to_lowercase());
        self.only_labels.is_empty() || labels.iter().any(is_named)
    }

    /// Whether the host allows a game.
    pub fn allows(&self, kind: GameKind) -> bool {
        self.games.is_empty() || self.games.contains(&kind)
    }
}
