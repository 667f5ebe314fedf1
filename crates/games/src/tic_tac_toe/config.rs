//! The settings of a game: board size, k in a row, and who moves first.

use game::info::OptionInfo;
use game::options::{InvalidOption, Options, parse_number, take_square_size};
use game::phrase::{Span, code, phrase, spans};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tic_tac_toe::lines::MAX_SIZE;
use crate::xo::{GameMode, Player, parse_first_player};

/// The smallest board size, and the shortest winning line.
pub(super) const MIN_SIZE: usize = 3;

/// The `/new` option for the board size.
pub(super) const SIZE: OptionInfo = OptionInfo {
    key: "size",
    aliases: &["boardSize"],
    description: spans![
        "the length of a side, " ("3") " to " ("19") " (default " ("3") "); you can also just write " ("4x4")
    ],
};

/// The `/new` option for the length of a winning line.
pub(super) const K: OptionInfo = OptionInfo {
    key: "k",
    aliases: &["kInRow", "in-row"],
    description: spans![
        "how many in a row you need to win, " ("3") " to the size (default " ("3") " up to 4x4, " ("4")
        " up to 7x7, " ("5") " from 8x8)"
    ],
};

/// The error text for a board that isn't square.
const NOT_SQUARE: &[Span] =
    spans!["The board is square, so give " ("size") " as one number: " ("4") " (or " ("4x4") ")."];

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", from = "ConfigInput")]
#[schemars(rename = "TicTacToeConfig")]
pub struct GameConfig {
    /// The length of a side, 3 to 19.
    pub board_size: usize,
    /// The number of marks in a row that win, 3 to `boardSize`.
    pub k_in_row: usize,
    /// The side that moves first.
    pub first_player: Player,
    /// The mode of play.
    pub mode: GameMode,
}

/// A [`GameConfig`] as JSON, where every field is optional. The default of `kInRow` depends on the board size.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "TicTacToeConfig")]
struct ConfigInput {
    /// The length of a side, 3 to 19. Defaults to 3.
    board_size: Option<usize>,
    /// The number of marks in a row that win, 3 to `boardSize`. Defaults to 3 up to 4x4, 4 up to 7x7, and 5 from 8x8.
    k_in_row: Option<usize>,
    /// The side that moves first. Defaults to X.
    first_player: Option<Player>,
    /// The mode of play.
    mode: Option<GameMode>,
}

impl GameConfig {
    /// Returns the default number of marks in a row that win on a board of this size.
    pub fn default_k(board_size: usize) -> usize {
        match board_size {
            0..=4 => 3,
            5..=7 => 4,
            _ => 5,
        }
    }

    /// Takes the options of this game from a `/new` command.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let board_size = take_square_size(options, &SIZE, MIN_SIZE..=MAX_SIZE, NOT_SQUARE)?.unwrap_or(MIN_SIZE);
        let k_in_row = match options.take(K.key, K.aliases) {
            Some(text) => parse_k(&text, board_size)?,
            None => GameConfig::default_k(board_size),
        };
        let first_player = parse_first_player(options)?;
        Ok(GameConfig { board_size, k_in_row, first_player, mode: GameMode::HumanVsHuman })
    }
}

impl From<ConfigInput> for GameConfig {
    fn from(input: ConfigInput) -> GameConfig {
        let board_size = input.board_size.unwrap_or(3);
        GameConfig {
            board_size,
            k_in_row: input.k_in_row.unwrap_or(GameConfig::default_k(board_size)),
            first_player: input.first_player.unwrap_or(Player::X),
            mode: input.mode.unwrap_or_default(),
        }
    }
}

fn parse_k(text: &str, size: usize) -> Result<usize, InvalidOption> {
    match parse_number(text) {
        Some(k) if (MIN_SIZE..=size).contains(&k) => Ok(k),
        _ => {
            let range =
                if size == MIN_SIZE { format!("{MIN_SIZE}") } else { format!("a number from {MIN_SIZE} to {size}") };
            let message = phrase![code("k"), format!(" has to be {range} on a {size}x{size} board.")];
            Err(InvalidOption { key: K.key, message })
        }
    }
}
