//! The events of a table, as its record keeps them. The history decides everything; [`crate::table`] derives the rest.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::time::Duration;

use game::notation::is_invisible;
use game::{Game, Level, Roll, Seat};
use games::AnyMove;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::players::PlayerFields;
use crate::timestamp::millis;
use crate::{
    Candidate, CommentRef, Commitment, CrowdRule, IssueNumber, Key, Player, RESIGN, Timestamp, UserId, VoteCount,
    timestamp,
};

/// One event at a table. The fields of the move itself are next to `notation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", bound(deserialize = "M: Deserialize<'de>, S: Deserialize<'de>"))]
#[schemars(rename = "Event", inline)]
pub struct Event<M = AnyMove, S = Seat> {
    /// The kind of the event, with its details.
    #[serde(flatten)]
    pub kind: EventKind<M>,
    /// Whether a draw offer came with the move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "draw")]
    pub offers_draw: bool,
    /// The votes for this move and for others, if a crowd made it: those with the most first. No comment caused it: `by` is 0, and
    /// `source` repeats that of the event before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub votes: Vec<VoteCount>,
    /// The seat of the actor; `None` for a maintainer without a seat. A new game with a crowd has the crowd's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<S>,
    /// The numeric user id of the actor.
    #[serde(rename = "by")]
    pub author: UserId,
    /// The comment that caused it; comment 0 is the issue's body.
    pub source: CommentRef,
    /// The time of that comment's last edit, in milliseconds since 1970-01-01 UTC; 0 in an imported game without a known
    /// date.
    pub timestamp: Timestamp,
    /// How long the player to move had been away in this turn, in milliseconds. Their clock stood still for that long. Only in events
    /// that end a turn or the game.
    #[serde(default, skip_serializing_if = "Duration::is_zero", with = "millis")]
    #[serde(rename = "away")]
    #[schemars(with = "u64")]
    pub time_away: Duration,
    /// When the clock of the player to move began to run, if that is later than their turn: when the bot told them, or when their
    /// issue was unlocked. An event that moves the table always has it, so that moving gives nobody time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "clock")]
    pub clock_start: Option<Timestamp>,
    /// The consequences that followed automatically, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "then")]
    pub effects: Vec<Effect<M>>,
    /// The key of this round's dice. Only the last event shows it, if the first one has a commitment to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
}

impl<M, S> Event<M, S> {
    /// Whether the position or the side to move may differ after this event. Words between players change neither.
    pub(crate) fn changes_position(&self) -> bool {
        !self.kind.is_talk() || !self.effects.is_empty()
    }

    /// Whether this event is newer than a comment that was last edited at `time`. IDs from two issues can't be compared, but
    /// times can.
    pub fn is_newer_than(&self, source: CommentRef, time: Timestamp) -> bool {
        if self.has_comment() && self.source.issue == source.issue {
            self.source.comment > source.comment
        } else {
            self.timestamp > time
        }
    }

    /// Whether a comment caused the event.
    pub fn has_comment(&self) -> bool {
        !self.has_votes() && !matches!(self.kind, EventKind::IssueGone | EventKind::Flag)
    }

    /// Whether it is the move of a crowd.
    pub fn has_votes(&self) -> bool {
        !self.votes.is_empty()
    }

    /// Returns the candidates of the ballot that it opened; `None` if it opened none.
    pub fn opened_ballot(&self) -> Option<&[Candidate]> {
        self.effects.iter().find_map(|followed| match followed {
            Effect::Ballot(candidates) => Some(candidates.as_slice()),
            _ => None,
        })
    }

    /// Returns the text that a list of moves shows if this event gave up a game; `None` for any other event.
    pub fn resignation_text(&self) -> Option<&'static str> {
        let settled = self.effects.iter().any(|next| matches!(next, Effect::Resignation(true)));
        self.kind.resignation_text().or((settled || self.has_announced_resignation()).then_some("resigns"))
    }

    /// Whether it ended the game because the player to move then had announced a resignation.
    pub fn has_announced_resignation(&self) -> bool {
        self.last_conditional_move() == Some(RESIGN)
    }

    /// Returns the computer's moves among its effects, in order.
    pub fn replies(&self) -> impl Iterator<Item = &Reply<M>> {
        self.effects.iter().filter_map(|followed| match followed {
            Effect::Reply(reply) => Some(reply),
            _ => None,
        })
    }

    /// Returns the notation of the last conditional move among its effects.
    pub fn last_conditional_move(&self) -> Option<&str> {
        self.effects.iter().rev().find_map(|followed| match followed {
            Effect::Conditional(notation) => Some(notation.as_str()),
            _ => None,
        })
    }

    /// Returns the rolls among its effects, in order.
    pub fn rolls(&self) -> impl Iterator<Item = Roll> {
        self.effects.iter().filter_map(|followed| match followed {
            Effect::Roll(roll) => Some(*roll),
            _ => None,
        })
    }
}

/// A consequence of an event: an object with one field, whose name says what happened. This version of the format may gain
/// other names, anywhere in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Effect", inline)]
pub enum Effect<M = AnyMove> {
    /// Two dice were rolled. Rolls are numbered through all events of a round.
    #[serde(rename = "throw")]
    Roll(Roll),
    /// The table played the only legal play of the roll before it, or a player's only legal move in a game with `autoplay`: in
    /// canonical notation.
    Forced(String),
    /// A conditional move, in canonical notation: the player to move had announced this answer to the move before. `resign`
    /// is a resignation, which ends the game.
    #[serde(rename = "if")]
    Conditional(String),
    /// The computer moved.
    Reply(Reply<M>),
    /// Whether the computer accepted a draw offer.
    Draw(bool),
    /// Whether the computer accepted an offer to resign.
    Resignation(bool),
    /// A ballot for a crowd's move: the candidates, in order.
    Ballot(Vec<Candidate>),
}

/// A move by the computer. The fields of the move itself are next to `notation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Reply", inline)]
pub struct Reply<M = AnyMove> {
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
pub enum EventKind<M = AnyMove> {
    /// The table was opened. This is always the first event, and only the first. The opener has the seat `seat`.
    New {
        /// The player for whom the other seat is reserved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<PlayerFields>")]
        opponent: Option<Player>,
        /// The hash of the key for this round's dice, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitment: Option<Commitment>,
        /// The usernames that earlier invitations in this issue mentioned, unless these people have come back since.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentioned: Vec<String>,
    },
    /// A player took a seat.
    Join,
    /// A player moved. The move also takes the seat if it was free.
    Move {
        /// The move in canonical notation.
        notation: String,
        /// The move itself.
        #[serde(flatten)]
        mv: M,
    },
    /// A player offered a draw.
    OfferDraw,
    /// A player accepted a draw, which ends the game.
    AcceptDraw,
    /// A player claimed a draw that the rules of the game grant, which ends the game.
    ClaimDraw,
    /// A player declined the opponent's request, or the invitation to play, which ends the game without a result.
    Decline,
    /// A player who had joined at an open seat left again. Their move was taken back, and the seat is open.
    Leave,
    /// A player asked for a takeback.
    AskUndo,
    /// A player who waits let the bot remind the opponent.
    Nudge,
    /// A player saw what the computer would play for them. Only the first hint of a round is recorded.
    Hint,
    /// Moves were taken back.
    Undo {
        /// The number of plies that were taken back.
        plies: usize,
    },
    /// A player resigned, which ends the game.
    Resign,
    /// A player offered to resign at the lowest possible cost.
    OfferResign,
    /// A player accepted the opponent's offer to resign.
    AcceptResign,
    /// A player resigned at a given cost.
    ResignFor {
        /// The cost, by its name in the game.
        cost: String,
    },
    /// The game ended without a result.
    Abort,
    /// The game ended without a result, because its issue was deleted or transferred. No comment caused it: `by` is 0, and
    /// `source` repeats that of the event before.
    IssueGone,
    /// The table moved here from another issue, with its complete history.
    MovedHere {
        /// The issue that it moved from.
        from: IssueNumber,
    },
    /// The table moved to another issue, which ends this record.
    MovedAway {
        /// The issue that it moved to.
        to: IssueNumber,
    },
    /// A player claimed a win because the opponent ran out of time, which ends the game.
    Claim,
    /// The player to move ran out of time, which ends the game. No comment caused it: `by` is 0, and `source` repeats that of the
    /// event before.
    Flag,
    /// An imported game ended in a way that its moves don't show. `seat` is the winner, if there is one; otherwise it is
    /// the player to move.
    ImportedEnd {
        /// The result.
        result: ImportedResult,
        /// The reason; missing if the file doesn't say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<ImportedReason>,
    },
    /// A player gave the opponent's seat to the computer.
    SeatComputer {
        /// The computer's level.
        level: Level,
    },
    /// A player who waits announced conditional moves, or dropped all of theirs.
    If {
        /// The moves in canonical notation: one of the opponent's, the player's answer to it, and so on. It ends with a move
        /// by the player. Instead of the opponent's last move, `any` stands for each move that no line names; the answer to it
        /// is played if it's legal then. Instead of the player's last move, `resign` is their resignation. Empty if they dropped their lines.
        line: Vec<String>,
        /// The other lines of the same comment.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        more: Vec<Vec<String>>,
    },
    /// A player who waits gave the player to move more time for this turn.
    Extend {
        /// The time that they gave, in milliseconds.
        #[serde(with = "millis")]
        #[schemars(with = "u64")]
        time: Duration,
        /// How long the player to move had been out of time, in milliseconds. They get that in addition, so that the gift counts
        /// from this event on.
        #[serde(default, skip_serializing_if = "Duration::is_zero", with = "millis")]
        #[schemars(with = "u64")]
        late: Duration,
    },
    /// A player turned automatic rolls on or off, in a game with the doubling cube.
    AutoRoll {
        /// Whether the table rolls at the start of their turns.
        on: bool,
    },
    /// A person at an open table let the computer make the next move.
    AskComputer {
        /// The computer's level.
        level: Level,
    },
}

impl<M> EventKind<M> {
    /// Returns the opening of a table, for an opponent if the other seat is reserved or the computer's.
    pub fn opening(opponent: Option<Player>) -> EventKind<M> {
        EventKind::New { opponent, commitment: None, mentioned: Vec::new() }
    }

    /// Returns the event that announces these lines of conditional moves. Without lines, it drops the player's lines.
    pub fn announcing(lines: Vec<Vec<String>>) -> EventKind<M> {
        let mut lines = lines.into_iter();
        EventKind::If { line: lines.next().unwrap_or_default(), more: lines.collect() }
    }

    /// Returns the lines of conditional moves that it adds; none for any other event.
    pub fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        let (line, more) = match self {
            EventKind::If { line, more } if !line.is_empty() => (Some(line), more.as_slice()),
            _ => (None, [].as_slice()),
        };
        line.into_iter().chain(more)
    }

    /// Whether the event alone leaves the position as it was, as an offer does.
    pub(crate) fn is_talk(&self) -> bool {
        matches!(
            self,
            EventKind::Join
                | EventKind::OfferDraw
                | EventKind::OfferResign
                | EventKind::AskUndo
                | EventKind::Decline
                | EventKind::Hint
                | EventKind::Nudge
                | EventKind::AutoRoll { .. }
                | EventKind::Extend { .. }
                | EventKind::If { .. }
                | EventKind::MovedHere { .. }
        )
    }

    /// Whether the game ended because the loser ran out of time.
    pub fn is_timeout(&self) -> bool {
        matches!(
            self,
            EventKind::Claim | EventKind::Flag | EventKind::ImportedEnd { reason: Some(ImportedReason::Time), .. }
        )
    }

    /// Returns the text that a list of moves shows for a game that was given up; `None` for any other event.
    pub fn resignation_text(&self) -> Option<&'static str> {
        match self {
            EventKind::Resign | EventKind::ResignFor { .. } => Some("resigns"),
            EventKind::AcceptResign => Some("accepts the resignation"),
            _ => None,
        }
    }
}

/// The seat names of a game, for the schema of a record.
pub(super) struct SeatNames<G>(PhantomData<G>);

impl<G: Game> JsonSchema for SeatNames<G> {
    fn schema_name() -> Cow<'static, str> {
        "Seat".into()
    }

    // The schema identifies a definition by its name, and seat names differ between games.
    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": G::INFO.seats })
    }
}

// The terms of a table: the time limit for a move, who may move, and whether the game counts.

/// The terms that were set when the table was opened. They are the same for every game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The time that a player has for one move; `None` if there is no limit.
    pub per_move: Option<Duration>,
    /// The time that each player has for the whole game beyond `per_move`; `None` without a bank.
    pub bank: Option<Duration>,
    /// The rule of an open table, where anyone may move for either side; `None` if two players have a seat each.
    pub open: Option<OpenRule>,
    /// Whether the game is casual, so it changes no ratings.
    pub casual: bool,
    /// Whether the table plays a player's only legal move for them.
    pub autoplay: bool,
    /// How a crowd votes, if it has a seat.
    pub crowd: Option<CrowdRule>,
}

/// The rule of an open table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRule {
    /// The number of moves by other people required between two moves by the same person; 0 lets anyone move at any time.
    pub gap: u32,
}

/// A person who moved at an open table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mover {
    /// The numeric user id, which identifies the person.
    pub id: UserId,
    /// The username, for display only.
    pub login: String,
    /// The number of their moves that count.
    pub moves: usize,
}

// The move of a record by the host, from another issue, perhaps of another repository.

/// The host moved the record here from another issue, perhaps of another repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HostMove {
    /// The issue in which the round began.
    #[serde(rename = "issue")]
    pub first_issue: IssueNumber,
    /// The number of events before the move. Their sources keep the issue numbers from before.
    pub events: usize,
}

// Facts about an imported game: the PGN tags that a record keeps, and the endings that the moves don't show.

/// The tags that a record keeps. It doesn't keep the players' names, because it knows people by their accounts.
const TAGS: [&str; 9] = ["BlackElo", "Date", "Event", "Round", "Site", "TimeControl", "UTCDate", "UTCTime", "WhiteElo"];
/// The longest value of a tag, in characters.
const MAX_CHARS: usize = 200;

/// The tags of the imported PGN file: `Event`, `Site`, `Date`, `Round`, `UTCDate`, `UTCTime`, `TimeControl`, `WhiteElo` and
/// `BlackElo`, if the file has them. An unknown month or day of a date is `??`. Without a complete date, every imported
/// event has the `timestamp` 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PgnTags(BTreeMap<String, String>);

impl PgnTags {
    /// Returns the tags to keep. `value` looks up a tag in the file.
    pub fn from_lookup<'a>(value: impl Fn(&str) -> Option<&'a str>) -> PgnTags {
        let kept = |name: &str| {
            let value = value(name)?;
            match name {
                "Date" | "UTCDate" => timestamp::to_pgn_date(value),
                "UTCTime" => timestamp::is_time(value).then(|| value.to_owned()),
                _ => {
                    let clean: String = value.chars().filter(|c| !is_invisible(*c)).take(MAX_CHARS).collect();
                    Some(clean.trim().to_owned()).filter(|clean| !matches!(clean.as_str(), "" | "?"))
                }
            }
        };
        PgnTags(TAGS.into_iter().filter_map(|name| Some((name.to_owned(), kept(name)?))).collect())
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns the known part of the game's date: `2020-05-17`, `2020-05` or `2020`.
    pub fn date(&self) -> Option<String> {
        let date = ["Date", "UTCDate"].into_iter().find_map(|name| timestamp::to_pgn_date(self.tag(name)?))?;
        Some(date.replace(".??", "").replace('.', "-"))
    }

    /// Returns the time at which the game began. It is midnight if the file doesn't
    /// say the time of day, and 0 if it doesn't have a complete date.
    pub fn start_time(&self) -> Timestamp {
        let time = self.tag("UTCTime").unwrap_or_default();
        let dates = ["UTCDate", "Date"].into_iter().filter_map(|name| self.tag(name));
        dates.filter_map(|date| timestamp::from_pgn(date, time)).next().unwrap_or_default()
    }

    /// Returns the error in the tags of a record, to append to their path; `None` if they are valid.
    pub fn find_fault(&self) -> Option<&'static str> {
        let is_clean = |value: &str| value.chars().count() <= MAX_CHARS && !value.chars().any(is_invisible);
        if self.0.keys().any(|name| !TAGS.contains(&name.as_str())) {
            return Some("has a tag that records don't keep");
        }
        self.0
            .values()
            .any(|value| !is_clean(value))
            .then_some("has a tag that is too long or has invisible characters")
    }
}

/// The result of an imported game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportedResult {
    /// The event's seat won.
    Won,
    /// A draw.
    Draw,
    /// No result.
    None,
}

/// The reason for the result of an imported game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportedReason {
    /// The loser ran out of time.
    Time,
    /// The loser, or both sides, abandoned the game.
    Abandoned,
}
