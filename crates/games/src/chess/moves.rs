//! Moves as they appear in records.

use std::borrow::Cow;

use cozy_chess::Move as RawMove;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// In a record, the fields of the event are in the same object.
#[schemars(rename = "ChessMove", extend("additionalProperties" = true))]
pub struct Move {
    /// The move in UCI notation: `g1f3`, or `e7e8q` to promote. Castling is written as the king's move onto its rook,
    /// `e1h1`, which works for every Chess960 position.
    pub uci: Uci,
}

/// A move in the notation of the [Universal Chess Interface](https://www.wbec-ridderkerk.nl/html/UCIProtocol.html).
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
        match text.parse::<RawMove>() {
            // `parse` ignores trailing text and pieces that a pawn can't promote to, so compare with the canonical form.
            Ok(raw) if raw.to_string() == text => Ok(Uci(raw)),
            _ => Err(serde::de::Error::custom(
                "a move has to be two squares, such as e2e4, plus a letter of qrbn for a promotion",
            )),
        }
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
