//! The registry: one line a game. That line gives the tag in the record, the name in `/new`, the entry in `/help` and in
//! the README, and the conformance tests.

use crate::game::{Game, Info, fold};
use crate::said::Source;

pub mod backgammon;
#[cfg(test)]
mod conformance;
pub mod marks;
pub mod tic_tac_toe;
pub mod ultimate_tic_tac_toe;

/// Makes [`Kind`], [`Table`] and the two macros that run one body for whichever game it is. The leading `$` stands for
/// itself in those macros.
macro_rules! games {
    ($d:tt $($module:ident :: $game:ident),+ $(,)?) => {
        /// A game, by name only.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $(#[doc = concat!("See [`", stringify!($module), "`].")] $game),+
        }

        impl Kind {
            /// Every game there is.
            pub const ALL: &[Kind] = &[$(Kind::$game),+];
        }

        impl Table {
            /// Which game is played here.
            #[must_use]
            pub fn kind(&self) -> Kind {
                match self { $(Table::$game(_) => Kind::$game),+ }
            }
        }

        /// A table, whatever is played at it.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Table {
            $(#[doc = concat!("A table of [`", stringify!($module), "`].")] $game(crate::table::Record<$module::$game>)),+
        }

        $(impl From<crate::table::Record<$module::$game>> for Table {
            fn from(record: crate::table::Record<$module::$game>) -> Table {
                Table::$game(record)
            }
        })+

        /// Runs an expression with the record of a table, whatever is played at it.
        macro_rules! with_table {
            ($d table:expr, $d record:ident => $d body:expr) => {
                match $d table { $($crate::games::Table::$game($d record) => $d body),+ }
            };
        }

        /// Runs an expression with the type of a game.
        macro_rules! with_game {
            ($d kind:expr, $d game:ident => $d body:expr) => {
                match $d kind { $($crate::games::Kind::$game => { type $d game = $crate::games::$module::$game; $d body }),+ }
            };
        }
    };
}

games! { $
    tic_tac_toe::TicTacToe,
    ultimate_tic_tac_toe::UltimateTicTacToe,
    backgammon::Backgammon,
}

pub(crate) use {with_game, with_table};

impl Kind {
    /// What the game says about itself.
    #[must_use]
    pub fn info(self) -> &'static Info {
        with_game!(self, G => const { &G::INFO })
    }

    /// The game of exactly this name, as the record writes it.
    #[must_use]
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.info().name == name)
    }

    /// The game that somebody means: case, spaces, dashes and underscores do not matter, and aliases count.
    #[must_use]
    pub fn meant(name: &str) -> Option<Kind> {
        let wanted = fold(name);
        Kind::ALL.iter().copied().find(|kind| kind.names().any(|name| fold(name) == wanted))
    }

    /// The game whose name is nearest to what was written, if it is near at all.
    #[must_use]
    pub fn nearest(name: &str) -> Option<Kind> {
        let wanted: String = fold(name).chars().take(40).collect();
        let distance = |kind: Kind| kind.names().map(|name| strsim::damerau_levenshtein(&fold(name), &wanted)).min();
        let nearest = Kind::ALL.iter().copied().min_by_key(|kind| distance(*kind))?;
        // A third of the letters may be wrong.
        distance(nearest).filter(|far| far * 3 <= wanted.len()).map(|_| nearest)
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        let info = self.info();
        [info.name].into_iter().chain(info.aliases.iter().copied())
    }
}

impl Table {
    /// The number of the issue, which is the number of the table.
    #[must_use]
    pub fn issue(&self) -> u64 {
        with_table!(self, record => record.issue)
    }

    /// 1 for the first game at this table, 2 for its rematch, and so on.
    #[must_use]
    pub fn round(&self) -> u32 {
        with_table!(self, record => record.round)
    }

    /// Every comment of the table's own thread up to this id has been settled.
    #[must_use]
    pub fn through(&self) -> u64 {
        with_table!(self, record => record.through)
    }

    /// The comment that asked for the last event.
    #[must_use]
    pub fn last_source(&self) -> Option<Source> {
        with_table!(self, record => record.history.last().map(|event| event.source))
    }

    /// The newest comment of the table's own thread that has become an event; 0 where none has.
    #[must_use]
    pub fn newest_comment(&self) -> u64 {
        with_table!(self, record => {
            let own = record.history.iter().map(|event| event.source).filter(|source| source.issue == record.issue);
            own.map(|source| source.comment).max().unwrap_or_default()
        })
    }

    /// Whether a comment is the source of an event here.
    #[must_use]
    pub fn names(&self, source: Source) -> bool {
        with_table!(self, record => record.names(source))
    }

    /// This table with its number among the results of its kind.
    #[must_use]
    pub fn count(mut self, number: u64) -> Table {
        with_table!(&mut self, record => record.counted = Some(number));
        self
    }

    /// The number of this game among the results of its kind, once it was counted in the standings.
    #[must_use]
    pub fn counted(&self) -> Option<u64> {
        with_table!(self, record => record.counted)
    }

    /// Whether the game has ended. One that goes on in another issue has not.
    #[must_use]
    pub fn is_over(&self) -> bool {
        with_table!(self, record => record.is_over())
    }

    /// Whether the game is still going on.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        with_table!(self, record => record.status == crate::table::Status::Playing)
    }
}
