//! Verifiable dice. The round's key is derived from the host's secret. Its hash is published when the round opens, and the
//! key itself when the round ends. Each roll follows from the key and from the comment that caused it.
//!
//! ```text
//! secret ──HMAC, when the round was opened──► key ──HMAC, number and source of the roll──► two dice
//!                                              └──SHA-256──► commitment
//! ```
//!
//! `docs/DICE.md` specifies the hashed bytes, so that anyone can write a second verifier. Any change here breaks the
//! verification of old records: a new derivation needs new domain texts in addition to the old ones.

use std::borrow::Cow;
use std::fmt;

use game::roll::Roll;
use hmac::digest::KeyInit;
use hmac::{Hmac, Mac};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::comments::comment::CommentRef;
use crate::ids::{CommentId, IssueNumber, UserId};
use crate::timestamp::Timestamp;

/// The minimum length of a secret, in characters. Published keys allow offline guessing, so a secret must be hard to guess.
pub const MIN_SECRET_CHARS: usize = 16;

/// The domain text that separates key messages from roll messages, and from those of later versions.
const KEY_DOMAIN: &[u8] = b"play-by-commit/dice/key/1";
const ROLL_DOMAIN: &[u8] = b"play-by-commit/dice/throw/1";
/// The domain text for the computer's seeds.
const SEED_DOMAIN: &[u8] = b"play-by-commit/computer/seed/1";
/// The exclusive upper bound for bytes that give a fair die: the largest multiple of 6 that fits in a byte.
pub const FAIR_BYTE_BOUND: u8 = 252;

/// The host's secret, ready to derive keys. Nothing can read it back.
#[derive(Clone)]
pub struct Secret(Hmac<Sha256>);

/// The key for all rolls of one round. A roll is determined as soon as the comment that causes it has an ID.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

/// The SHA-256 of a key: it commits the host to the key without revealing it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Commitment([u8; 32]);

/// The circumstances in which a round was opened. They make its key unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundContext {
    /// The table's number, even if the round was opened from another issue.
    pub issue: IssueNumber,
    /// The number of the round: 1 for the first game at a table, 2 for its rematch, and so on.
    pub round: u32,
    /// The opener's user ID.
    pub author: UserId,
    /// The comment that opened the round; 0 is the issue's body.
    pub comment: CommentId,
    /// The timestamp of the opening event.
    pub time: Timestamp,
}

/// An error that prevents the use of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidSecret {
    /// The secret has fewer than [`MIN_SECRET_CHARS`] characters.
    TooShort,
    /// The secret can't be an HMAC key.
    Unusable,
}

/// Parses the host's secret. It ignores surrounding whitespace, which often comes along when people paste secrets.
///
/// # Errors
/// Returns an error if the secret is too short. The error never shows its content.
pub fn parse_secret(text: &str) -> Result<Secret, InvalidSecret> {
    let text = text.trim();
    if text.chars().count() < MIN_SECRET_CHARS {
        return Err(InvalidSecret::TooShort);
    }
    let mac = <Hmac<Sha256> as Mac>::new_from_slice(text.as_bytes());
    mac.map(Secret).map_err(|_| InvalidSecret::Unusable)
}

impl Key {
    /// Derives the key of a round.
    pub fn derive(secret: &Secret, context: &RoundContext) -> Key {
        let RoundContext { issue, round, author, comment, time } = context;
        let mac = secret.0.clone().chain_update(KEY_DOMAIN).chain_update(issue.get().to_be_bytes());
        let mac = mac.chain_update(round.to_be_bytes()).chain_update(author.get().to_be_bytes());
        let mac = mac.chain_update(comment.get().to_be_bytes()).chain_update(time.as_millis().to_be_bytes());
        Key(mac.finalize().into_bytes().into())
    }

    /// Creates a key for a table without a secret from fresh random bytes. It is never published, so nobody can verify its
    /// rolls.
    pub fn from_entropy(entropy: [u8; 32]) -> Key {
        Key(entropy)
    }

    /// Returns the commitment, which is published before the first roll.
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.0).into())
    }

    /// Returns a roll: the round's `number`th, counted from 1, caused by the command at `source`.
    pub fn roll(&self, round: u32, number: u32, source: CommentRef) -> Roll {
        // HMAC pads a short key with zeros to a block of 64 bytes. With a full block, the constructor can't fail.
        let mut filled = [0; 64];
        filled[..32].copy_from_slice(&self.0);
        let mac = <Hmac<Sha256> as KeyInit>::new(&filled.into());
        let mac = mac.chain_update(ROLL_DOMAIN).chain_update(round.to_be_bytes()).chain_update(number.to_be_bytes());
        let mac = mac.chain_update(source.issue.get().to_be_bytes()).chain_update(source.comment.get().to_be_bytes());
        roll_from_blocks(|block| mac.clone().chain_update(block.to_be_bytes()).finalize().into_bytes().into())
    }

    /// Returns the seed for the computer's move after this number of plies, caused by the command at `source`.
    pub fn computer_seed(&self, round: u32, plies: u32, source: CommentRef) -> u64 {
        let hash = Sha256::new().chain_update(SEED_DOMAIN).chain_update(self.0);
        seed(hash, round, plies, source)
    }

    /// Returns the key in hexadecimal, for publication when the round has ended.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }
}

/// Returns the seed for the computer's move at a table without a key. Anyone can compute it.
pub fn public_seed(round: u32, plies: u32, source: CommentRef) -> u64 {
    seed(Sha256::new().chain_update(SEED_DOMAIN), round, plies, source)
}

fn seed(hash: Sha256, round: u32, plies: u32, source: CommentRef) -> u64 {
    let hash = hash.chain_update(round.to_be_bytes()).chain_update(plies.to_be_bytes());
    let hash = hash.chain_update(source.issue.get().to_be_bytes()).chain_update(source.comment.get().to_be_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hash.finalize()[..8]);
    u64::from_be_bytes(first)
}

/// Returns the first two dice in a stream of random blocks. It skips bytes that would favor low faces.
pub fn roll_from_blocks(block_at: impl Fn(u32) -> [u8; 32]) -> Roll {
    let mut first = None;
    let mut at = 0_u32;
    loop {
        for byte in block_at(at) {
            let die = byte % 6 + 1;
            match first {
                _ if byte >= FAIR_BYTE_BOUND => {}
                None => first = Some(die),
                Some(first) => return [first, die],
            }
        }
        at = at.wrapping_add(1);
    }
}

/// Parses exactly 64 lowercase hexadecimal digits, so that a key has only one spelling.
fn parse_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    (hex::encode(bytes) == text).then_some(bytes)
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Commitment({self})")
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// Implements (de)serialization as hexadecimal digits. An error doesn't repeat the input, which may be most of a key.
macro_rules! digits_in_the_record {
    ($type:ident, $thing:literal, $schema:literal, $description:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&hex::encode(self.0))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let wrong = concat!("a ", $thing, " has to be a string of 64 lowercase hexadecimal digits");
                let bytes = String::deserialize(deserializer).ok().and_then(|text| parse_hex(&text));
                bytes.map($type).ok_or_else(|| serde::de::Error::custom(wrong))
            }
        }

        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $schema.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$", "description": $description })
            }
        }
    };
}

digits_in_the_record!(Key, "key", "DiceKey", "The key that the rolls of this round came from.");
digits_in_the_record!(
    Commitment,
    "commitment",
    "DiceCommitment",
    "The SHA-256 of the key that the rolls of this round come from."
);
