//! The registry: one line per game, with its type and module. That line provides the tag in records, the name in
//! `/new`, the entries in `/help` and the README, and the conformance tests.

use game::notation::normalize;
use game::{DiceRules, Engine, Game, Info, InvalidOption, InvalidState, Level, Options, Variant};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{AnyPosition, start};

/// A game with a line in the registry.
pub trait RegisteredGame: Game {
    /// The kind of the game.
    const KIND: GameKind;
}

/// Defines [`GameKind`] and `with_game!`, which runs an expression with the type of one game. The `$` is an argument because a macro
/// can't write one into a macro that it defines.
macro_rules! games {
    ($d:tt $($game:ident: $module:ident),+ $(,)?) => {
        /// The kind of a game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum GameKind {
            $(#[doc = concat!("See [`", stringify!($module), "`](crate::", stringify!($module), ").")] $game),+
        }

        impl GameKind {
            /// All games.
            pub const ALL: &[GameKind] = &[$(GameKind::$game),+];
        }

        $(impl RegisteredGame for crate::$module::$game {
            const KIND: GameKind = GameKind::$game;
        })+

        /// Runs an expression with the type of a game.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! with_game {
            ($d kind:expr, $d game:ident => $d body:expr) => {
                match $d kind {
                    $($crate::GameKind::$game => { type $d game = $crate::$module::$game; $d body }),+
                }
            };
        }
    };
}

games! { $
    TicTacToe: tic_tac_toe,
    UltimateTicTacToe: ultimate_tic_tac_toe,
    Backgammon: backgammon,
    Chess: chess,
    ConnectFour: connect_four,
    Othello: othello,
    Hex: hex,
    Checkers: checkers,
}

/// A game as people know it: one of the games, or a variant that has its own name and ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct GameVariant {
    /// The game, which has the rules.
    pub kind: GameKind,
    /// The variant; `None` for the game itself.
    pub variant: Option<&'static Variant>,
}

impl GameVariant {
    /// Returns all games, each followed by its variants.
    pub fn all() -> impl Iterator<Item = GameVariant> {
        let of_kind = |kind: GameKind| {
            let variants = kind.info().variants.iter().map(Some);
            [None].into_iter().chain(variants).map(move |variant| GameVariant { kind, variant })
        };
        GameKind::ALL.iter().copied().flat_map(of_kind)
    }

    /// Returns the game or variant with exactly this name, as the standings write it.
    pub fn from_name(name: &str) -> Option<GameVariant> {
        GameVariant::all().find(|game| game.name() == name)
    }

    /// Parses the name or an alias of a game or a variant. Case, spaces, dashes and underscores don't matter.
    pub fn parse(name: &str) -> Option<GameVariant> {
        let wanted = normalize(name);
        GameVariant::all().find(|game| game.names().any(|name| normalize(name) == wanted))
    }

    /// Returns the name in `/new` and in the standings, in kebab case: `gomoku`.
    pub fn name(self) -> &'static str {
        self.kind.info().name_of(self.variant)
    }

    /// Returns the name as a title: `Gomoku`.
    pub fn title(self) -> &'static str {
        self.kind.info().title_of(self.variant)
    }

    /// Returns the name within a sentence: `gomoku`, `connect four`.
    pub fn noun(self) -> String {
        self.kind.info().noun_of(self.variant)
    }

    /// Returns all names, the usual one first.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let aliases = self.variant.map_or(self.kind.info().aliases, |variant| variant.aliases);
        [self.name()].into_iter().chain(aliases.iter().copied())
    }
}

impl TryFrom<String> for GameVariant {
    type Error = &'static str;

    fn try_from(name: String) -> Result<GameVariant, &'static str> {
        GameVariant::from_name(&name).ok_or("unknown game")
    }
}

impl From<GameVariant> for &'static str {
    fn from(game: GameVariant) -> &'static str {
        game.name()
    }
}

impl From<GameKind> for GameVariant {
    fn from(kind: GameKind) -> GameVariant {
        GameVariant { kind, variant: None }
    }
}

impl GameKind {
    /// Returns the game's description.
    pub fn info(self) -> &'static Info {
        with_game!(self, G => const { &G::INFO })
    }

    /// Returns the computer's lowest level.
    pub fn lowest_level(self) -> Level {
        with_game!(self, G => G::LOWEST_LEVEL)
    }

    /// Whether the game has dice.
    pub fn has_dice(self) -> bool {
        with_game!(self, G => G::HAS_DICE)
    }

    /// Takes the options that this game knows, and returns its first position. The inner error is for settings that the game
    /// can't start from.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub fn configure(self, options: &mut Options) -> Result<Result<AnyPosition, InvalidState>, InvalidOption> {
        with_game!(self, G => G::configure(options).map(start::<G>))
    }

    /// Returns the first position with the settings of a record. The inner error is for settings that the game can't start
    /// from.
    ///
    /// # Errors
    /// Returns an error if the game has no such settings.
    pub fn read_config(self, json: &Value) -> serde_json::Result<Result<AnyPosition, InvalidState>> {
        with_game!(self, G => Deserialize::deserialize(json).map(start::<G>))
    }

    /// Returns the game with exactly this name, as records write it.
    pub fn from_name(name: &str) -> Option<GameKind> {
        GameKind::ALL.iter().copied().find(|kind| kind.info().name == name)
    }

    /// Parses the name or an alias of a game. Case, spaces, dashes and underscores don't matter.
    pub fn parse(name: &str) -> Option<GameKind> {
        let wanted = normalize(name);
        GameKind::ALL.iter().copied().find(|kind| kind.names().any(|name| normalize(name) == wanted))
    }

    /// Returns the game with the most similar name, if one is similar enough.
    pub fn nearest(name: &str) -> Option<GameKind> {
        let wanted: String = normalize(name).chars().take(40).collect();
        let distance =
            |kind: GameKind| kind.names().map(|name| strsim::damerau_levenshtein(&normalize(name), &wanted)).min();
        let nearest = GameKind::ALL.iter().copied().min_by_key(|kind| distance(*kind))?;
        // Up to a third of the letters may be wrong.
        if distance(nearest)? * 3 <= wanted.len() { Some(nearest) } else { None }
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        GameVariant::from(self).names()
    }
}
