//! The plain data that other programs read and write: the configuration, moves and positions.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::marks::{Cell, GameMode, Player, bits};
use crate::ultimate_tic_tac_toe::rule::ALL;

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", from = "GivenConfig")]
#[schemars(rename = "UltimateTicTacToeConfig")]
pub struct GameConfig {
    /// The side with the first move.
    pub first_player: Player,
    /// The mode of play.
    pub mode: GameMode,
}

/// A configuration as it is given: omitted fields have defaults.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeConfig")]
struct GivenConfig {
    /// The side with the first move; X unless given.
    first_player: Option<Player>,
    /// The mode of play.
    mode: Option<GameMode>,
}

/// A mark in a cell of a board, both numbered from 0 at the top left, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeMove")]
pub struct Move {
    /// The board, 0 to 8.
    pub board: u32,
    /// The cell of that board, 0 to 8.
    pub cell: u32,
}

/// The boards, how they stand, where the next mark can go and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToePosition")]
pub struct Position {
    /// The cells of each board; boards and cells from the top left, row by row.
    pub boards: [[Cell; 9]; 9],
    /// The standing of each board.
    pub sub_board_statuses: [SubBoardStatus; 9],
    /// The boards that the next mark can go into; none after the end.
    pub active_boards: ActiveBoards,
    /// The side on turn; after the end, the one that would be.
    pub current_player: Player,
}

/// The standing of one of the nine boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SubBoardStatus {
    /// The board can be played in.
    #[default]
    InProgress,
    /// X has three in a row.
    WonX,
    /// O has three in a row.
    WonO,
    /// The board is full, and neither side has three in a row. It counts for neither.
    Draw,
}

/// The boards that the next mark can go into: `"all"` or a list of their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, expecting = "`activeBoards` must be \"all\" or a list of boards")]
pub enum ActiveBoards {
    /// All boards that are in progress.
    #[serde(serialize_with = "write_all", deserialize_with = "read_all")]
    All,
    /// The boards of this list.
    Boards(Vec<usize>),
}

impl From<GivenConfig> for GameConfig {
    fn from(given: GivenConfig) -> GameConfig {
        GameConfig { first_player: given.first_player.unwrap_or_default(), mode: given.mode.unwrap_or_default() }
    }
}

impl ActiveBoards {
    /// Returns the boards as a mask, without those that there are not.
    pub(super) fn mask(&self) -> u16 {
        match self {
            ActiveBoards::All => ALL,
            ActiveBoards::Boards(boards) => {
                boards.iter().filter(|&&board| board < 9).fold(0, |mask, board| mask | 1 << board)
            }
        }
    }

    pub(super) fn from_mask(mask: u16) -> ActiveBoards {
        if mask == ALL { ActiveBoards::All } else { ActiveBoards::Boards(bits(mask.into()).collect()) }
    }
}

impl fmt::Display for ActiveBoards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ActiveBoards::All => f.write_str("all"),
            ActiveBoards::Boards(boards) => {
                f.write_str(&boards.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl fmt::Display for SubBoardStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SubBoardStatus::InProgress => "in-progress",
            SubBoardStatus::WonX => "won-x",
            SubBoardStatus::WonO => "won-o",
            SubBoardStatus::Draw => "draw",
        })
    }
}

/// The word `all`, as it stands in the place of a list.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    All,
}

fn write_all<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    Word::All.serialize(serializer)
}

fn read_all<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    Word::deserialize(deserializer).map(drop)
}

impl JsonSchema for ActiveBoards {
    fn schema_name() -> Cow<'static, str> {
        "ActiveBoards".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let board = json_schema!({ "type": "integer", "minimum": 0, "maximum": 8 });
        json_schema!({ "anyOf": [{ "const": "all" }, { "type": "array", "items": board }] })
    }
}
