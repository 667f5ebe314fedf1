//! The faults of a history that was read from a file, in words for a host. A player never sees these.

use std::fmt;

use crate::game::throw::Throw;
use crate::tables::refusal::TableRefusal;

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

impl fmt::Display for InvalidHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidHistory::Forbidden(refusal) => forbidden(refusal, f),
            InvalidHistory::Notation(canonical) => write!(f, "the move is written `{canonical}` in full"),
            InvalidHistory::ThrowMissing => f.write_str("the dice had to be thrown here, and no throw is recorded"),
            InvalidHistory::ThrowUncalled => f.write_str("a throw is recorded here that nothing called for"),
            InvalidHistory::ForcedUncalled => f.write_str("a play is recorded here that no throw has forced"),
            InvalidHistory::ReplyMissing => f.write_str("the computer had to answer here, and no answer is recorded"),
            InvalidHistory::ReplyUncalled => {
                f.write_str("an answer of the computer is recorded here that nothing called for")
            }
            InvalidHistory::NoDie([one, two]) => write!(f, "no two dice show {one} and {two}"),
            InvalidHistory::KeyMissing => f.write_str("the key of the dice has to be shown at the end, and it is not"),
            InvalidHistory::KeyUncalled => f.write_str("a key of the dice is shown here, where none is due"),
            InvalidHistory::WrongKey => {
                f.write_str("the key of the dice is not the one that was committed to at the start")
            }
            InvalidHistory::FalseThrows(throws) => {
                let throws = throws.iter().take(MAX_THROWS).map(|(number, [a, b], [c, d])| {
                    format!("throw {number} is recorded as {a}-{b}, and the key gives {c}-{d}")
                });
                write!(f, "the dice are not those that the key gives: {}", throws.collect::<Vec<_>>().join("; "))
            }
        }
    }
}

/// Writes a refusal of a player as a fault of a file.
fn forbidden(refusal: &TableRefusal, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match refusal {
        TableRefusal::Rule { message, .. } => return write!(f, "the move is not legal: {message}"),
        TableRefusal::NotYourTurn(seat, _) => return write!(f, "{seat} was to move"),
        TableRefusal::SeatTaken(seat, _) => return write!(f, "somebody else sat at {seat}"),
        TableRefusal::ComputerSits(seat) => return write!(f, "the computer sat at {seat}"),
        TableRefusal::AlreadySeated(seat) => return write!(f, "`by` sat at {seat}"),
        TableRefusal::MovedLately(gap) => {
            return write!(f, "`by` had made one of the last {gap} moves at this open table");
        }
        TableRefusal::TableTaken => "`new` is the first event, and the first event is `new`",
        TableRefusal::GameOver(_) => "the game was over",
        TableRefusal::NotSeated(_) => "`by` had no seat",
        TableRefusal::DrawStands => "a draw had been offered already",
        TableRefusal::DrawDeclined => "the draw had been declined, and the offerer had not moved since",
        TableRefusal::NoDrawToClaim => "there was no draw to claim",
        TableRefusal::UndoStands => "an undo had been asked for already",
        TableRefusal::UndoDeclined => "the undo had been declined, and the asker had not moved since",
        TableRefusal::ResignStands => "the game had been offered already",
        TableRefusal::ResignDeclined => "the offer of the game had been declined, and the offerer had not moved since",
        TableRefusal::NoOffer => "the game could not be given up for that",
        TableRefusal::NothingToUndo => "there was no move to take back",
        TableRefusal::NothingToAccept => "nothing had been asked for that could be accepted",
        TableRefusal::NothingToDecline => "nothing had been asked for that could be declined",
        TableRefusal::NobodyOpposite | TableRefusal::NotBack(_) => "nobody sat opposite",
        TableRefusal::NoClock => "there is no limit of time at this table",
        TableRefusal::OwnClock => "it was the claimer's own time that ran",
        TableRefusal::TimeLeft(_) => "there was time left",
        TableRefusal::OpenTable => "nobody speaks for a side at an open table",
        TableRefusal::NoHints => "the computer did not sit opposite",
        TableRefusal::NoOpenTable => "the sides have players at this table",
        TableRefusal::NotYourMove => "the last move was another one's",
        TableRefusal::DiceShown => "dice had been shown since that move",
        TableRefusal::NotImported => "only an imported game can end like this",
        TableRefusal::SecretLost => "the key of the dice is another one",
    })
}
