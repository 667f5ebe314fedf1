//! Everything that is said no to, to a player: data, put into words in `answers/refusal.rs`.

use crate::game::phrase::Phrase;
use crate::game::rule::RuleError;
use crate::tables::refusal::TableRefusal;
use crate::talk::command::Unclear;
use crate::talk::comment::Millis;

/// The reason why nothing was changed. Texts that came from a comment are kept raw here and quoted when shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The comment cannot be taken as it stands.
    Unclear(Unclear),
    /// No table can be set up like this.
    Setup(SetupRefusal),
    /// The text is no move.
    Move(MoveRefusal),
    /// The table forbids it.
    Table(TableRefusal),
    /// A command for a table that does not exist.
    NoTable(u64),
    /// The seat is kept for somebody else: the seat and their login.
    SeatKept(&'static str, String),
    /// Every seat has somebody; the sentence says who.
    Full(Phrase),
    /// The other side has asked two things.
    AcceptWhich,
    /// Both have moved, and not enough time has passed: for how much longer an abort is refused, if that is known.
    TooLateToAbort(Option<Millis>),
    /// A rematch while the game is going on.
    NotOver,
    /// Only the players may ask for it; the sentence says who they are.
    OnlyPlayers(Phrase),
    /// The game of this table goes on in another issue, which is this.
    Moved(u64),
    /// A table can only go on in another issue than its own: the number of the table.
    ContinueWhere(u64),
    /// A table can't go on in an issue that holds one already: the number of the table.
    IssueTaken(u64),
    /// A command that had to wait, because its author wrote so many or its issue took no answers, while the game went on.
    PassedOver,
    /// The record has grown to its limit.
    RecordFull,
}

/// The reason why a `/new` opens no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupRefusal {
    /// `/new` without a game: the names of the games.
    WhichGame(Vec<&'static str>),
    /// A game that is not there: what was read, the nearest name, all names.
    UnknownGame(String, Option<&'static str>, Vec<&'static str>),
    /// A game that this host does not allow: its title, the names of those that are.
    GameNotHere(&'static str, Vec<&'static str>),
    /// An option with a value that it cannot take; the sentence says what it takes.
    BadOption(Phrase),
    /// An option that is not there: what was read, the nearest key, all keys.
    UnknownOption(String, Option<&'static str>, Vec<&'static str>),
    /// A stranger asks for a table in somebody else's issue.
    NotYourIssue,
    /// Only maintainers open tables here.
    OnlyMaintainers,
    /// No seat of that name: what was read, the seats.
    NoSeat(String, [&'static str; 2]),
    /// `/new @opponent` names the author.
    OpponentIsYou,
    /// `/new` names two opponents.
    OneOpponent,
    /// `/new @opponent` with something that cannot be a login.
    NoLogin(String),
}

/// The reason why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveRefusal {
    /// `/move` without a move: how moves are written.
    Which(Phrase),
    /// No move of this game: what was read, how moves are written, the nearest legal move.
    Unread(String, Phrase, Option<String>),
    /// A move that this board does not have: what was read; the sentence says what it has.
    OffBoard(String, String),
    /// A text that could mean several moves: what was read, the moves.
    Ambiguous(String, Vec<String>),
}

impl From<Unclear> for Refusal {
    fn from(unclear: Unclear) -> Refusal {
        Refusal::Unclear(unclear)
    }
}

impl From<RuleError> for SetupRefusal {
    fn from(rule: RuleError) -> SetupRefusal {
        SetupRefusal::BadOption(rule.message.into())
    }
}

impl From<SetupRefusal> for Refusal {
    fn from(refusal: SetupRefusal) -> Refusal {
        Refusal::Setup(refusal)
    }
}

impl From<MoveRefusal> for Refusal {
    fn from(refusal: MoveRefusal) -> Refusal {
        Refusal::Move(refusal)
    }
}

impl From<TableRefusal> for Refusal {
    fn from(refusal: TableRefusal) -> Refusal {
        Refusal::Table(refusal)
    }
}
