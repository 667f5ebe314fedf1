//! The round and turn in a `/move` that a link filled in: `(round 1, turn 8)`.

use std::fmt;

/// The turn at which a page shows a game. Offers and other events that leave the position as it is don't count, so the
/// links on the page stay valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The round.
    pub round: u32,
    /// The number of the next move or takeback in the round, from 1.
    pub number: usize,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(round {}, turn {})", self.round, self.number)
    }
}
