//! The refusals of a table, as data. `answers/refusal.rs` puts them into words.

use std::time::Duration;

use game::contract::Game;
use game::phrase::Phrase;
use game::rule::{IllegalMove, MAX_LISTED_MOVES};

use crate::timestamp::Timestamp;

/// The rule of a table, or of its game, that forbids an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRefusal {
    /// A new game while one is in progress at the table.
    GameInProgress,
    /// A command after the end of the game.
    GameOver,
    /// An event that its author's seat doesn't allow.
    Seat(SeatRefusal),
    /// A move out of turn: the seat to move, and the username of its player, if there is one.
    NotYourTurn(&'static str, Option<String>),
    /// An illegal move.
    IllegalMove {
        /// The machine-readable code of the rule.
        code: &'static str,
        /// The engine's sentence.
        message: String,
        /// The explanation for players, if the game has one.
        explanation: Option<Phrase>,
        /// The legal moves; `None` if there are too many to list.
        legal_moves: Option<Vec<String>>,
    },
    /// An offer, a takeback or a resignation that isn't possible.
    Offer(OfferRefusal),
    /// A takeback of a move after which dice were rolled.
    DiceRolled,
    /// An `/autoroll` in a game without optional rolls.
    NoOptionalRolls,
    /// An `/autoroll` that changes nothing, or a second one since the player's last move.
    AutoRollUnchanged,
    /// A claim that the clocks don't allow.
    Clock(ClockRefusal),
    /// A hint in a game between two people.
    NoHints,
    /// A command that needs a seat, at an open table.
    NotAtOpenTable,
    /// A request for the computer to move, at a table that isn't open.
    OnlyAtOpenTable,
    /// A move too soon at an open table: the number of other moves required before this person may move again.
    MovedRecently(u32),
    /// A takeback at an open table by someone who didn't make the last move.
    NotYourMove,
    /// An ending that only an imported game can have.
    NotImported,
    /// An event that needs dice when their key is gone, because the host changed the secret.
    SecretLost,
    /// Conditional moves that aren't allowed.
    Conditional(ConditionalRefusal),
}

/// The reason that someone's seat doesn't allow an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatRefusal {
    /// A command by someone without a seat.
    NotSeated,
    /// A seat that is someone else's: the seat and their username.
    Taken(&'static str, String),
    /// A seat that is the computer's.
    Computer(&'static str),
    /// A second seat for the same player: the seat they already have.
    AlreadySeated(&'static str),
    /// A `/leave` by a player who didn't join at an open seat.
    NotGuest,
    /// A `/leave` by a player who can no longer leave, because the opponent has moved or dice were rolled.
    TooLateToLeave,
    /// A request or a claim when there is no opponent.
    NoOpponent,
    /// A request or a claim after a rematch, before the opponent has come back: their username.
    OpponentNotBack(String),
}

/// The reason that an offer, a takeback or a resignation isn't possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferRefusal {
    /// A second draw offer while one is pending.
    DrawAlreadyOffered,
    /// A draw offer too soon after the player's last one was declined.
    DrawDeclined,
    /// A claim of a draw that the game's rules don't grant.
    NoDrawToClaim,
    /// A second takeback request while one is pending.
    TakebackAlreadyAsked,
    /// A takeback request by a player whose last one was declined, and who hasn't moved since.
    TakebackDeclined,
    /// A takeback for a player who hasn't moved.
    NothingToTakeBack,
    /// A second offer to resign while one is pending.
    ResignAlreadyOffered,
    /// An offer to resign by a player whose last one was declined, and who hasn't moved since.
    ResignDeclined,
    /// A resignation at a cost that isn't available, or that is in the wrong form: offered instead of direct, or the
    /// reverse.
    InvalidCost,
    /// An acceptance without a request by the opponent.
    NothingToAccept,
    /// A decline without a request by the opponent.
    NothingToDecline,
}

/// The reason that the clocks don't allow a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockRefusal {
    /// A claim at a table without a time limit.
    NoTimeLimit,
    /// A claim while the claiming player's own time is running.
    OwnTimeRunning,
    /// A claim while the opponent still has time.
    TimeLeft {
        /// The time left.
        left: Duration,
        /// When the opponent runs out of time.
        deadline: Timestamp,
    },
}

/// The reason that conditional moves aren't allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionalRefusal {
    /// A game with dice.
    Dice,
    /// A table where anyone moves for either side.
    OpenTable,
    /// A game against the computer, which moves at once.
    Computer,
    /// The player's own turn.
    OwnTurn,
    /// A line that isn't legal, or doesn't end with the player's own move.
    InvalidLine,
    /// More moves than a player may have in all lines.
    TooManyMoves,
    /// More lines than a player may write in a turn.
    TooManyLines,
    /// Lines to drop when there are none.
    NothingToDrop,
    /// A record that is too long for more lines.
    LongRecord,
}

impl From<SeatRefusal> for TableRefusal {
    fn from(refusal: SeatRefusal) -> TableRefusal {
        TableRefusal::Seat(refusal)
    }
}

impl From<OfferRefusal> for TableRefusal {
    fn from(refusal: OfferRefusal) -> TableRefusal {
        TableRefusal::Offer(refusal)
    }
}

impl From<ClockRefusal> for TableRefusal {
    fn from(refusal: ClockRefusal) -> TableRefusal {
        TableRefusal::Clock(refusal)
    }
}

impl From<ConditionalRefusal> for TableRefusal {
    fn from(refusal: ConditionalRefusal) -> TableRefusal {
        TableRefusal::Conditional(refusal)
    }
}

impl TableRefusal {
    /// Returns the refusal of a move that a rule forbids.
    pub fn illegal_move<G: Game>(game: &G, illegal: IllegalMove) -> TableRefusal {
        let legal = game.legal_moves();
        let listed = (legal.len() <= MAX_LISTED_MOVES).then(|| legal.iter().map(|mv| game.notation(mv)).collect());
        TableRefusal::IllegalMove {
            code: illegal.code,
            message: illegal.message,
            explanation: illegal.explanation.map(|explanation| *explanation),
            legal_moves: listed,
        }
    }
}
