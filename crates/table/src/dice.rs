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

use game::Roll;
use hmac::digest::KeyInit;
use hmac::{Hmac, Mac};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::{CommentId, CommentRef, Event, EventKind, InvalidHistory, IssueNumber, TableRefusal, Timestamp, UserId};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InvalidSecret {
    /// The secret has fewer than [`MIN_SECRET_CHARS`] characters.
    #[error(
        "the input `dice-secret` is too short: it needs at least {MIN_SECRET_CHARS} characters. To make a good one, run \
         `openssl rand -hex 32`"
    )]
    TooShort,
    /// The secret can't be an HMAC key.
    #[error("the input `dice-secret` can't be used as a key")]
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

// The dice of a round: their commitment, and how they are verified.

/// The dice of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundDice {
    round: u32,
    commitment: Option<Commitment>,
    roll_count: u32,
}

impl RoundDice {
    /// Returns the dice of a round that hasn't begun.
    pub(super) fn new(round: u32) -> Self {
        RoundDice { round, commitment: None, roll_count: 0 }
    }

    /// Returns the hash of the key for this round's dice, if the dice are verifiable.
    pub fn commitment(&self) -> Option<Commitment> {
        self.commitment
    }

    /// Returns the number of rolls so far.
    pub fn roll_count(&self) -> u32 {
        self.roll_count
    }

    /// Commits the dice to a key.
    pub(super) fn commit(&mut self, commitment: Option<Commitment>) {
        self.commitment = commitment;
    }

    /// Counts a roll.
    pub(super) fn count_roll(&mut self) {
        self.roll_count += 1;
    }

    /// Returns the next roll, caused by the command at `source`.
    ///
    /// # Errors
    /// Returns an error if the key is missing or doesn't match the round's commitment.
    pub(super) fn next_roll(&self, key: Option<&Key>, source: CommentRef) -> Result<Roll, TableRefusal> {
        Ok(self.require_key(key)?.roll(self.round, self.roll_count + 1, source))
    }

    /// Returns the seed for the computer's next move after a number of plies. It comes from the round's key if there is a
    /// commitment, so nobody can predict it. Otherwise it comes from public data.
    ///
    /// # Errors
    /// Returns an error if the round has a commitment, and the key is missing or doesn't match it.
    pub(super) fn reply_seed(&self, plies: usize, key: Option<&Key>, source: CommentRef) -> Result<u64, TableRefusal> {
        let number = u32::try_from(plies).unwrap_or(u32::MAX);
        match self.commitment {
            Some(_) => Ok(self.require_key(key)?.computer_seed(self.round, number, source)),
            None => Ok(public_seed(self.round, number, source)),
        }
    }

    /// Returns the key to publish with an event. Only the last event of a round publishes it. An end without a result
    /// may lack it, because nothing else can end a round whose key is lost.
    ///
    /// # Errors
    /// Returns an error if the event has to publish the key, and the key is missing or doesn't match the round's
    /// commitment.
    pub(super) fn key_to_publish(
        &self,
        kind: &EventKind,
        is_over: bool,
        key: Option<&Key>,
    ) -> Result<Option<Key>, TableRefusal> {
        let due = self.is_key_due(is_over);
        match self.require_key(key) {
            Ok(key) => Ok(due.then(|| key.clone())),
            Err(_) if !due || may_lack_key(kind) => Ok(None),
            Err(lost) => Err(lost),
        }
    }

    /// Checks that the last event of a history shows the key only when it is due, and that the key gives every roll.
    ///
    /// # Errors
    /// Returns an error if the key is missing, wrong or not due, or if a roll doesn't follow from it.
    pub(super) fn check_key(&self, earlier: &[Event], last: &Event, is_over: bool) -> Result<(), InvalidHistory> {
        let due = self.is_key_due(is_over);
        match &last.key {
            None if due && !may_lack_key(&last.kind) => Err(InvalidHistory::MissingKey),
            None => Ok(()),
            Some(_) if !due => Err(InvalidHistory::UnexpectedKey),
            Some(key) if Some(key.commitment()) != self.commitment => Err(InvalidHistory::WrongKey),
            Some(key) => self.check_rolls(key, earlier, last),
        }
    }

    fn check_rolls(&self, key: &Key, earlier: &[Event], last: &Event) -> Result<(), InvalidHistory> {
        let rolls = earlier.iter().chain([last]).flat_map(|event| event.rolls().map(|roll| (roll, event.source)));
        let wrong = rolls.zip(1..).filter_map(|((roll, source), number)| {
            let due = key.roll(self.round, number, source);
            (roll != due).then_some((number, roll, due))
        });
        let wrong: Vec<_> = wrong.collect();
        if wrong.is_empty() { Ok(()) } else { Err(InvalidHistory::WrongRolls(wrong)) }
    }

    fn is_key_due(&self, is_over: bool) -> bool {
        is_over && self.commitment.is_some()
    }

    /// Returns the key if it matches the round's commitment, or if there is no commitment.
    fn require_key<'a>(&self, key: Option<&'a Key>) -> Result<&'a Key, TableRefusal> {
        let fits = |key: &&Key| self.commitment.is_none_or(|commitment| key.commitment() == commitment);
        key.filter(fits).ok_or(TableRefusal::SecretLost)
    }
}

/// Whether an event may end a round without showing the key of its dice.
fn may_lack_key(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Abort | EventKind::IssueGone)
}
