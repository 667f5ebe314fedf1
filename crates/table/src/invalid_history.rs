//! The faults of a history that was read from a file, in words for a host. A player never sees these.

use std::fmt;

use game::throw::Throw;

use crate::refusal::TableRefusal;

/// The most throws that a sentence lists.
const MAX_THROWS: usize = 40;

/// The reason why an event of a record cannot have happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidHistory {
    /// An event that the table refuses.
    Forbidden(TableRefusal),
    /// A move in another than its canonical notation, which is given.
    Notation(String),
    /// A missing throw where the dice had to be thrown.
    ThrowMissing,
    /// A throw that no event called for.
    ThrowUncalled,
    /// A play by the table that no throw has forced.
    ForcedUncalled,
    /// A missing reply where the computer had to move, or a missing answer to what it was offered.
    ReplyMissing,
    /// A reply of the computer that nothing called for.
    ReplyUncalled,
    /// A throw that two dice cannot show.
    NoDie(Throw),
    /// An end without the key of the dice.
    KeyMissing,
    /// A key where none is due.
    KeyUncalled,
    /// Another key than the one that was committed to.
    WrongKey,
    /// Throws that the key does not give: the number of the throw, what the record says, what the key gives.
    FalseThrows(Vec<(u32, Throw, Throw)>),
}

impl From<TableRefusal> for InvalidHistory {
    fn from(refusal: TableRefusal) -> Self {
        InvalidHistory::Forbidden(refusal)
    }
}

impl fmt::Display for InvalidHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidHistory::Forbidden(refusal) => forbidden(refusal, f),
            InvalidHistory::Notation(canonical) => write!(f, "the move should be written `{canonical}`"),
            InvalidHistory::ThrowMissing => f.write_str("the dice had to be rolled here, but no roll is recorded"),
            InvalidHistory::ThrowUncalled => f.write_str("a roll is recorded here, but none was due"),
            InvalidHistory::ForcedUncalled => f.write_str("a forced play is recorded here, but no roll forced it"),
            InvalidHistory::ReplyMissing => f.write_str("the computer had to reply here, but no reply is recorded"),
            InvalidHistory::ReplyUncalled => f.write_str("a reply by the computer is recorded here, but none was due"),
            InvalidHistory::NoDie([one, two]) => write!(f, "two dice can't show {one} and {two}"),
            InvalidHistory::KeyMissing => f.write_str("the last event has to show the key of the dice, but it doesn't"),
            InvalidHistory::KeyUncalled => f.write_str("a key of the dice is shown here, but none was due"),
            InvalidHistory::WrongKey => {
                f.write_str("the key of the dice doesn't match the hash that was published at the start")
            }
            InvalidHistory::FalseThrows(throws) => {
                let throws = throws.iter().take(MAX_THROWS).map(|(number, [a, b], [c, d])| {
                    format!("roll {number} is recorded as {a}-{b}, but the key gives {c}-{d}")
                });
                write!(f, "the dice don't match their key: {}", throws.collect::<Vec<_>>().join("; "))
            }
        }
    }
}

/// Writes a refusal of a player as a fault of a file.
fn forbidden(refusal: &TableRefusal, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match refusal {
        TableRefusal::Rule { message, .. } => return write!(f, "the move isn't legal: {message}"),
        TableRefusal::NotYourTurn(seat, _) => return write!(f, "it was {seat}'s turn"),
        TableRefusal::SeatTaken(seat, _) => return write!(f, "someone else was playing {seat}"),
        TableRefusal::ComputerSits(seat) => return write!(f, "the computer was playing {seat}"),
        TableRefusal::AlreadySeated(seat) => return write!(f, "`by` was already playing {seat}"),
        TableRefusal::MovedLately(gap) => {
            return write!(f, "`by` had made one of the last {gap} moves in this open game");
        }
        TableRefusal::TableTaken => "the first event, and only the first, has to be `new`",
        TableRefusal::GameOver => "the game was over",
        TableRefusal::NotSeated => "`by` had no seat",
        TableRefusal::DrawStands => "a draw had already been offered",
        TableRefusal::DrawDeclined => "the draw had been declined, and the player who offered it hadn't moved since",
        TableRefusal::NoDrawToClaim => "there was no draw to claim",
        TableRefusal::UndoStands => "a takeback had already been requested",
        TableRefusal::UndoDeclined => "the takeback had been declined, and the player who asked hadn't moved since",
        TableRefusal::ResignStands => "an offer to concede the game had already been made",
        TableRefusal::ResignDeclined => {
            "the offer to concede had been declined, and the player who made it hadn't moved since"
        }
        TableRefusal::NoOffer => "the game couldn't be resigned at that cost",
        TableRefusal::NothingToUndo => "there was no move to take back",
        TableRefusal::NothingToAccept => "there was no request to accept",
        TableRefusal::NothingToDecline => "there was no request to decline",
        TableRefusal::NobodyOpposite | TableRefusal::NotBack(_) => "nobody was playing the other side",
        TableRefusal::NoClock => "this table has no time limit",
        TableRefusal::OwnClock => "the claiming player's own time was running",
        TableRefusal::TimeLeft(_) => "there was time left",
        TableRefusal::OpenTable => "in an open game, nobody can do that for a side",
        TableRefusal::NoHints => "the opponent wasn't the computer",
        TableRefusal::NoOpenTable => "this isn't an open table",
        TableRefusal::NotYourMove => "someone else had made the last move",
        TableRefusal::DiceShown => "dice had been rolled since that move",
        TableRefusal::NotImported => "only an imported game can end like this",
        TableRefusal::SecretLost => "the key of the dice is a different one",
    })
}
