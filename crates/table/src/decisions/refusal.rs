//! The refusals of commands: data, put into words in `answers/refusal.rs`.

use game::phrase::Phrase;
use game::rule::RuleError;
use game::seat::Seat;

use crate::decisions::suggestion::Suggestion;
use crate::refusal::TableRefusal;
use crate::talk::command::CommandError;
use crate::talk::comment::Millis;

/// The reason why nothing was changed. Texts that came from a comment are kept raw here and quoted when shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A comment that cannot be taken as it stands.
    Command(CommandError),
    /// A comment that is chat as it stands, and may have been meant otherwise.
    Suggestion(Suggestion),
    /// A `/new` that opens no table.
    Setup(SetupRefusal),
    /// A text that is no move.
    Move(MoveRefusal),
    /// A command that the table forbids.
    Table(TableRefusal),
    /// A command for a table that does not exist.
    UnknownTable(u64),
    /// A command for a table whose record cannot be used: its number.
    UnreadableRecord(u64),
    /// A command in an issue in which no table has been opened yet, though somebody has tried.
    NoTableYet,
    /// A seat that is kept for somebody else: the seat and their login.
    SeatReserved(&'static str, String),
    /// A `/join` when every seat is taken.
    NoFreeSeat,
    /// An `/accept` when the other side has asked two things.
    AmbiguousAccept,
    /// An abort after both have moved: the milliseconds of silence until it is allowed; `None` if it never will be.
    TooLateToAbort(Option<Millis>),
    /// A claim from somebody who has made no move in this round: their seat.
    OpponentNeverMoved(Seat),
    /// A rematch by the player who has ended the last round before both had moved: the seat of the one who may ask for it.
    OpponentMustRematch(Seat),
    /// A resignation for a cost that it cannot have: the text, the costs that there are.
    UnknownStake(String, &'static [&'static str]),
    /// A level of the computer that there is not: the text.
    UnknownLevel(String),
    /// A seat for the computer that somebody else has, and the milliseconds of silence until it may have it, if
    /// that is how they lose it.
    SeatNotFree(Seat, Option<Millis>),
    /// A rematch while the game is going on.
    GameNotOver,
    /// A command that is for the players.
    OnlyPlayers,
    /// A `/continue` of an open table by somebody who has not opened it.
    OnlyOpener,
    /// A command at a table whose game goes on in another issue: its number.
    TableMoved(u64),
    /// A `/continue` in the table's own issue: the number of the table.
    ContinueInOwnIssue(u64),
    /// A `/continue` in an issue that holds a table already: the number of the table.
    IssueHasTable(u64),
    /// A command that had to wait, because its author wrote so many or its issue took no answers, while the game went on.
    Superseded,
    /// An event for which the record has no room.
    RecordFull {
        /// Whether the table is open.
        open: bool,
    },
}

/// The reason why a `/new` opens no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupRefusal {
    /// A `/new` without a game: the names of the games.
    MissingGame(Vec<&'static str>),
    /// A game that is not there: the text, the nearest name, all names.
    UnknownGame(String, Option<&'static str>, Vec<&'static str>),
    /// A game that this host does not allow: its title, the names of those that are.
    GameNotAllowed(&'static str, Vec<&'static str>),
    /// An option of the game with a value that it cannot take; the game's sentence says what it takes.
    InvalidOption(Phrase),
    /// An option that all games have, with a value that it cannot take or beside another that it cannot stand with.
    InvalidTableOption(InvalidTableOption),
    /// An option without its value: the key.
    MissingValue(String),
    /// An option that is not there: the text, the nearest key, all keys.
    UnknownOption(String, Option<&'static str>, Vec<&'static str>),
    /// A word that is no option and may be the opponent's login.
    OpponentWithoutAt(String),
    /// A `/new` by a stranger in somebody else's issue.
    NotYourIssue,
    /// A `/new` where only maintainers open tables.
    OnlyMaintainers,
    /// A seat that the game does not have: the text, the seats.
    UnknownSeat(String, [&'static str; 2]),
    /// A `/new @opponent` that names its author.
    OpponentIsYou,
    /// A `/new @computer`, which is somebody's account: the word.
    ComputerMention(String),
    /// A level of the computer that there is not: the text.
    UnknownLevel(String),
    /// A `/new` with two opponents.
    TwoOpponents,
    /// A `/new @opponent` with a text that cannot be a login.
    InvalidLogin(String),
}

/// The reason why an option that all games have cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidTableOption {
    /// An open table with an opponent, a side or a time limit.
    OpenWithPlayers,
    /// A time limit against the computer.
    TimeLimitWithComputer,
    /// A level without the computer.
    LevelWithoutComputer,
    /// A value of `seats` that there is not.
    Seats,
    /// A `gap` without an open table, or larger than this.
    Gap(u32),
    /// A `per-move` that is no time, or is too short or too long.
    PerMove,
}

/// The reason why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveRefusal {
    /// A `/move` without a move: the sentence on how moves are written.
    Missing(Phrase),
    /// A text that is no move of this game: the text, the sentence on how moves are written, the nearest legal move.
    NotAMove(String, Phrase, Option<String>),
    /// A move that this board does not have: the text, the sentence on what it has.
    OutOfRange(String, String),
    /// A text that could mean several moves: the text, the moves.
    Ambiguous(String, Vec<String>),
}

/// Makes refusals of what each part refuses.
macro_rules! refusals {
    ($($kind:ident: $part:ty),+) => {
        $(impl From<$part> for Refusal {
            fn from(refusal: $part) -> Refusal {
                Refusal::$kind(refusal)
            }
        })+
    };
}

refusals!(Command: CommandError, Setup: SetupRefusal, Move: MoveRefusal, Table: TableRefusal, Suggestion: Suggestion);

impl From<InvalidTableOption> for SetupRefusal {
    fn from(bad: InvalidTableOption) -> SetupRefusal {
        SetupRefusal::InvalidTableOption(bad)
    }
}

impl From<RuleError> for SetupRefusal {
    fn from(rule: RuleError) -> SetupRefusal {
        SetupRefusal::InvalidOption(rule.message.into())
    }
}
