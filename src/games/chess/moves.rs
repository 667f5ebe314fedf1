//! The moves of a game as a record keeps them.

use std::borrow::Cow;
use std::fmt;

use cozy_chess::{Move as RawMove, Piece, Square};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A move: the square that a piece leaves, the one that it goes to, and what a pawn becomes on the last rank. Who castles
/// puts the king on the own rook, which names the move in every setup of Chess960, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// In a record the fields of the event stand beside these.
#[schemars(rename = "ChessMove", extend("additionalProperties" = true))]
pub struct Move {
    /// The square that the piece leaves: `g1`.
    pub from: At,
    /// The square that it goes to: `f3`. In castling the square of the rook.
    pub to: At,
    /// The piece that a pawn becomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion: Option<Officer>,
}

/// A square, written `e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At(pub Square);

/// A piece that a pawn can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ChessOfficer")]
pub enum Officer {
    /// The queen.
    Queen,
    /// The rook.
    Rook,
    /// The bishop.
    Bishop,
    /// The knight.
    Knight,
}

impl Move {
    /// Returns the move as the generator of moves has it.
    pub fn raw(&self) -> RawMove {
        RawMove { from: self.from.0, to: self.to.0, promotion: self.promotion.map(Officer::piece) }
    }
}

impl From<RawMove> for Move {
    fn from(raw: RawMove) -> Move {
        let promotion = raw.promotion.and_then(|piece| Officer::ALL.into_iter().find(|one| one.piece() == piece));
        Move { from: At(raw.from), to: At(raw.to), promotion }
    }
}

impl Officer {
    /// All of them, the strongest first.
    pub const ALL: [Officer; 4] = [Officer::Queen, Officer::Rook, Officer::Bishop, Officer::Knight];

    /// Returns the piece.
    pub fn piece(self) -> Piece {
        match self {
            Officer::Queen => Piece::Queen,
            Officer::Rook => Piece::Rook,
            Officer::Bishop => Piece::Bishop,
            Officer::Knight => Piece::Knight,
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<At, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        name.parse()
            .map(At)
            .map_err(|_| serde::de::Error::custom("a square is a letter from a to h and a number from 1 to 8"))
    }
}

impl JsonSchema for At {
    fn schema_name() -> Cow<'static, str> {
        "ChessSquare".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[a-h][1-8]$" })
    }
}
