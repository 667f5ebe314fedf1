//! The settings of a game: board size and swap rule.

use game::info::OptionInfo;
use game::options::{InvalidOption, Options, take_square_size, take_switch};
use game::phrase::{Span, spans};
use game::rule::InvalidState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hex::bitboards::MAX_SIZE;

/// The smallest board size.
const MIN_SIZE: usize = 3;

/// The `/new` option for the board size.
pub(super) const SIZE: OptionInfo = OptionInfo {
    key: "size",
    aliases: &["boardSize"],
    description: spans![
        "the length of a side, " ("3") " to " ("19") " (default " ("11") "); you can also just write " ("13x13")
    ],
};

/// The `/new` option for the swap rule.
pub(super) const SWAP: OptionInfo = OptionInfo {
    key: "swap",
    aliases: &["pie"],
    description: spans!["whether Blue can take over Red's first stone, " ("on") " (default) or " ("off")],
};

/// The error text for a board that isn't square.
const NOT_SQUARE: &[Span] =
    spans!["Hex boards are square, so give " ("size") " as one number: " ("13") " (or " ("13x13") ")."];

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "HexConfig")]
pub struct GameConfig {
    /// The length of a side, 3 to 19. Defaults to 11.
    pub board_size: usize,
    /// Whether Blue's first move can take over Red's stone. Defaults to true.
    pub swap: bool,
}

impl Default for GameConfig {
    fn default() -> GameConfig {
        GameConfig { board_size: 11, swap: true }
    }
}

impl GameConfig {
    /// Takes the options of this game from a `/new` command.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let mut config = GameConfig::default();
        if let Some(size) = take_square_size(options, &SIZE, MIN_SIZE..=MAX_SIZE, NOT_SQUARE)? {
            config.board_size = size;
        }
        config.swap = take_switch(options, &SWAP)?.unwrap_or(config.swap);
        Ok(config)
    }

    /// Returns the length of a side.
    ///
    /// # Errors
    /// Returns an error if the size is out of range.
    pub(super) fn checked_size(&self) -> Result<usize, InvalidState> {
        let size = self.board_size;
        if (MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Ok(size);
        }
        Err(InvalidState::unexpected("config.boardSize", size, &format!("{MIN_SIZE} to {MAX_SIZE}")))
    }
}
