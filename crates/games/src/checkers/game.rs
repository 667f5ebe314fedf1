//! The state of a game: the men, and what its end depends on.

use std::borrow::Cow;

use game::contract::{Ending, Outcome, Rules};
use game::rule::RuleError;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::checkers::config::{Drought, GameConfig};
use crate::checkers::men::{Men, Way};

/// The plies without a capture or a man's move after which the game is drawn.
pub(super) const DRAWN_PLIES: u16 = 80;
/// How often a position has been there when the game is drawn.
const DRAWN_TIMES: usize = 3;

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CheckersMove")]
pub struct Move {
    /// The squares that the man touches, 1 to 32: where it stands, where each of its captures leads, and where it ends.
    pub path: Vec<u8>,
}

impl From<&Way> for Move {
    fn from(way: &Way) -> Move {
        Move { path: way.squares().iter().map(|square| square + 1).collect() }
    }
}

/// A position with those before it that may come again.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkers {
    /// The men, and whose turn it is.
    pub men: Men,
    /// The plies without a capture or a man's move.
    pub(super) quiet: u16,
    /// The positions since the last capture or man's move, oldest first.
    pub(super) earlier: Vec<Men>,
    /// The plies without a capture; `None` where they are not counted.
    pub(super) drought: Option<Drought>,
    /// The end of the game.
    pub(super) end: Option<End>,
}

/// The ways in which a game ends on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The side on turn has no man left.
    NoMen,
    /// The side on turn cannot move.
    Blocked,
    /// The position has come for the third time.
    Repetition,
    /// There was neither a capture nor a man's move in 40 moves of each side.
    FortyMoves,
    /// There was no capture in so many moves of each side.
    Drought(u16),
}

impl End {
    /// Returns the reason in a few words.
    pub(super) fn reason(self) -> Cow<'static, str> {
        match self {
            End::NoMen => "no men left".into(),
            End::Blocked => "no move left".into(),
            End::Repetition => "threefold repetition".into(),
            End::FortyMoves => "40 moves without a capture or a man's move".into(),
            End::Drought(moves) => format!("{moves} moves without a capture").into(),
        }
    }
}

impl Checkers {
    /// Returns a position after these, with its end.
    pub(super) fn judged(men: Men, quiet: u16, earlier: Vec<Men>, drought: Option<Drought>) -> Checkers {
        // With the same side on turn a position comes again at the earliest after two moves of each.
        let times = 1 + earlier.iter().filter(|before| **before == men).count();
        let end = match () {
            () if men.sides()[0] == 0 => Some(End::NoMen),
            () if !men.can_move() => Some(End::Blocked),
            () if times >= DRAWN_TIMES => Some(End::Repetition),
            () if quiet >= DRAWN_PLIES => Some(End::FortyMoves),
            () => drought.filter(|drought| drought.is_over()).map(|drought| End::Drought(drought.most / 2)),
        };
        Checkers { men, quiet, earlier, drought, end }
    }

    /// Returns the legal moves.
    pub(super) fn ways(&self) -> Vec<Way> {
        if self.end.is_none() { self.men.moves() } else { Vec::new() }
    }

    /// Returns the way that a move takes; `None` if it is not legal.
    pub(super) fn way(&self, mv: &Move) -> Option<Way> {
        self.ways().into_iter().find(|way| Move::from(way) == *mv)
    }

    /// Returns the position after a way.
    pub(super) fn after(&self, way: &Way) -> Checkers {
        let drought = self.drought.map(|drought| drought.after(way.taken != 0));
        if self.men.is_lasting(way) {
            return Checkers::judged(self.men.after(way), 0, Vec::new(), drought);
        }
        let earlier = self.earlier.iter().copied().chain([self.men]).collect();
        Checkers::judged(self.men.after(way), self.quiet.saturating_add(1), earlier, drought)
    }
}

impl Rules for Checkers {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Checkers, RuleError> {
        Ok(Checkers::judged(Men::START, 0, Vec::new(), config.drought()?))
    }

    fn to_move(&self) -> Seat {
        self.men.turn
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.ways().iter().map(Move::from).collect()
    }

    fn play(&self, mv: &Move) -> Checkers {
        // What is not legal is never played; should it be, nothing happens.
        self.way(mv).map_or_else(|| self.clone(), |way| self.after(&way))
    }

    fn ending(&self) -> Option<Ending> {
        Some(Ending { outcome: self.outcome()?, reason: Some(self.end?.reason()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| match end {
            End::NoMen | End::Blocked => Outcome::Won(self.men.turn.other()),
            End::Repetition | End::FortyMoves | End::Drought(_) => Outcome::Draw,
        })
    }

    /// Counts as published counts do: a drawn position goes on as long as there are moves.
    fn perft(&self, depth: u32) -> u64 {
        self.men.perft(depth)
    }
}
