//! The state of a game: the men, and what its end depends on.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::contract::Outcome;
use crate::games::checkers::men::{Men, Way};

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

/// Plies without a capture, whether men have moved or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Drought {
    /// The plies so far.
    pub(super) plies: u16,
    /// The plies with which the game is drawn.
    pub(super) most: u16,
}

impl Drought {
    /// Returns what is counted after a move.
    #[inline]
    pub(super) fn after(self, is_capture: bool) -> Drought {
        Drought { plies: if is_capture { 0 } else { self.plies.saturating_add(1) }, ..self }
    }

    /// Tests if the game is drawn.
    #[inline]
    pub(super) fn is_over(self) -> bool {
        self.plies >= self.most
    }

    /// Returns the plies until the game is drawn.
    pub(super) fn left(self) -> u16 {
        self.most.saturating_sub(self.plies)
    }
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

    /// Returns the result; `None` while the game goes on.
    pub(super) fn result(&self) -> Option<Outcome> {
        self.end.map(|end| match end {
            End::NoMen | End::Blocked => Outcome::Won(self.men.turn.other()),
            End::Repetition | End::FortyMoves | End::Drought(_) => Outcome::Draw,
        })
    }
}
