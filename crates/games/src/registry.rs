//! The registry: one line a game, with its type and the module of that type. The line gives the tag in the record, the
//! name in `/new`, the entry in `/help` and in the README, and the conformance tests.

use game::contract::Game;
use game::info::Info;
use game::notation::normalize;

/// Makes [`GameKind`], the macro that runs one body for whichever game it is, and the one that hands the list on. The leading
/// `$` stands for itself in those macros.
macro_rules! games {
    ($d:tt $($game:ident: $module:ident $(:: $file:ident)*),+ $(,)?) => {
        /// A game, by name only.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum GameKind {
            $(#[doc = concat!("See [`", stringify!($module), "`](crate::", stringify!($module), ").")] $game),+
        }

        impl GameKind {
            /// All games.
            pub const ALL: &[GameKind] = &[$(GameKind::$game),+];
        }

        /// Runs an expression with the type of a game.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! with_game {
            ($d kind:expr, $d game:ident => $d body:expr) => {
                match $d kind {
                    $($crate::registry::GameKind::$game => { type $d game = $crate::$module$(::$file)*::$game; $d body }),+
                }
            };
        }

        /// Hands the list of games to another macro, behind a token that is to stand for `$` there.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! for_each_game {
            ($d callback:ident $d dollar:tt) => { $d callback! { $d dollar $($game: $module $(:: $file)*),+ } };
        }
    };
}

games! { $
    TicTacToe: tic_tac_toe::game,
    UltimateTicTacToe: ultimate_tic_tac_toe::game,
    Backgammon: backgammon::game,
    Chess: chess::game,
    ConnectFour: connect_four::game,
    Othello: othello::game,
    Hex: hex::game,
    Checkers: checkers::game,
}

pub use {for_each_game, with_game};

impl GameKind {
    /// Returns the things that the game says about itself.
    pub fn info(self) -> &'static Info {
        with_game!(self, G => const { &G::INFO })
    }

    /// Returns the game of exactly this name, as the record writes it.
    pub fn from_name(name: &str) -> Option<GameKind> {
        GameKind::ALL.iter().copied().find(|kind| kind.info().name == name)
    }

    /// Returns the game that somebody means: case, spaces, dashes and underscores do not matter, and aliases count.
    pub fn parse(name: &str) -> Option<GameKind> {
        let wanted = normalize(name);
        GameKind::ALL.iter().copied().find(|kind| kind.names().any(|name| normalize(name) == wanted))
    }

    /// Returns the game whose name is nearest to what was written, if it is near at all.
    pub fn nearest(name: &str) -> Option<GameKind> {
        let wanted: String = normalize(name).chars().take(40).collect();
        let distance =
            |kind: GameKind| kind.names().map(|name| strsim::damerau_levenshtein(&normalize(name), &wanted)).min();
        let nearest = GameKind::ALL.iter().copied().min_by_key(|kind| distance(*kind))?;
        // A third of the letters may be wrong.
        distance(nearest).filter(|far| far * 3 <= wanted.len()).map(|_| nearest)
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        let info = self.info();
        [info.name].into_iter().chain(info.aliases.iter().copied())
    }
}
