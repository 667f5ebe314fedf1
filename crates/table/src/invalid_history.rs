//! Errors in a history that was read from a file, as messages for the host. Players never see them.

use game::Roll;

use crate::TableRefusal;

/// The maximum number of rolls that a message lists.
const MAX_LISTED_ROLLS: usize = 40;

/// The reason an event in a record can't have happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidHistory {
    /// An event that the table refuses.
    #[error("{0}")]
    Refused(TableRefusal),
    /// A move that isn't in canonical notation: the canonical notation.
    #[error("the move should be written `{0}`")]
    NotCanonical(String),
    /// A missing roll where the game needs dice.
    #[error("the dice had to be rolled here, but no roll is recorded")]
    MissingRoll,
    /// A roll that no event required.
    #[error("a roll is recorded here, but none was due")]
    UnexpectedRoll,
    /// A missing forced move by the table: the only legal move.
    #[error("the only legal move, `{0}`, had to follow here, but it isn't recorded")]
    MissingForcedPlay(String),
    /// A forced move by the table where none was due.
    #[error("a forced move is recorded here, but none was due")]
    UnexpectedForcedPlay,
    /// A missing move by the computer, or a missing answer to an offer.
    #[error("the computer had to reply here, but no reply is recorded")]
    MissingReply,
    /// A move or an answer by the computer that wasn't due.
    #[error("a reply by the computer is recorded here, but none was due")]
    UnexpectedReply,
    /// A missing conditional move: the move that the player had announced.
    #[error("the conditional move `{0}` had to follow here, but it isn't recorded")]
    MissingConditionalMove(String),
    /// A conditional move that nobody had announced.
    #[error("a conditional move is recorded here, but nobody had announced one")]
    UnexpectedConditionalMove,
    /// A missing ballot where a crowd has to move.
    #[error("a ballot had to follow here, but it isn't recorded")]
    MissingBallot,
    /// A ballot that wasn't due.
    #[error("a ballot is recorded here, but none was due")]
    UnexpectedBallot,
    /// A roll that isn't possible with two dice.
    #[error("two dice can't show {one} and {two}", one = .0[0], two = .0[1])]
    ImpossibleRoll(Roll),
    /// A clock that began to run before the turn, or after the event.
    #[error("`clock` has to be between the beginning of the turn and this event")]
    ImpossibleClockStart,
    /// A finished round that doesn't show its key.
    #[error("the last event has to show the key of the dice, but it doesn't")]
    MissingKey,
    /// A key that wasn't due.
    #[error("a key of the dice is shown here, but none was due")]
    UnexpectedKey,
    /// A key that doesn't match the commitment.
    #[error("the key of the dice doesn't match the hash that was published at the start")]
    WrongKey,
    /// Rolls that don't match the key: the number of the roll, the recorded dice, and the key's dice.
    #[error("the dice don't match their key: {}", list_wrong_rolls(.0))]
    WrongRolls(Vec<(u32, Roll, Roll)>),
}

impl From<TableRefusal> for InvalidHistory {
    fn from(refusal: TableRefusal) -> Self {
        InvalidHistory::Refused(refusal)
    }
}

fn list_wrong_rolls(rolls: &[(u32, Roll, Roll)]) -> String {
    let rolls = rolls
        .iter()
        .take(MAX_LISTED_ROLLS)
        .map(|(number, [a, b], [c, d])| format!("roll {number} is recorded as {a}-{b}, but the key gives {c}-{d}"));
    rolls.collect::<Vec<_>>().join("; ")
}
