//! The moves of a game as a record keeps them.

use std::borrow::Cow;

use cozy_chess::Move as RawMove;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// In a record the fields of the event stand beside this one.
#[schemars(rename = "ChessMove", extend("additionalProperties" = true))]
pub struct Move {
    /// The square that the piece leaves, the one that it goes to, and what a pawn becomes: `g1f3`, `e7e8q`. Who castles puts
    /// the king on the rook, `e1h1`, which names castling in every setup of Chess960, too.
    pub uci: Uci,
}

/// A move as the [Universal Chess Interface](https://www.wbec-ridderkerk.nl/html/UCIProtocol.html) writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uci(pub RawMove);

impl From<RawMove> for Move {
    fn from(raw: RawMove) -> Move {
        Move { uci: Uci(raw) }
    }
}

impl Serialize for Uci {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Uci {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Uci, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        // What follows a move, or is no piece that a pawn can become, is left out when a text is parsed.
        let read = text.parse().ok().filter(|read: &RawMove| read.to_string() == text);
        read.map(Uci).ok_or_else(|| {
            serde::de::Error::custom(
                "a move has to be two squares, such as e2e4, plus a letter of qrbn for a promotion",
            )
        })
    }
}

impl JsonSchema for Uci {
    fn schema_name() -> Cow<'static, str> {
        "ChessUci".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^([a-h][1-8]){2}[qrbn]?$" })
    }
}
