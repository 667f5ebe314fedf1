//! A crowd at a seat: its ballots, the votes, and how they are counted.
//!
//! The crowd's seat belongs to nobody. When it's the crowd's turn, an event opens a ballot with some candidates. People vote with a
//! reaction or by writing a move. When the time is up, an event counts the votes and plays the move with the most.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use game::{Level, Outcome, Seat};
use games::AnyPosition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::timestamp::millis;
use crate::{Event, UserId, engine};

/// The number of candidates that the computer proposes.
const PROPOSALS: usize = 4;
/// The highest level of the search that compares the candidates after the computer's favorite.
const COMPARING_LEVEL: Level = Level::MEDIUM;

/// How a crowd votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CrowdRule {
    /// How long a ballot is open at least, in milliseconds.
    #[serde(rename = "votes", with = "millis")]
    #[schemars(with = "u64")]
    pub voting_time: Duration,
    /// The number of votes without which no move is played.
    pub quorum: u32,
    /// Whether the computer's level follows the crowd's results from one game to the next.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adaptive: bool,
}

/// A reaction that is a vote for a candidate, by its name in GitHub's REST API. 👎 and 😕 never are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum VoteReaction {
    /// 👍
    #[serde(rename = "+1")]
    ThumbsUp,
    /// ❤️
    Heart,
    /// 🎉
    Hooray,
    /// 😄
    Laugh,
    /// 🚀
    Rocket,
    /// 👀
    Eyes,
}

impl VoteReaction {
    /// All reactions, in the order in which a ballot uses them.
    pub const ALL: [VoteReaction; 6] = [
        VoteReaction::ThumbsUp,
        VoteReaction::Heart,
        VoteReaction::Hooray,
        VoteReaction::Laugh,
        VoteReaction::Rocket,
        VoteReaction::Eyes,
    ];

    /// Returns the reaction's name in GitHub's REST API.
    pub fn name(self) -> &'static str {
        match self {
            VoteReaction::ThumbsUp => "+1",
            VoteReaction::Heart => "heart",
            VoteReaction::Hooray => "hooray",
            VoteReaction::Laugh => "laugh",
            VoteReaction::Rocket => "rocket",
            VoteReaction::Eyes => "eyes",
        }
    }

    /// Returns the reaction as an emoji.
    pub fn emoji(self) -> &'static str {
        match self {
            VoteReaction::ThumbsUp => "👍",
            VoteReaction::Heart => "❤️",
            VoteReaction::Hooray => "🎉",
            VoteReaction::Laugh => "😄",
            VoteReaction::Rocket => "🚀",
            VoteReaction::Eyes => "👀",
        }
    }
}

/// A move on a ballot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The reaction that is a vote for it.
    pub reaction: VoteReaction,
    /// The move in canonical notation.
    #[serde(rename = "move")]
    pub notation: String,
}

/// The votes for a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VoteCount {
    /// The move in canonical notation.
    #[serde(rename = "move")]
    pub notation: String,
    /// The number of people who voted for it.
    pub votes: u32,
}

/// The ballot of the current turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// The candidates, in order.
    pub candidates: Vec<Candidate>,
    /// The index of the event that opened it.
    pub event_index: usize,
}

impl Ballot {
    /// Returns the reactions that are votes, in the order of the candidates.
    pub fn reactions(&self) -> Vec<VoteReaction> {
        self.candidates.iter().map(|candidate| candidate.reaction).collect()
    }

    /// Counts votes. `written` are people's moves, in the order of their comments; `reactions` are the people who added each
    /// candidate's reaction, in the order of the candidates.
    ///
    /// Each person has one vote: the last move that they wrote, or else their first reaction. The moves with the most votes come
    /// first; of equals, those with the earlier place on the ballot, and then those that were written earlier.
    pub fn count(&self, written: &[(UserId, String)], reactions: &[Vec<UserId>]) -> Vec<VoteCount> {
        let mut choices: BTreeMap<UserId, &str> = BTreeMap::new();
        for (candidate, people) in self.candidates.iter().zip(reactions) {
            for person in people {
                choices.entry(*person).or_insert(&candidate.notation);
            }
        }
        choices.extend(written.iter().map(|(person, notation)| (*person, notation.as_str())));
        let mut moves: Vec<&str> = self.candidates.iter().map(|candidate| candidate.notation.as_str()).collect();
        for (_, notation) in written {
            if !moves.contains(&notation.as_str()) {
                moves.push(notation);
            }
        }
        let mut counts: Vec<VoteCount> = moves
            .into_iter()
            .map(|notation| {
                let votes = choices.values().filter(|choice| **choice == notation).count();
                VoteCount { notation: notation.to_owned(), votes: u32::try_from(votes).unwrap_or(u32::MAX) }
            })
            .filter(|count| count.votes > 0)
            .collect();
        counts.sort_by_key(|count| Reverse(count.votes));
        counts
    }

    /// Whether counts can be those of this ballot in a position: legal moves, each once, in the order of [`Ballot::count`].
    pub(crate) fn allows(&self, counts: &[VoteCount], game: &AnyPosition) -> bool {
        let legal: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
        let place = |count: &VoteCount| {
            let at = self.candidates.iter().position(|candidate| candidate.notation == count.notation);
            (Reverse(count.votes), at.unwrap_or(self.candidates.len()))
        };
        let are_once =
            (1..counts.len()).all(|at| counts[..at].iter().all(|other| other.notation != counts[at].notation));
        are_once
            && counts.windows(2).all(|pair| place(&pair[0]) <= place(&pair[1]))
            && counts.iter().all(|count| count.votes > 0 && legal.contains(&count.notation))
    }
}

/// Returns the number of all votes.
pub fn total_votes(counts: &[VoteCount]) -> u32 {
    counts.iter().map(|count| count.votes).fold(0, u32::saturating_add)
}

/// Whether candidates can be on a ballot in a position: legal moves, each with a reaction of its own.
pub(crate) fn are_candidates(candidates: &[Candidate], game: &AnyPosition) -> bool {
    let legal: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    let is_new = |at: usize| {
        let known = &candidates[..at];
        known.iter().all(|other| other.notation != candidates[at].notation && other.reaction != candidates[at].reaction)
    };
    !candidates.is_empty()
        && (0..candidates.len()).all(is_new)
        && candidates.iter().all(|candidate| legal.contains(&candidate.notation))
}

/// Returns the candidates of the ballot that an event opens: moves that people wrote before and that are legal now, then the
/// computer's best at a level, in random order. `earlier` are the events before.
pub(crate) fn choose_candidates(
    game: &AnyPosition,
    level: Level,
    seed: u64,
    earlier: &[Event],
    event: &Event,
) -> Vec<Candidate> {
    let legal: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    let mut moves = written_before(game.side_to_move(), earlier, event);
    moves.retain(|notation| legal.contains(notation));
    moves.truncate(VoteReaction::ALL.len() - PROPOSALS);
    let mut best = best_moves(game, level, seed);
    shuffle(&mut best, seed);
    best.retain(|notation| !moves.contains(notation));
    moves.extend(best);
    let reactions = VoteReaction::ALL.into_iter();
    moves.into_iter().zip(reactions).map(|(notation, reaction)| Candidate { reaction, notation }).collect()
}

/// Returns the moves that people wrote when a seat last voted, and that weren't on the ballot or played: those with the most votes
/// first.
fn written_before(seat: Seat, earlier: &[Event], event: &Event) -> Vec<String> {
    let is_voted = |event: &Event| event.has_votes() && event.seat == Some(seat);
    let (before, last) = match earlier.iter().rposition(is_voted) {
        _ if is_voted(event) => (earlier, event),
        Some(at) => (&earlier[..at], &earlier[at]),
        None => return Vec::new(),
    };
    let ballot = before.iter().rev().find_map(Event::opened_ballot).unwrap_or_default();
    let is_listed = |count: &&VoteCount| ballot.iter().any(|candidate| candidate.notation == count.notation);
    let written = last.votes.iter().skip(1).filter(|count| !is_listed(count));
    written.map(|count| count.notation.clone()).collect()
}

/// Returns the computer's favorite move at a level, and the next best ones by a short search of the positions after them.
fn best_moves(game: &AnyPosition, level: Level, seed: u64) -> Vec<String> {
    let seat = game.side_to_move();
    let favorite = engine::search(game, level, seed).map(|chosen| game.notation(&chosen.mv));
    let mut others: Vec<(i32, String)> = game
        .legal_moves()
        .iter()
        .map(|mv| (value_for(seat, &game.play(mv), level.min(COMPARING_LEVEL)), game.notation(mv)))
        .filter(|(_, notation)| Some(notation) != favorite.as_ref())
        .collect();
    others.sort_by_key(|(value, _)| Reverse(*value));
    favorite.into_iter().chain(others.into_iter().map(|(_, notation)| notation)).take(PROPOSALS).collect()
}

/// Returns the value of a position for a side, in the game's own unit.
fn value_for(seat: Seat, game: &AnyPosition, level: Level) -> i32 {
    match game.outcome() {
        Some(Outcome::Won(winner)) if winner == seat => i32::MAX,
        Some(Outcome::Won(_)) => -i32::MAX,
        Some(Outcome::Draw) => 0,
        None => {
            let score = game.choose(level.max(Level::EASY), 0).map_or(0, |chosen| chosen.score);
            if game.side_to_move() == seat { score } else { -score }
        }
    }
}

/// Puts a list into an order that a seed decides.
fn shuffle<T>(list: &mut [T], mut seed: u64) {
    for last in (1..list.len()).rev() {
        // Knuth's generator; its high bits are the random ones.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = (seed >> 33) as usize % (last + 1);
        list.swap(last, other);
    }
}
