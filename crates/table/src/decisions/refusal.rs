//! The refusals of commands, as data. `answers/refusal.rs` puts them into words.

use std::time::Duration;

use game::{Game, IllegalMove, InvalidState, MAX_LISTED_MOVES, Phrase, Seat};

use crate::comments::command::CommandSpec;
use crate::{CommandError, IssueNumber, Question, Timestamp, UserId};

/// The maximum number of moves that the bot suggests to a player in a turn.
const MAX_MOVE_HINTS: usize = 3;

/// The reason the bot changed nothing. Texts from a comment are raw here; the answer quotes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A command with an error.
    Command(CommandError),
    /// A chat comment that looks like an attempted move or command.
    Suggestion(Suggestion),
    /// A `/new` that can't open a table.
    Setup(SetupRefusal),
    /// A text that isn't a valid move.
    Move(MoveRefusal),
    /// A line of conditional moves that can't be read: the moves before the wrong one in canonical notation, and the reason.
    Line(Vec<String>, Box<LineFault>),
    /// A link's move after the table has changed.
    MovedOn(MovedOn),
    /// A move for a turn that the table hasn't reached.
    UnknownTurn,
    /// A command that the table forbids.
    Table(TableRefusal),
    /// A command for a table that does not exist.
    UnknownTable(IssueNumber),
    /// A command for a table whose record is unreadable: the table's number.
    UnreadableRecord(IssueNumber),
    /// A command for a table whose record doesn't belong to this repository: the table's number.
    ForeignRecord(IssueNumber),
    /// A command that depends on a person's time away, whose file is damaged.
    UnreadableAway(UserId),
    /// A command that its author wrote into an old comment.
    LateEdit,
    /// A seat that is reserved for someone else: the seat and their username.
    SeatReserved(&'static str, String),
    /// A `/join` when every seat is taken.
    NoFreeSeat,
    /// A move or a `join` for a seat that someone else took a moment earlier: their username.
    SeatJustTaken(String),
    /// An `/accept` when the opponent has made two requests.
    AmbiguousAccept,
    /// An abort after both players have moved: the time of silence until it is allowed; `None` if it never is.
    TooLateToAbort(Option<Duration>),
    /// A claim against an opponent who hasn't moved in this round: the opponent's seat.
    OpponentNeverMoved(Seat),
    /// A rematch requested by the player who ended the last round before both had moved: the seat that may ask for it.
    OpponentMustRematch(Seat),
    /// A resignation at a cost that isn't available: the text, and the available costs.
    UnknownCost(String, &'static [&'static str]),
    /// An unknown level of the computer: the text.
    UnknownLevel(String),
    /// A `/computer` for a seat that is someone else's: the seat, and the time of silence until the computer may take
    /// it; `None` if silence doesn't free the seat.
    SeatNotFree(Seat, Option<Duration>),
    /// A rematch during a game.
    GameNotOver,
    /// A review of a game that isn't over.
    ReviewOfRunningGame,
    /// A review of a game without a result, or without moves.
    NothingToReview,
    /// A command that takes a maintainer, by someone whose permission isn't known.
    UnknownPermission,
    /// A command that only players may use.
    OnlyPlayers,
    /// A `/continue` at an open table by someone who didn't open it.
    OnlyOpener,
    /// A command at a table that moved to another issue: the number of that issue.
    TableMoved(IssueNumber),
    /// A `/continue` in the table's own issue: the number of the table.
    ContinueInOwnIssue(IssueNumber),
    /// A `/continue` in an issue that already has a table: the number of the table to move.
    IssueHasTable(IssueNumber),
    /// A command that was delayed by a rate limit or a locked issue until the game had moved ahead.
    Superseded,
    /// An `/away` with words that aren't a time: the words.
    InvalidAway(String),
    /// An event that doesn't fit in the record.
    RecordFull {
        /// Whether the table is open.
        open: bool,
    },
}

/// The reason a `/new` can't open a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupRefusal {
    /// A `/new` without a game: the names of all games.
    MissingGame(Vec<&'static str>),
    /// An unknown game: the text, the nearest name, and all names.
    UnknownGame(String, Option<&'static str>, Vec<&'static str>),
    /// A game that the host doesn't allow: its title, and the names of the allowed games.
    GameNotAllowed(&'static str, Vec<&'static str>),
    /// An invalid value for an option of the game: the game's sentence about valid values.
    InvalidOption(Phrase),
    /// An invalid value for an option of all games, or two options that conflict.
    InvalidTableOption(InvalidTableOption),
    /// An option without a value: the key.
    MissingValue(String),
    /// An unknown option: the text, the nearest key, and all keys.
    UnknownOption(String, Option<&'static str>, Vec<&'static str>),
    /// A word that isn't an option, but may be the opponent's username.
    OpponentWithoutAt(String),
    /// A `/new` in someone else's issue.
    NotYourIssue,
    /// A `/new` by a non-maintainer where only maintainers may open tables.
    OnlyMaintainers,
    /// An unknown seat: the text, and the seats of the game.
    UnknownSeat(String, [&'static str; 2]),
    /// A `/new` whose author chose more than one side: the seats of the game.
    TwoSides([&'static str; 2]),
    /// A `/new @opponent` that names its own author.
    OpponentIsYou,
    /// A `/new @computer`, which mentions a real account: the word.
    ComputerMention(String),
    /// A `/new @opponent` that names a bot: the mention.
    OpponentIsBot(String),
    /// A `/new @opponent` that names an organization: the mention.
    OpponentIsOrganization(String),
    /// A `/new @opponent` that names nobody: the mention.
    OpponentIsMissing(String),
    /// An unknown level of the computer: the text.
    UnknownLevel(String),
    /// A `/new` with two opponents.
    TwoOpponents,
    /// A `/new @opponent` with an invalid username.
    InvalidLogin(String),
}

/// The reason an option that all games share is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidTableOption {
    /// An open table with an opponent, a side or a time limit.
    OpenWithPlayers,
    /// A time limit against the computer.
    TimeLimitWithComputer,
    /// A level without the computer.
    LevelWithoutComputer,
    /// A `rated` that is neither `yes` nor `no`.
    Rated,
    /// An invalid value of `seats`.
    Seats,
    /// A `gap` without an open table, or one above this maximum.
    Gap(u32),
    /// A `per-move` that isn't a duration, or is too short or too long.
    PerMove,
    /// A `bank` that isn't a duration, or is too short or too long.
    Bank,
    /// A `bank` without `per-move`.
    BankWithoutPerMove,
}

/// The reason a link's move comes too late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovedOn {
    /// The author of the click has moved.
    Author,
    /// Someone else moved first: their username.
    Other(String),
    /// The computer moved first.
    Computer,
    /// Something else changed, such as a takeback or a new round.
    Changed,
}

/// The reason a text isn't a valid move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveRefusal {
    /// A `/move` without a move: the sentence about how to write moves.
    Missing(Phrase),
    /// A text that isn't a move in this game: the text, the sentence about how to write moves, and the nearest legal move.
    NotAMove(String, Phrase, Option<String>),
    /// A wish to pass, by a player who has a legal move.
    Pass,
    /// A cell outside this board: the text, and the range of the board's cells.
    OutsideBoard(String, String),
    /// A move with a piece or a square that this game doesn't have: the text, and the reason.
    OutOfRange(String, String),
    /// An ambiguous move: the text, and the moves it matches.
    Ambiguous(String, Vec<String>),
}

/// The reason a line of conditional moves can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// A text that isn't a valid move.
    Move(MoveRefusal),
    /// An illegal move: the text, and the refusal of the rules.
    Illegal(String, TableRefusal),
    /// A move after the end of the game.
    GameOver,
    /// No answer to the opponent's last move.
    MissingReply,
}

/// A guess at what a player meant. The bot makes only a few of them in a turn, so that it doesn't disturb a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// A move among other words, in canonical notation.
    Move(String),
    /// A move with conditional moves after it: the move in canonical notation.
    MoveThenIf(String),
    /// Several moves, each on a line of its own.
    OneMove,
    /// A move with a draw offer in a game against the computer.
    OfferAlone,
    /// The word of a command that changes something, alone and without its slash: the command.
    MissingSlash(&'static CommandSpec),
    /// A command below the first line: the command.
    NotOnFirstLine(String),
    /// A move by someone who isn't playing: the move in canonical notation, and the side to move.
    MoveWithSlash(String, &'static str),
    /// A move before the author has joined and it's their turn: the open seat.
    JoinFirst(&'static str),
    /// A `yes` or `no` that may not be meant for the opponent's questions: the questions.
    AnswerQuestion(Vec<Question>),
    /// A word with a slash that isn't a command.
    UnknownCommand(String),
}

impl Suggestion {
    /// Returns the maximum number of such suggestions that the bot makes to one person before the table's next event.
    pub fn limit(&self) -> usize {
        if matches!(self, Suggestion::Move(_) | Suggestion::MoveThenIf(_) | Suggestion::OneMove) {
            MAX_MOVE_HINTS
        } else {
            1
        }
    }

    /// Whether an earlier suggestion counts toward the limit of this one.
    pub fn is_like(&self, earlier: &Suggestion) -> bool {
        self == earlier || self.is_move() && earlier.is_move()
    }

    fn is_move(&self) -> bool {
        matches!(
            self,
            Suggestion::Move(_) | Suggestion::MoveThenIf(_) | Suggestion::OneMove | Suggestion::MoveWithSlash(..)
        )
    }
}

/// Implements the conversions from each specific refusal.
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

impl From<InvalidState> for SetupRefusal {
    fn from(invalid: InvalidState) -> SetupRefusal {
        SetupRefusal::InvalidOption(invalid.message.into())
    }
}

// The refusals of a table, as data. `answers/refusal.rs` puts them into words.

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
    /// A command to drop conditional moves by a player who has none.
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
