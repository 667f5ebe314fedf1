//! The state of a game: the men, and what its end depends on.

use std::borrow::Cow;

use game::contract::{Ending, Outcome, Rules};
use game::rule::RuleError;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::checkers::bitboards::{Bitboards, MovePath};
use crate::checkers::config::{GameConfig, NoCaptureRule};

/// The plies without a capture or a man's move after which the game is drawn.
pub(super) const MAX_REVERSIBLE_PLIES: u16 = 80;
/// How often a position has been there when the game is drawn.
const DRAW_REPETITIONS: usize = 3;

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CheckersMove")]
pub struct Move {
    /// The squares that the man touches, 1 to 32: where it stands, where each of its captures leads, and where it ends.
    pub path: Vec<u8>,
}

impl From<&MovePath> for Move {
    fn from(way: &MovePath) -> Move {
        Move { path: way.squares().iter().map(|square| square + 1).collect() }
    }
}

/// A position with those before it that may come again.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkers {
    /// The men, and whose turn it is.
    pub bitboards: Bitboards,
    /// The plies without a capture or a man's move.
    pub(super) reversible_plies: u16,
    /// The positions since the last capture or man's move, oldest first.
    pub(super) earlier: Vec<Bitboards>,
    /// The plies without a capture; `None` where they are not counted.
    pub(super) no_capture_rule: Option<NoCaptureRule>,
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
    NoCaptures(u16),
}

impl End {
    /// Returns the reason in a few words.
    pub(super) fn reason(self) -> Cow<'static, str> {
        match self {
            End::NoMen => "no men left".into(),
            End::Blocked => "no move left".into(),
            End::Repetition => "threefold repetition".into(),
            End::FortyMoves => "40 moves without a capture or a man's move".into(),
            End::NoCaptures(moves) => format!("{moves} moves without a capture").into(),
        }
    }
}

impl Checkers {
    /// Returns a position after these, with its end.
    pub(super) fn with_outcome(
        men: Bitboards,
        quiet: u16,
        earlier: Vec<Bitboards>,
        drought: Option<NoCaptureRule>,
    ) -> Checkers {
        // With the same side on turn a position comes again at the earliest after two moves of each.
        let times = 1 + earlier.iter().filter(|before| **before == men).count();
        let end = match () {
            () if men.sides()[0] == 0 => Some(End::NoMen),
            () if !men.can_move() => Some(End::Blocked),
            () if times >= DRAW_REPETITIONS => Some(End::Repetition),
            () if quiet >= MAX_REVERSIBLE_PLIES => Some(End::FortyMoves),
            () => drought.filter(|drought| drought.is_draw()).map(|drought| End::NoCaptures(drought.max_plies / 2)),
        };
        Checkers { bitboards: men, reversible_plies: quiet, earlier, no_capture_rule: drought, end }
    }

    /// Returns the legal moves.
    pub(super) fn legal_paths(&self) -> Vec<MovePath> {
        if self.end.is_none() { self.bitboards.legal_moves() } else { Vec::new() }
    }

    /// Returns the way that a move takes; `None` if it is not legal.
    pub(super) fn find_path(&self, mv: &Move) -> Option<MovePath> {
        self.legal_paths().into_iter().find(|way| Move::from(way) == *mv)
    }

    /// Returns the position after a way.
    pub(super) fn after_path(&self, way: &MovePath) -> Checkers {
        let drought = self.no_capture_rule.map(|drought| drought.after_ply(way.captured != 0));
        if self.bitboards.is_irreversible(way) {
            return Checkers::with_outcome(self.bitboards.after_path(way), 0, Vec::new(), drought);
        }
        let earlier = self.earlier.iter().copied().chain([self.bitboards]).collect();
        Checkers::with_outcome(
            self.bitboards.after_path(way),
            self.reversible_plies.saturating_add(1),
            earlier,
            drought,
        )
    }
}

impl Rules for Checkers {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Checkers, RuleError> {
        Ok(Checkers::with_outcome(Bitboards::START, 0, Vec::new(), config.no_capture_rule()?))
    }

    fn side_to_move(&self) -> Seat {
        self.bitboards.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_paths().iter().map(Move::from).collect()
    }

    fn play(&self, mv: &Move) -> Checkers {
        // What is not legal is never played; should it be, nothing happens.
        self.find_path(mv).map_or_else(|| self.clone(), |way| self.after_path(&way))
    }

    fn ending(&self) -> Option<Ending> {
        Some(Ending { outcome: self.outcome()?, reason: Some(self.end?.reason()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| match end {
            End::NoMen | End::Blocked => Outcome::Won(self.bitboards.side_to_move.other()),
            End::Repetition | End::FortyMoves | End::NoCaptures(_) => Outcome::Draw,
        })
    }

    /// Counts as published counts do: a drawn position goes on as long as there are moves.
    fn perft(&self, depth: u32) -> u64 {
        self.bitboards.perft(depth)
    }
}
