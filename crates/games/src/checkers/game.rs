//! The rules of checkers.

use std::borrow::Cow;

use game::contract::{DiceRules, Ending, Outcome, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::checkers::bitboards::{Bitboards, MovePath};
use crate::checkers::config::{GameConfig, NoCaptureRule};
use crate::view::View;

/// The number of consecutive plies without a capture or a man's move at which the game is a draw.
pub(super) const MAX_REVERSIBLE_PLIES: u16 = 80;
/// The number of occurrences of a position at which the game is a draw.
const DRAW_REPETITIONS: usize = 3;

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CheckersMove")]
pub struct Move {
    /// The squares that the piece visits, 1 to 32: its start, then the end of each step or jump.
    pub path: Vec<u8>,
}

impl From<&MovePath> for Move {
    fn from(path: &MovePath) -> Move {
        Move { path: path.squares().iter().map(|square| square + 1).collect() }
    }
}

/// A position with the history needed for draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkers {
    /// The pieces and the side to move.
    pub bitboards: Bitboards,
    /// The number of plies since the last capture or man's move.
    pub(super) reversible_plies: u16,
    /// The positions since the last capture or man's move, oldest first.
    pub(super) earlier: Vec<Bitboards>,
    /// The count of plies without a capture, if the game has this rule.
    pub(super) no_capture_rule: Option<NoCaptureRule>,
    /// How the game ended, if it is over.
    pub(super) end: Option<End>,
    /// The side that the board is shown from, if a player chose one.
    pub(super) view: Option<View>,
}

/// How a game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The side to move has no pieces left.
    NoMen,
    /// The side to move can't move.
    Blocked,
    /// The position occurred for the third time.
    Repetition,
    /// Each side made 40 moves without a capture or a man's move.
    FortyMoves,
    /// Each side made this number of moves without a capture.
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
    /// Returns a position, with its `end` if the game is over.
    pub(super) fn with_outcome(
        bitboards: Bitboards,
        reversible_plies: u16,
        earlier: Vec<Bitboards>,
        no_capture_rule: Option<NoCaptureRule>,
    ) -> Checkers {
        let occurrences = 1 + earlier.iter().filter(|position| **position == bitboards).count();
        let end = if bitboards.sides()[0] == 0 {
            Some(End::NoMen)
        } else if !bitboards.can_move() {
            Some(End::Blocked)
        } else if occurrences >= DRAW_REPETITIONS {
            Some(End::Repetition)
        } else if reversible_plies >= MAX_REVERSIBLE_PLIES {
            Some(End::FortyMoves)
        } else {
            match no_capture_rule {
                Some(rule) if rule.is_draw() => Some(End::NoCaptures(rule.max_plies / 2)),
                _ => None,
            }
        };
        Checkers { bitboards, reversible_plies, earlier, no_capture_rule, end, view: None }
    }

    /// Returns the legal moves. There are none after the end.
    pub(super) fn legal_paths(&self) -> Vec<MovePath> {
        if self.end.is_none() { self.bitboards.legal_moves() } else { Vec::new() }
    }

    /// Returns the path of a move, or `None` if it is illegal.
    pub(super) fn find_path(&self, mv: &Move) -> Option<MovePath> {
        self.legal_paths().into_iter().find(|path| Move::from(path) == *mv)
    }

    /// Returns the position after a legal move.
    pub(super) fn after_path(&self, path: &MovePath) -> Checkers {
        let no_capture_rule = self.no_capture_rule.map(|rule| rule.after_ply(path.captured != 0));
        if self.bitboards.is_irreversible(path) {
            let after = Checkers::with_outcome(self.bitboards.after_path(path), 0, Vec::new(), no_capture_rule);
            return after.with_view(self.view);
        }
        let earlier = self.earlier.iter().copied().chain([self.bitboards]).collect();
        let after = Checkers::with_outcome(
            self.bitboards.after_path(path),
            self.reversible_plies.saturating_add(1),
            earlier,
            no_capture_rule,
        );
        after.with_view(self.view)
    }

    /// Returns the same position, shown from a side.
    pub(super) fn with_view(self, view: Option<View>) -> Checkers {
        Checkers { view, ..self }
    }
}

impl Rules for Checkers {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Checkers, InvalidState> {
        let start = Checkers::with_outcome(Bitboards::START, 0, Vec::new(), config.no_capture_rule()?);
        Ok(start.with_view(config.view))
    }

    fn side_to_move(&self) -> Seat {
        self.bitboards.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_paths().iter().map(Move::from).collect()
    }

    fn play(&self, mv: &Move) -> Checkers {
        // Callers pass legal moves only.
        self.find_path(mv).map_or_else(|| self.clone(), |path| self.after_path(&path))
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

    /// Counts positions as published perft results do: play continues after a draw.
    fn perft(&self, depth: u32) -> u64 {
        self.bitboards.perft(depth)
    }
}

impl DiceRules for Checkers {}
