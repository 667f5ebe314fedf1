//! The configuration of a table: the board, how many in a row win, and who starts.

use game::info::OptionInfo;
use game::options::{BadOption, Options, parse_number, take_square_size};
use game::phrase::{Span, code, phrase, spans};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::marks::{GameMode, Player, parse_first_player};
use crate::tic_tac_toe::lines::MAX_SIZE;

/// The smallest board, and the shortest line that wins.
pub(super) const MIN_SIZE: usize = 3;

/// The option of `/new` for the size of the board.
pub(super) const SIZE: OptionInfo = OptionInfo {
    key: "size",
    aliases: &["boardSize"],
    description: spans![
        "the length of a side, " ("3") " to " ("19") " (default " ("3") "); you can also just write " ("4x4")
    ],
};

/// The option of `/new` for the length of a line that wins.
pub(super) const K: OptionInfo = OptionInfo {
    key: "k",
    aliases: &["kInRow", "in-row"],
    description: spans![
        "how many in a row you need to win, " ("3") " to the size (default " ("3") " up to 4x4, " ("4")
        " up to 7x7, " ("5") " from 8x8)"
    ],
};

/// The sentence for a size of two different numbers.
const SQUARE: &[Span] = spans!["The board is square, so give " ("size") " as one number: " ("4") " (or " ("4x4") ")."];

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", from = "GivenConfig")]
#[schemars(rename = "TicTacToeConfig")]
pub struct GameConfig {
    /// The length of a side, 3 to 19.
    pub board_size: usize,
    /// The number of marks in a row that win, 3 to `boardSize`.
    pub k_in_row: usize,
    /// The side with the first move.
    pub first_player: Player,
    /// The mode of play.
    pub mode: GameMode,
}

/// A configuration as it is given: omitted fields have defaults, and that of `kInRow` depends on the size.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "TicTacToeConfig")]
struct GivenConfig {
    /// The length of a side, 3 to 19; 3 unless given.
    board_size: Option<usize>,
    /// The number of marks in a row that win, 3 to `boardSize`; unless given 3 up to 4x4, 4 up to 7x7, 5 from 8x8.
    k_in_row: Option<usize>,
    /// The side with the first move; X unless given.
    first_player: Option<Player>,
    /// The mode of play.
    mode: Option<GameMode>,
}

impl GameConfig {
    /// Returns how many in a row win on a board of this size unless it is said otherwise.
    pub fn default_k(board_size: usize) -> usize {
        match board_size {
            0..=4 => 3,
            5..=7 => 4,
            _ => 5,
        }
    }

    /// Takes the options of a `/new`.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, BadOption> {
        let board_size = take_square_size(options, &SIZE, MIN_SIZE..=MAX_SIZE, SQUARE)?.unwrap_or(MIN_SIZE);
        let k_in_row = match options.take(K.key, K.aliases) {
            Some(text) => parse_k(&text, board_size)?,
            None => GameConfig::default_k(board_size),
        };
        let first_player = parse_first_player(options)?;
        Ok(GameConfig { board_size, k_in_row, first_player, mode: GameMode::HumanVsHuman })
    }
}

impl From<GivenConfig> for GameConfig {
    fn from(given: GivenConfig) -> GameConfig {
        let board_size = given.board_size.unwrap_or(3);
        GameConfig {
            board_size,
            k_in_row: given.k_in_row.unwrap_or(GameConfig::default_k(board_size)),
            first_player: given.first_player.unwrap_or(Player::X),
            mode: given.mode.unwrap_or_default(),
        }
    }
}

fn parse_k(text: &str, size: usize) -> Result<usize, BadOption> {
    parse_number(text).filter(|k| (MIN_SIZE..=size).contains(k)).ok_or_else(|| {
        let range =
            if size == MIN_SIZE { format!("{MIN_SIZE}") } else { format!("a number from {MIN_SIZE} to {size}") };
        BadOption { key: K.key, expected: phrase![code("k"), format!(" has to be {range} on a {size}x{size} board.")] }
    })
}
