//! Errors in a history that was read from a file, as messages for the host. Players never see them.

use std::fmt;

use game::Roll;

use crate::{ClockRefusal, ConditionalRefusal, OfferRefusal, SeatRefusal, TableRefusal};

/// The maximum number of rolls that a message lists.
const MAX_LISTED_ROLLS: usize = 40;

/// The reason an event in a record can't have happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidHistory {
    /// An event that the table refuses.
    #[error(fmt = forbidden)]
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
    /// A missing forced play by the table: the only legal play.
    #[error("the only legal play, `{0}`, had to follow the roll here, but it isn't recorded")]
    MissingForcedPlay(String),
    /// A forced play by the table that no roll forced.
    #[error("a forced play is recorded here, but no roll forced it")]
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

/// Writes a player's refusal as an error in a file.
fn forbidden(refusal: &TableRefusal, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match refusal {
        TableRefusal::IllegalMove { message, .. } => return write!(f, "the move isn't legal: {message}"),
        TableRefusal::NotYourTurn(seat, _) => return write!(f, "it was {seat}'s turn"),
        TableRefusal::Seat(refusal) => return invalid_seat(refusal, f),
        TableRefusal::MovedRecently(gap) => {
            return write!(f, "`by` had made one of the last {gap} moves in this open game");
        }
        TableRefusal::GameInProgress => "the first event, and only the first, has to be `new`",
        TableRefusal::GameOver => "the game was over",
        TableRefusal::Offer(refusal) => invalid_offer(*refusal),
        TableRefusal::DiceRolled => "dice had been rolled since that move",
        TableRefusal::NoOptionalRolls => "this game has no optional rolls",
        TableRefusal::AutoRollUnchanged => {
            "automatic rolls were already set that way, or had changed since the player's last move"
        }
        TableRefusal::Clock(ClockRefusal::NoTimeLimit) => "this table has no time limit",
        TableRefusal::Clock(ClockRefusal::OwnTimeRunning) => "the claiming player's own time was running",
        TableRefusal::Clock(ClockRefusal::TimeLeft { .. }) => "there was time left",
        TableRefusal::NotAtOpenTable => "in an open game, nobody can do that for a side",
        TableRefusal::NoHints => "the opponent wasn't the computer",
        TableRefusal::OnlyAtOpenTable => "this isn't an open table",
        TableRefusal::NotYourMove => "someone else had made the last move",
        TableRefusal::NotImported => "only an imported game can end like this",
        TableRefusal::SecretLost => "the key of the dice doesn't match",
        TableRefusal::Conditional(refusal) => invalid_conditional_moves(*refusal),
    })
}

/// Writes a refusal of a seat as an error in a file.
fn invalid_seat(refusal: &SeatRefusal, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match refusal {
        SeatRefusal::Taken(seat, _) => return write!(f, "someone else was playing {seat}"),
        SeatRefusal::Computer(seat) => return write!(f, "the computer was playing {seat}"),
        SeatRefusal::AlreadySeated(seat) => return write!(f, "`by` was already playing {seat}"),
        SeatRefusal::NotSeated => "`by` had no seat",
        SeatRefusal::NotGuest => "the player hadn't joined at an open seat",
        SeatRefusal::TooLateToLeave => "it was too late for the player to leave",
        SeatRefusal::NoOpponent | SeatRefusal::OpponentNotBack(_) => "nobody was playing the other side",
    })
}

/// Returns a refusal of an offer, a takeback or a resignation as an error in a file.
fn invalid_offer(refusal: OfferRefusal) -> &'static str {
    match refusal {
        OfferRefusal::DrawAlreadyOffered => "a draw had already been offered",
        OfferRefusal::DrawDeclined => "the draw had been declined, and the player who offered it hadn't moved since",
        OfferRefusal::NoDrawToClaim => "there was no draw to claim",
        OfferRefusal::TakebackAlreadyAsked => "a takeback had already been requested",
        OfferRefusal::TakebackDeclined => "the takeback had been declined, and the player who asked hadn't moved since",
        OfferRefusal::NothingToTakeBack => "there was no move to take back",
        OfferRefusal::ResignAlreadyOffered => "an offer to concede the game had already been made",
        OfferRefusal::ResignDeclined => {
            "the offer to concede had been declined, and the player who made it hadn't moved since"
        }
        OfferRefusal::InvalidCost => "the game couldn't be resigned at that cost",
        OfferRefusal::NothingToAccept => "there was no request to accept",
        OfferRefusal::NothingToDecline => "there was no request to decline",
    }
}

/// Returns a refusal of conditional moves as an error in a file.
fn invalid_conditional_moves(refusal: ConditionalRefusal) -> &'static str {
    match refusal {
        ConditionalRefusal::Dice => "a game with dice has no conditional moves",
        ConditionalRefusal::OpenTable => "an open game has no conditional moves",
        ConditionalRefusal::Computer => "a game against the computer has no conditional moves",
        ConditionalRefusal::OwnTurn => "it was the player's own turn",
        ConditionalRefusal::InvalidLine => {
            "its line isn't legal in canonical notation, or doesn't end with a move by its author"
        }
        ConditionalRefusal::TooManyMoves => "the lines of this player have too many moves",
        ConditionalRefusal::TooManyLines => "the player had written too many lines since the last move",
        ConditionalRefusal::NothingToDrop => "there were no conditional moves to drop",
        ConditionalRefusal::LongRecord => "the record was too long for conditional moves",
    }
}
