//! The settings of a game: board size and k in a row.

use game::info::OptionInfo;
use game::options::{InvalidOption, Options, parse_dimensions, parse_number};
use game::phrase::{code, phrase, spans};
use game::rule::InvalidState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connect_four::bitboards::{MAX_K, MAX_SIDE, Shape};

/// The fewest columns or rows of a board.
const MIN_SIDE: usize = 4;
/// The shortest winning line.
const MIN_K: usize = 3;

/// The `/new` option for the board size.
pub(super) const SIZE: OptionInfo = OptionInfo {
    key: "size",
    aliases: &["boardSize"],
    description: spans![
        "columns by rows, " ("4") " to " ("10") " each (default " ("7x6") "); you can also just write " ("9x7")
    ],
};

/// The `/new` option for the length of a winning line.
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
    /// The number of columns, 4 to 10. Defaults to 7.
    pub columns: usize,
    /// The number of rows, 4 to 10. Defaults to 6.
    pub rows: usize,
    /// The number of discs in a row that win, 3 to 6, if they fit on the board. Defaults to 4.
    pub k_in_row: usize,
}

impl Default for GameConfig {
    fn default() -> GameConfig {
        GameConfig { columns: 7, rows: 6, k_in_row: 4 }
    }
}

impl GameConfig {
    /// Takes the options of this game from a `/new` command.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let mut config = GameConfig::default();
        if let Some((columns, rows)) = take_size(options)? {
            (config.columns, config.rows) = (columns, rows);
        }
        if let Some(text) = options.take(K.key, K.aliases) {
            config.k_in_row = match parse_number(&text) {
                Some(k) if (MIN_K..=config.max_k()).contains(&k) => k,
                _ => {
                    let (columns, rows, max_k) = (config.columns, config.rows, config.max_k());
                    let range = format!(" has to be a number from {MIN_K} to {max_k} on a {columns}x{rows} board.");
                    return Err(InvalidOption { key: K.key, message: phrase![code("k"), range] });
                }
            };
        }
        Ok(config)
    }

    /// Returns the shape of the board.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range.
    pub(super) fn checked_shape(&self) -> Result<Shape, InvalidState> {
        let &GameConfig { columns, rows, k_in_row: k } = self;
        for (field, value) in [("config.columns", columns), ("config.rows", rows)] {
            if !(MIN_SIDE..=MAX_SIDE).contains(&value) {
                return Err(InvalidState::unexpected(field, value, &format!("{MIN_SIDE} to {MAX_SIDE}")));
            }
        }
        if !(MIN_K..=self.max_k()).contains(&k) {
            let expected = format!("{MIN_K} to {} on {columns}x{rows} board", self.max_k());
            return Err(InvalidState::unexpected("config.kInRow", k, &expected));
        }
        Ok(Shape { columns, rows, k })
    }

    /// Returns the longest winning line that this board allows.
    fn max_k(&self) -> usize {
        MAX_K.min(self.columns.max(self.rows))
    }
}

/// Takes the board size from the options: a `size=7x6` or just `7x6`.
fn take_size(options: &mut Options) -> Result<Option<(usize, usize)>, InvalidOption> {
    let mut size = None;
    for text in options.take_sizes(SIZE.key, SIZE.aliases) {
        let bad = |message| Err(InvalidOption { key: SIZE.key, message });
        let parsed = parse_dimensions(&text).or_else(|| parse_number(&text).map(|side| (side, side)));
        let is_valid = |side: &usize| (MIN_SIDE..=MAX_SIDE).contains(side);
        let Some(parsed) = parsed.filter(|(columns, rows)| is_valid(columns) && is_valid(rows)) else {
            let range = format!(" has to be columns by rows, {MIN_SIDE} to {MAX_SIDE} each: ");
            return bad(phrase![code("size"), range, code("7x6"), "."]);
        };
        if size.is_some_and(|other| other != parsed) {
            return bad(phrase![code("size"), " has two different values. Give it once."]);
        }
        size = Some(parsed);
    }
    Ok(size)
}
