//! The events of a table, as the record keeps them. The history is the truth; [`crate::table`] works out its
//! consequences.

use std::borrow::Cow;
use std::marker::PhantomData;

use game::contract::Game;
use game::engine::Level;
use game::roll::Roll;
use game::seat::Seat;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::dice::{Commitment, Key};
use crate::imported::{ImportedReason, ImportedResult};
use crate::talk::comment::{Millis, Source};

/// One thing that happened at a table. The fields of the move itself stand beside `notation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Event", inline)]
pub struct Event<M, S = Seat> {
    /// The kind of the event, with its details.
    #[serde(flatten)]
    pub kind: EventKind<M>,
    /// The seat of the actor; `None` for a maintainer without a seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<S>,
    /// The numeric user id of the actor.
    pub by: u64,
    /// The comment that asked for it; comment 0 is the body.
    pub source: Source,
    /// The time at which that comment took its present form, in milliseconds since 1970-01-01 UTC; 0 in an imported game of
    /// which the date isn't known.
    pub timestamp: Millis,
    /// The consequences that followed at once, in order, without a comment of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "then")]
    pub consequences: Vec<Consequence<M>>,
    /// The key that the dice of this round were made with: in the last event, if the first one has committed to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
}

impl<M, S> Event<M, S> {
    /// Returns the word of a list of moves for a game that was given up by this event; `None` if none was.
    pub fn resignation_text(&self) -> Option<&'static str> {
        let settled = self.consequences.iter().any(|next| matches!(next, Consequence::Resignation(true)));
        self.kind.resignation_text().or(settled.then_some("resigns"))
    }

    /// Returns the moves of the computer among its consequences, in order.
    pub fn replies(&self) -> impl Iterator<Item = &Reply<M>> {
        self.consequences.iter().filter_map(|followed| match followed {
            Consequence::Reply(reply) => Some(reply),
            _ => None,
        })
    }

    /// Returns the throws among its consequences, in order.
    pub fn rolls(&self) -> impl Iterator<Item = Roll> {
        self.consequences.iter().filter_map(|followed| match followed {
            Consequence::Throw(throw) => Some(*throw),
            _ => None,
        })
    }
}

/// One thing that followed from an event: an object with one field, whose name says what it was. Other names may come
/// within this version of the format, and may stand anywhere between these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Consequence", inline)]
pub enum Consequence<M> {
    /// Two dice were thrown. The throws of a round are counted through all its events.
    Throw(Roll),
    /// The throw before it could be played in one way only, in canonical notation, and the table has played it. Where it is
    /// missing, a player has made that move.
    Forced(String),
    /// The computer moved.
    Reply(Reply<M>),
    /// The computer was offered a draw, and accepted it or not.
    Draw(bool),
    /// The computer was offered the game, and accepted it or not.
    Resignation(bool),
}

/// A move of the computer. The fields of the move itself stand beside `notation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Reply", inline)]
pub struct Reply<M> {
    /// The move in canonical notation.
    pub notation: String,
    /// The move itself.
    #[serde(flatten)]
    pub mv: M,
    /// The version of the engine that chose it.
    pub engine: u32,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
#[schemars(rename = "What")]
pub enum EventKind<M> {
    /// The table was opened: the first event, and only the first. The opener sits at `seat`.
    New {
        /// The player for whom the other seat is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opponent: Option<Occupant>,
        /// The hash of the key that the dice of this round are made with, where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitment: Option<Commitment>,
    },
    /// Somebody took a seat.
    Join,
    /// A move; it also takes its seat if that was free.
    Move {
        /// The move in canonical notation.
        notation: String,
        /// The move itself.
        #[serde(flatten)]
        mv: M,
    },
    /// A draw was offered.
    OfferDraw,
    /// The offered draw was accepted: the end.
    AcceptDraw,
    /// A draw that the game grants whoever asks for it was claimed: the end.
    ClaimDraw,
    /// The other side's request was declined.
    Decline,
    /// A player asked to take their last move back.
    AskUndo,
    /// A player was shown what the computer would play in their place: the first hint of the round. Later ones leave no event.
    Hint,
    /// The game went back by so many plies.
    Undo {
        /// The number of plies.
        plies: usize,
    },
    /// A player gave up: the end. In a match it cost the most that it could, until it was asked what it should cost.
    Resign,
    /// A player offered to give the game up for the least that it could cost.
    OfferResign,
    /// The offer to give the game up was accepted.
    AcceptResign,
    /// A player gave the game up for so much.
    ResignFor {
        /// The cost, by its name in the game.
        cost: String,
    },
    /// The game ended without a result.
    Abort,
    /// The table came here from another issue, with everything that had happened.
    MovedHere {
        /// The issue that it came from.
        from: u64,
    },
    /// The table went on in another issue: the end of this record.
    MovedAway {
        /// The issue that it went to.
        to: u64,
    },
    /// The other side's time had run out and the win was claimed: the end.
    Claim,
    /// An imported game ended in a way that its moves don't show: the end. `seat` won, if anyone did; otherwise it was the seat on
    /// turn.
    ImportedEnd {
        /// The result.
        result: ImportedResult,
        /// The reason; missing if the file doesn't tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<ImportedReason>,
    },
    /// A player gave the other seat to the computer.
    SeatComputer {
        /// How hard it tries.
        level: Level,
    },
    /// Somebody at an open table let the computer move for the side on turn, instead of moving themselves.
    AskComputer {
        /// How hard it tries.
        level: Level,
    },
}

impl<M> EventKind<M> {
    /// Whether it ended the game because the loser ran out of time.
    pub fn is_timeout(&self) -> bool {
        matches!(self, EventKind::Claim | EventKind::ImportedEnd { reason: Some(ImportedReason::Time), .. })
    }

    /// Returns the word of a list of moves for a game that was given up; `None` for any other event.
    pub fn resignation_text(&self) -> Option<&'static str> {
        match self {
            EventKind::Resign | EventKind::ResignFor { .. } => Some("resigns"),
            EventKind::AcceptResign => Some("accepts the resignation"),
            _ => None,
        }
    }
}

/// A player at a seat. Without an id the seat is reserved for the account that has this login when it first comments; with
/// `kept` for the account that has this id. The computer has neither `id` nor `login`, but its level. Other sitters that are no
/// persons may come within this version of the format, with a field that says what they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Occupant {
    /// The numeric user id: the identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The login: for showing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub login: String,
    /// Whether the seat is only kept for this person after a rematch, until they speak.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "kept")]
    pub reserved: bool,
    /// The level of the computer that sits here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computer: Option<Level>,
}

impl Occupant {
    /// Returns the person with this id.
    pub fn person(id: u64, login: &str) -> Occupant {
        Occupant { id: Some(id), login: login.to_owned(), reserved: false, computer: None }
    }

    /// Returns the person that a seat is reserved for.
    pub fn reserved(login: &str) -> Occupant {
        Occupant { id: None, login: login.to_owned(), reserved: false, computer: None }
    }

    /// Returns the computer.
    pub fn computer(level: Level) -> Occupant {
        Occupant { id: None, login: String::new(), reserved: false, computer: Some(level) }
    }

    /// Returns the name in words without any markup: the login, or `the computer`.
    pub fn name(&self) -> &str {
        if self.computer.is_some() { "the computer" } else { &self.login }
    }

    /// Tests if the seat is only kept: its person has not said anything in this round yet.
    pub fn is_reserved(&self) -> bool {
        self.computer.is_none() && (self.reserved || self.id.is_none())
    }
}

/// The names of the seats in a game, for the schema of a record.
pub(super) struct SeatNames<G>(PhantomData<G>);

impl<G: Game> JsonSchema for SeatNames<G> {
    fn schema_name() -> Cow<'static, str> {
        "Seat".into()
    }

    // A definition is known by its name, and the names of the seats differ from game to game.
    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": G::INFO.seats })
    }
}

/// Returns the name of a seat in a game: `X`.
pub fn seat_name<G: Game>(seat: Seat) -> &'static str {
    G::INFO.seats[seat.index()]
}
