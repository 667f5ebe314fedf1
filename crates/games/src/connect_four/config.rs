//! The configuration of a table: the board, and how many in a row win.

use game::info::OptionInfo;
use game::options::{BadOption, Options, parse_dimensions, parse_number};
use game::phrase::{code, phrase, spans};
use game::rule::RuleError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connect_four::discs::{MAX_K, MAX_SIDE, Shape};

/// The fewest columns, and the fewest rows.
const MIN_SIDE: usize = 4;
/// The fewest discs in a row that win.
const MIN_K: usize = 3;

/// The option of `/new` for the size of the board.
pub(super) const SIZE: OptionInfo = OptionInfo {
    key: "size",
    aliases: &["boardSize"],
    description: spans![
        "columns by rows, " ("4") " to " ("10") " each (default " ("7x6") "); you can also just write " ("9x7")
    ],
};

/// The option of `/new` for the length of a line that wins.
pub(super) const K: OptionInfo = OptionInfo {
    key: "k",
    aliases: &["kInRow", "in-row"],
    description: spans!["how many in a row you need to win, " ("3") " to " ("6") " (default " ("4") ")"],
};

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "ConnectFourConfig")]
pub struct GameConfig {
    /// The number of columns, 4 to 10; 7 unless given.
    pub columns: usize,
    /// The number of rows, 4 to 10; 6 unless given.
    pub rows: usize,
    /// The number of discs in a row that win, 3 to 6 and no more than fit; 4 unless given.
    pub k_in_row: usize,
}

impl Default for GameConfig {
    fn default() -> GameConfig {
        GameConfig { columns: 7, rows: 6, k_in_row: 4 }
    }
}

impl GameConfig {
    /// Takes the options of a `/new`.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, BadOption> {
        let mut config = GameConfig::default();
        if let Some((columns, rows)) = take_size(options)? {
            (config.columns, config.rows) = (columns, rows);
        }
        if let Some(text) = options.take(K.key, K.aliases) {
            let most = config.max_k();
            let bad = || BadOption {
                key: K.key,
                expected: phrase![
                    code("k"),
                    format!(
                        " has to be a number from {MIN_K} to {most} on a {}x{} board.",
                        config.columns, config.rows
                    )
                ],
            };
            config.k_in_row = parse_number(&text).filter(|k| (MIN_K..=most).contains(k)).ok_or_else(bad)?;
        }
        Ok(config)
    }

    /// Returns the board; an error where nobody could have asked for it.
    pub(super) fn checked_shape(&self) -> Result<Shape, RuleError> {
        let &GameConfig { columns, rows, k_in_row: k } = self;
        for (field, value) in [("config.columns", columns), ("config.rows", rows)] {
            if !(MIN_SIDE..=MAX_SIDE).contains(&value) {
                return Err(RuleError::invalid_state(field, value, &format!("{MIN_SIDE} to {MAX_SIDE}")));
            }
        }
        if !(MIN_K..=self.max_k()).contains(&k) {
            let expected = format!("{MIN_K} to {} on {columns}x{rows} board", self.max_k());
            return Err(RuleError::invalid_state("config.kInRow", k, &expected));
        }
        Ok(Shape { columns, rows, k })
    }

    /// Returns the most discs in a row that fit.
    fn max_k(&self) -> usize {
        MAX_K.min(self.columns.max(self.rows))
    }
}

/// Takes out the size that was asked for, as a pair or as a loose word.
fn take_size(options: &mut Options) -> Result<Option<(usize, usize)>, BadOption> {
    let mut size = None;
    for text in options.take_sizes(SIZE.key, SIZE.aliases) {
        let bad = |expected| Err(BadOption { key: SIZE.key, expected });
        let asked = parse_dimensions(&text).or_else(|| parse_number(&text).map(|side| (side, side)));
        let fits = |side: &usize| (MIN_SIDE..=MAX_SIDE).contains(side);
        let Some(asked) = asked.filter(|(columns, rows)| fits(columns) && fits(rows)) else {
            let range = format!(" has to be columns by rows, {MIN_SIDE} to {MAX_SIDE} each: ");
            return bad(phrase![code("size"), range, code("7x6"), "."]);
        };
        if size.is_some_and(|other| other != asked) {
            return bad(phrase![code("size"), " has two different values. Give it once."]);
        }
        size = Some(asked);
    }
    Ok(size)
}
