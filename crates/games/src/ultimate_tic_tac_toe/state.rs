//! The JSON types of this game: settings, moves and positions.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::marks::{Cell, GameMode, Player, bits};
use crate::ultimate_tic_tac_toe::rule::ALL;

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", from = "ConfigInput")]
#[schemars(rename = "UltimateTicTacToeConfig")]
pub struct GameConfig {
    /// The side that moves first.
    pub first_player: Player,
    /// The mode of play.
    pub mode: GameMode,
}

/// A [`GameConfig`] as JSON, where every field is optional.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeConfig")]
struct ConfigInput {
    /// The side that moves first. Defaults to X.
    first_player: Option<Player>,
    /// The mode of play.
    mode: Option<GameMode>,
}

/// A move: a mark in a cell of a board. Boards and cells are numbered from 0 at the top left, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeMove")]
pub struct Move {
    /// The board, 0 to 8.
    pub board: u32,
    /// The cell of that board, 0 to 8.
    pub cell: u32,
}

/// A position: the boards with their statuses, where the next mark can go, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToePosition")]
pub struct Position {
    /// The cells of each board. Boards and cells start at the top left, row by row.
    pub boards: [[Cell; 9]; 9],
    /// The status of each board.
    pub sub_board_statuses: [SubBoardStatus; 9],
    /// The boards that the next mark can go into; none after the end.
    pub active_boards: ActiveBoards,
    /// The side to move; after the end, the side that would be next.
    pub current_player: Player,
}

/// The status of one of the nine boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SubBoardStatus {
    /// Neither side has three in a row, and a cell is free.
    #[default]
    InProgress,
    /// X has three in a row.
    WonX,
    /// O has three in a row.
    WonO,
    /// The board is full, and neither side has three in a row. It counts for neither side.
    Draw,
}

/// The boards that the next mark can go into: `"all"` or a list of their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, expecting = "`activeBoards` must be \"all\" or a list of boards")]
pub enum ActiveBoards {
    /// All boards in progress.
    #[serde(serialize_with = "write_all", deserialize_with = "read_all")]
    All,
    /// The boards of this list.
    Boards(Vec<usize>),
}

impl From<ConfigInput> for GameConfig {
    fn from(input: ConfigInput) -> GameConfig {
        GameConfig { first_player: input.first_player.unwrap_or_default(), mode: input.mode.unwrap_or_default() }
    }
}

impl ActiveBoards {
    /// Returns the boards as a mask, without invalid numbers.
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

/// The JSON string `"all"`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AllKeyword {
    All,
}

fn write_all<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    AllKeyword::All.serialize(serializer)
}

fn read_all<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    AllKeyword::deserialize(deserializer).map(drop)
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
