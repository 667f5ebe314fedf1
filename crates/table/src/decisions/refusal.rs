//! The refusals of commands. Each is one row: its data, its sentence for players, and, if a record can have it, its words for
//! the host.
//!
//! Texts from a comment are raw in the data, and the sentences quote them.

use std::time::Duration;

use game::{Level, Phrase, Seat, Span, by_place, capitalize, either_code, person, plain, quote, say};
use games::GameKind;

use crate::comments::command::CommandSpec;
use crate::timestamp::format_duration;
use crate::{
    ANY, ClockRefusal, ConditionalRefusal, CrowdRefusal, ExtensionRefusal, InvalidTableOption, IssueNumber, MAX_DAYS,
    NudgeRefusal, OfferRefusal, Question, SeatRefusal, SetupRefusal, StatePath, TableRefusal, UserId,
};

/// The maximum number of moves that the bot suggests to a player in a turn.
const MAX_MOVE_HINTS: usize = 3;
/// The maximum number of moves to quote before the place where a line is wrong.
const MAX_LINE_MOVES: usize = 6;

/// Defines an enum of refusals by rows: `Name(field: Type) => "Sentence with {field}.", "words for the host";`
///
/// The sentence is one for [`say!`], or a block if the data decides between several. The host's words, formatted by
/// `Display`, say why an event in a record can't have happened. `with` names what the sentences depend on.
macro_rules! refusals {
    ($(#[$doc:meta])* $refusal:ident $(with $context:ident: $context_type:ty)? {
        $($(#[$row:meta])* $name:ident $(($($field:ident: $type:ty),+))? => $players:tt;)+
    }) => {
        $(#[$doc])*
        pub enum $refusal {
            $($(#[$row])* $name $(($($type),+))?,)+
        }

        impl $refusal {
            /// Returns the refusal as the player reads it.
            pub fn sentence(&self $(, $context: $context_type)?) -> Phrase {
                match self {
                    $($refusal::$name $(($($field),+))? => sentence!($players),)+
                }
            }
        }
    };
    ($(#[$doc:meta])* $refusal:ident {
        $($(#[$row:meta])* $name:ident $(($($field:ident: $type:ty),+))? => $players:tt, $host:literal;)+
    }) => {
        refusals! { $(#[$doc])* $refusal { $($(#[$row])* $name $(($($field: $type),+))? => $players;)+ } }

        impl std::fmt::Display for $refusal {
            #[allow(unused_variables)]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $($refusal::$name $(($($field),+))? => write!(f, $host),)+
                }
            }
        }
    };
}

/// Returns the sentence of a row.
macro_rules! sentence {
    ($sentence:literal) => {
        say!($sentence)
    };
    ($sentences:block) => {
        $sentences
    };
}

pub(super) use {refusals, sentence};

/// Implements the conversions from specific refusals.
macro_rules! conversions {
    ($($refusal:ident: $($kind:ident($part:ty)),+;)+) => {
        $($(impl From<$part> for $refusal {
            fn from(refusal: $part) -> $refusal {
                $refusal::$kind(refusal)
            }
        })+)+
    };
}

conversions! {
    Refusal: Command(CommandError), Setup(SetupRefusal), Move(MoveRefusal), Table(TableRefusal), Suggestion(Suggestion);
    SetupRefusal: InvalidTableOption(InvalidTableOption);
    TableRefusal: Seat(SeatRefusal), Offer(OfferRefusal), Clock(ClockRefusal), Nudge(NudgeRefusal),
        Extension(ExtensionRefusal), Conditional(ConditionalRefusal), Crowd(CrowdRefusal);
}

refusals! {
    /// The reason the bot changed nothing. `player` returns a player with their side.
    #[derive(Clone, Debug, PartialEq, Eq)]
    Refusal with player: &dyn Fn(&Seat) -> Phrase {
        /// A command with an error.
        Command(error: CommandError) => "{error:CommandError::sentence}";
        /// A chat comment that looks like an attempted move or command.
        Suggestion(suggestion: Suggestion) => "{suggestion:Suggestion::sentence}";
        /// A `/new` that can't open a table.
        Setup(refusal: SetupRefusal) => "{refusal:SetupRefusal::sentence}";
        /// A text that isn't a valid move.
        Move(refusal: MoveRefusal) => "{refusal:MoveRefusal::sentence}";
        /// A line of conditional moves that can't be read: the moves before the wrong one in canonical notation, and the reason.
        Line(before: Vec<String>, fault: Box<LineFault>) => { fault.sentence(&last_moves(before)) };
        /// One of several lines of conditional moves that can't be read: the line, the moves before the wrong one, and the reason.
        OneOfLines(line: String, before: Vec<String>, fault: Box<LineFault>) => { say!(
            "The bot prepared nothing, because it couldn't read the line {line:quote}. {fault}",
            fault = fault.sentence(&last_moves(before)),
        ) };
        /// A line of conditional moves that is longer than the lines that the bot reads, below an `/if`: its beginning.
        LongLine(line: String) => "The line that begins with {line:quote} is too long, so the bot prepared nothing. Write a \
            shorter line.";
        /// A line of conditional moves below other words: the line.
        LineBelowChat(line: String) => "The bot prepared nothing, because {line:quote} is below other words. Write all lines \
            directly below `/if`.";
        /// A command to drop all lines, with other lines below it.
        DropWithLines => "`/if none` drops all your lines, so write it in a comment of its own.";
        /// A link's move after the table has changed.
        MovedOn(why: MovedOn) => "{why:MovedOn::sentence}";
        /// A move for a turn that the table hasn't reached.
        UnknownTurn => "This game hasn't reached that turn. Leave the round and the turn out to move now.";
        /// A command that the table forbids.
        Table(refusal: TableRefusal) => "{refusal:TableRefusal::sentence}";
        /// A command for a table that does not exist.
        UnknownTable(issue: IssueNumber) => "There's no game in issue {issue}.";
        /// A command for a table whose record is unreadable: the table's number.
        UnreadableRecord(issue: IssueNumber) => "The bot can't read the record of table {issue} right now, so nothing \
            changed there. It told the host of this repository.";
        /// A command for a table whose record doesn't belong to this repository: the table's number.
        ForeignRecord(issue: IssueNumber) => "The record of game {issue} seems to be from another repository, so nothing is \
            played here. To continue its games here, the host can run `play-by-commit adopt`.";
        /// A command that depends on a person's time away, whose file is damaged.
        UnreadableAway(person: UserId) => { say!(
            "The bot can't read this repository's file `{file}`, which says when a player is away, so nothing changed. It \
            told the host of this repository.",
            file = StatePath::Away(*person),
        ) };
        /// A command that its author wrote into an old comment.
        LateEdit => "You edited that comment more than five minutes after you posted it, so it doesn't count. Post a new \
            comment instead.";
        /// A seat that is reserved for someone else: the seat and their username.
        SeatReserved(seat: &'static str, login: String) => { reserved_for(&capitalize(seat), &person(login)) };
        /// A `/join` at an open table.
        NoSeatsToJoin => "Anyone can move in this game, so you don't need to join. Just write your move.";
        /// A `/join` when every seat is taken.
        NoFreeSeat => "This game has no open seat.";
        /// A move or a `join` for a seat that someone else took a moment earlier: their username.
        SeatJustTaken(login: String) => "{login:person} took the seat a moment before you. `/new` in a new issue opens your \
            own table.";
        /// An `/accept` when the opponent has made two requests.
        AmbiguousAccept => "Your opponent offered a draw and asked for a takeback. To accept the draw, write `/draw`. To \
            accept the takeback, write `/undo`.";
        /// An abort after both players have moved: the time of silence until it is allowed; `None` if it never is.
        TooLateToAbort(left: Option<Duration>) => { match left {
            Some(left) => say!(
                "Both of you have moved, so only a maintainer can end this game without a result. If nothing happens for \
                another {time}, either of you can. You can `/resign` or offer a `/draw`.",
                time = format_duration(*left),
            ),
            None => say!(
                "Both of you have moved, so only a maintainer can end this game without a result. You can `/resign` or \
                offer a `/draw`."
            ),
        } };
        /// An abort after both sides have moved, in a game against the computer.
        ResignFirst => "You and the computer have both moved, so only a maintainer can end this game without a result. To start \
            again, write `/resign`, then `/rematch`.";
        /// A claim in a game without a time limit, after a long silence of the opponent.
        LongSilence(silent: Duration) => { say!(
            "Nobody has moved for {time}, so you can `/abort`, or write `/computer` to play on against the computer.",
            time = format_duration(*silent),
        ) };
        /// A claim against an opponent who hasn't moved in this round: the opponent's seat.
        OpponentNeverMoved(loser: Seat) => "{loser:player} hasn't moved in this round, so you can't claim a win. To end the \
            game without a result, write `/abort`.";
        /// A rematch requested by the player who ended the last round before both had moved: the seat that may ask for it.
        OpponentMustRematch(other: Seat) => "You ended the last round before both of you had moved, so only {other:player} can \
            ask for a rematch. To start another game, open a new issue with `/new`.";
        /// A resignation at a cost that isn't available: the text, and the available costs.
        UnknownCost(typed: String, costs: &'static [&'static str]) => {
            let asked = typed.trim_end_matches('?').trim_end().to_lowercase();
            if asked.len() < typed.len() && costs.contains(&asked.as_str()) {
                say!("Was that a question? Write `/resign {asked}` without the question mark.")
            } else if costs.is_empty() {
                say!("I don't understand {typed:quote}. To resign, write just `/resign`.")
            } else {
                say!("{typed:quote} isn't a cost you can resign at now. After `/resign` you can write {costs:either_code}.")
            }
        };
        /// An unknown level of the computer: the text, and the game.
        UnknownLevel(typed: String, kind: GameKind) => { unknown_level(typed, *kind) };
        /// A `/computer` for a seat that is someone else's: the seat, and the time of silence until the computer may take
        /// it; `None` if silence doesn't free the seat.
        SeatNotFree(seat: Seat, left: Option<Duration>) => { match left {
            Some(left) => say!(
                "That seat isn't open: {seat:player} has it. The computer can take over if they stay silent for another \
                {time}.",
                time = format_duration(*left),
            ),
            None => say!(
                "That seat isn't open: {seat:player} has it. If there's a time limit, it has to run out first."
            ),
        } };
        /// A rematch during a game.
        GameNotOver => "This game isn't over yet. You can ask for a rematch when it is.";
        /// A review of a game that isn't over.
        ReviewOfRunningGame => "This game isn't over yet. When it is, `/review` shows the turning points.";
        /// A review of a game without a result, or without moves.
        NothingToReview => "This game ended without a result or a move, so there is nothing to review.";
        /// A command that takes a maintainer, by someone whose permission isn't known.
        UnknownPermission => "GitHub didn't tell the bot whether you're a maintainer of this repository. Write this again \
            later.";
        /// A command that only players may use.
        OnlyPlayers => "Only the players can do that.";
        /// A `/continue` at an open table by someone who didn't open it.
        OnlyOpener => "Only a maintainer can move this open game to another issue. Until the first round ends, the person who \
            started it can, too.";
        /// A command at a table that moved to another issue: the number of that issue.
        TableMoved(to: IssueNumber) => "This game continues in issue #{to}.";
        /// A `/continue` in the table's own issue: the number of the table.
        ContinueInOwnIssue(table: IssueNumber) => "You can only move a game to another issue. Open a new issue that says \
            `/continue #{table}`.";
        /// A `/continue` in an issue that already has a table: the number of the table to move.
        IssueHasTable(table: IssueNumber) => "This issue already has a game. Open a new issue that says `/continue #{table}`.";
        /// A command that was delayed by a rate limit or a locked issue until the game had moved ahead.
        Superseded => "There were too many commands at once, or the bot couldn't reply here, so this one had to wait and the \
            game has moved on. If you still want to do this, write it again.";
        /// An `/away` with words that aren't a time: the words.
        InvalidAway(typed: String) => "I couldn't read {typed:quote} as a time away. Write `/away 14d` for up to 35 days, or \
            `/away off`.";
        /// An `/extend` without a time of at least a day: the words after it.
        InvalidExtension(typed: String) => { match typed.as_str() {
            "" => say!("How much time do you want to give your opponent? For three days, write `/extend 3d`."),
            _ => say!("I couldn't read {typed:quote} as a number of days or weeks. Write `/extend 3d`."),
        } };
        /// An event that doesn't fit in the record of an open table.
        OpenRecordFull => "This game's record is full. Anyone can write `/abort` to end the game without a result, then \
            `/rematch` to play again.";
        /// An event that doesn't fit in the record.
        RecordFull => "This game's record is full. End the game with `/resign`, then write `/rematch`.";
    }
}

refusals! {
    /// An error in a command. Texts are kept as the author wrote them.
    #[derive(Clone, Debug, PartialEq, Eq)]
    CommandError {
        /// More than one command in a comment: the first two words.
        TwoCommands(one: String, two: String) => "This comment has two commands, {one:quote} and {two:quote}, so the bot did \
            neither. Write one command per comment.";
        /// A typo in a command: the word, and the nearest command.
        Typo(word: String, nearest: String) => { match nearest.as_str() {
            "/help" => say!("There's no command {word:quote}. `/help` lists the games and all commands."),
            // Without a table, `/help` alone says nothing.
            "/new" => say!("There's no command {word:quote}. Did you mean `/new`?"),
            _ => say!("There's no command {word:quote}. Did you mean `{nearest}`? `/help` lists all commands."),
        } };
        /// A word with a slash that isn't a command, or close to one.
        Unknown(word: String) => "There's no command {word:quote}. `/help` lists all commands.";
        /// A question mark after a command that changes something: the word.
        Question(word: String) => "Was that a question? To do it, write {word:quote} without the question mark.";
        /// Extra words after a command that changes something: the command and the words.
        ExtraWords(word: String, words: String) => {
            if word == "/rematch" {
                say!(
                    "I don't understand {words:quote} after {word:quote}. A rematch keeps the options of the last game. For \
                    other options, write `/new`."
                )
            } else {
                say!("I don't understand {words:quote} after {word:quote}. Write just {word:quote}.")
            }
        };
        /// A `/new` in the title of an issue without a text: the title. Others can change a title, so it never starts a game.
        InTitle(title: String) => "The bot doesn't read titles. Write {title:quote} as a comment here.";
        /// An `/if` that is longer than the lines that the bot reads: the command's word.
        TooLong(word: String) => "The line after {word:quote} is too long. Write a shorter line.";
        /// A number after `#` that can't be a table's, as the author wrote it.
        InvalidTableNumber(number: String) => "There's no issue {number:quote}.";
    }
}

refusals! {
    /// The reason an `/away` is refused. `login` is the person's username.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    AwayRefusal with login: &str {
        /// The absence is too long: the number of whole days that the person has left.
        TooLong(left: u32) => { match left {
            0 => say!("{login:person}: You've used all your {MAX_DAYS} days away in 365 days, so your clocks run."),
            left => say!(
                "{login:person}: You can be away for {MAX_DAYS} days in 365, and you have {left} {days} left. Write \
                `/away {left}d`.",
                days = if *left == 1 { "day" } else { "days" },
            ),
        } };
        /// The person wants to come back and isn't away.
        NotAway => "{login:person}: You aren't away, so your clocks are already running.";
    }
}

refusals! {
    /// The reason a link's move comes too late.
    #[derive(Clone, Debug, PartialEq, Eq)]
    MovedOn {
        /// The author of the click has moved.
        Author => "You've already moved.";
        /// Someone else moved first: their username.
        Other(login: String) => "{login:person} moved first.";
        /// The computer moved first.
        Computer => "The computer moved first.";
        /// Something else changed, such as a takeback or a new round.
        Changed => "The game has changed since then.";
    }
}

refusals! {
    /// The reason a text isn't a valid move.
    #[derive(Clone, Debug, PartialEq, Eq)]
    MoveRefusal {
        /// A `/move` without a move: the sentence about how to write moves.
        Missing(how: Phrase) => "Which move? {how}";
        /// A text that isn't a move in this game: the text, the sentence about how to write moves, and the nearest legal move.
        NotAMove(typed: String, how: Phrase, nearest: Option<String>) => {
            match GameKind::ALL.iter().find(|kind| kind.info().verb(typed).is_some()) {
                // Another game's verb.
                Some(kind) => say!(
                    "`/{typed}` is only for {game}. {how}",
                    game = kind.info().title.to_lowercase(),
                ),
                None => {
                    let yes = |nearest: &String| {
                        let in_terminal = say!("Did you mean `{nearest}`? ");
                        by_place(in_terminal, say!("Did you mean `{nearest}`? To play it, write `yes`. "))
                    };
                    say!("I couldn't read {typed:quote} as a move. {nearest}{how}", nearest = nearest.as_ref().map(yes))
                }
            }
        };
        /// A wish to pass, by a player who has a legal move.
        Pass => "You have a move, so you can't pass. `/moves` lists your moves.";
        /// A cell outside this board: the text, and the range of the board's cells.
        OutsideBoard(typed: String, range: String) => { outside_board(typed, range) };
        /// A move with a piece or a square that this game doesn't have: the text, and the reason.
        OutOfRange(typed: String, reason: String) => "You can't play {typed:quote}. {reason:plain}.";
        /// An ambiguous move: the text, and the moves it matches.
        Ambiguous(typed: String, moves: Vec<String>) => "{typed:quote} is ambiguous. Write {moves:either_code}.";
    }
}

refusals! {
    /// The reason a line of conditional moves can't be read. `place` is the moves before the fault; empty at the beginning.
    #[derive(Clone, Debug, PartialEq, Eq)]
    LineFault with place: &str {
        /// A text that isn't a valid move.
        Move(refusal: MoveRefusal) => {
            if place.is_empty() {
                refusal.sentence()
            } else {
                say!("After `{place}`: {refusal:MoveRefusal::sentence}")
            }
        };
        /// An illegal move: the text, and the refusal of the rules.
        Illegal(typed: String, refusal: TableRefusal) => {
            let why = match refusal {
                TableRefusal::IllegalMove(_, Some(explanation), _) => say!("{explanation}."),
                TableRefusal::IllegalMove(message, ..) => say!("{message:plain}."),
                refusal => refusal.sentence(),
            };
            if place.is_empty() {
                say!("{typed:quote} isn't legal now. {why}")
            } else {
                say!("{typed:quote} isn't legal after `{place}`. {why}")
            }
        };
        /// A move after the end of the game.
        GameOver => "The game is over after `{place}`, so nothing can follow.";
        /// An answer to any other move that isn't legal after one of them: the text.
        NeverLegal(typed: String) => {
            match place.strip_suffix(ANY).map(str::trim_end) {
                None | Some("") => say!("{typed:quote} isn't legal after any of your opponent's moves."),
                Some(place) => say!("{typed:quote} isn't legal after `{place}` and any of your opponent's moves."),
            }
        };
        /// A move after an answer to any other move.
        AfterAny => "Nothing can follow `{place}`, because the position after it isn't known yet.";
        /// A resignation after any other move.
        ResignAfterAny => "To resign whatever your opponent plays, write `/resign` now.";
        /// A word such as `else` after the beginning of a line: the word.
        ElseInLine(typed: String) => "{typed:quote} can only begin a line. For any other move after `{place}`, write `any`.";
        /// No answer to the opponent's last move.
        MissingReply => "Your answer is missing after `{place}`. Write each of your opponent's moves with your answer: \
            `/if THEIR-MOVE YOUR-MOVE`.";
    }
}

refusals! {
    /// A guess at what a player meant. The bot makes only a few of them in a turn, so that it doesn't disturb a chat.
    #[derive(Clone, Debug, PartialEq, Eq)]
    Suggestion {
        /// A move among other words, in canonical notation.
        Move(notation: String) => "Did you mean `{notation}`? To play it, write `yes`, or put just the move on the first line.";
        /// A move with conditional moves after it: the move in canonical notation.
        MoveThenIf(notation: String) => "Did you mean `{notation}`? To play it, write `yes`. Then prepare your next answers in \
            another comment: `/if THEIR-MOVE YOUR-MOVE`.";
        /// Several moves, each on a line of its own.
        OneMove => "There's more than one move here. Put just your move on the first line.";
        /// A move with a draw offer in a game against the computer.
        OfferAlone => "To offer the computer a draw, write `/draw` in a comment of its own. It answers before you move.";
        /// The word of a command that changes something, alone and without its slash: the command.
        MissingSlash(command: &'static CommandSpec) => { say!(
            "{purpose}, write `{word}`.",
            purpose = command.purpose(),
            word = command.word(),
        ) };
        /// A command below the first line: the command.
        NotOnFirstLine(word: String) => "Commands only work on the first line. Post a comment that starts with {word:quote}.";
        /// A move by someone who isn't playing: the move in canonical notation, the side to move, and what to write.
        GuestMove(notation: String, side: &'static str, text: String) => "To play `{notation}` for {side:capitalize}, write just \
            `{text}`.";
        /// A move before the author has joined and it's their turn: the open seat.
        JoinFirst(side: &'static str) => "{side:capitalize} doesn't move yet. Write `/join` to take the open seat.";
        /// A question about playing, by someone without a seat: the open seat.
        AskedToJoin(side: &'static str) => "To play {side:capitalize}, write `/join`.";
        /// A `yes` or `no` that may not be meant for the opponent's questions: the questions.
        AnswerQuestion(questions: Vec<Question>) => { match questions.as_slice() {
            [Question::Invitation] => say!("To play, write `/join`. To decline the invitation, write `/decline`."),
            [Question::Draw] => say!("To accept the draw, write `/accept`. To decline it, write `/decline`."),
            [Question::Takeback] => say!("To allow the takeback, write `/accept`. To decline it, write `/decline`."),
            [Question::Resignation] => {
                say!("To accept the resignation, write `/accept`. To decline it, write `/decline`.")
            }
            [Question::Proposal] => say!("To accept, write `/accept`. To refuse, write `/decline`."),
            [Question::Proposal, ..] => say!(
                "Your opponent has asked you more than one thing. First answer the double with `/take` or `/drop`, or the \
                other question with `/accept` or `/decline`."
            ),
            _ => say!(
                "Your opponent has asked you more than one thing. To accept the draw, write `/draw`; to allow the takeback, \
                write `/undo`; to decline everything, write `/decline`."
            ),
        } };
        /// A comment that the bot doesn't understand, in a game against the computer.
        NotUnderstood => "I didn't understand that. `/moves` lists your moves, `/board` shows the board, and `/help` explains what \
            you can write.";
        /// A word with a slash that isn't a command.
        UnknownCommand(word: String) => { CommandError::Unknown(word.clone()).sentence() };
    }
}

impl Suggestion {
    /// Whether another attempt in other words gets this suggestion again. Only players get such suggestions.
    pub fn is_repeated(&self) -> bool {
        matches!(
            self,
            Suggestion::MissingSlash(_)
                | Suggestion::AnswerQuestion(_)
                | Suggestion::NotOnFirstLine(_)
                | Suggestion::OfferAlone
        )
    }

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
            Suggestion::Move(_) | Suggestion::MoveThenIf(_) | Suggestion::OneMove | Suggestion::GuestMove(..)
        )
    }
}

// Sentences that several refusals share.

/// Returns who may take a reserved seat. A terminal has no invitations.
pub fn reserved_for(side: &str, person: &Span) -> Phrase {
    by_place(say!("{person} plays {side:plain}."), say!("{side:plain} is reserved for {person}."))
}

/// Returns the computer's levels in a game.
pub fn level_names(kind: GameKind) -> Phrase {
    if kind.lowest_level() == Level::LEARNING {
        say!("`0` to `8`, or `learning`, `easy`, `medium`, `hard`, `max`")
    } else {
        say!("`1` to `8`, or `easy`, `medium`, `hard`, `max`")
    }
}

/// Returns a sentence about a level that a game doesn't have.
pub(super) fn unknown_level(typed: &str, kind: GameKind) -> Phrase {
    say!("There's no level {typed:quote}. Pick {names}.", names = level_names(kind))
}

/// Returns a sentence about a cell or a column outside this board. `range` is the first and the last one.
fn outside_board(typed: &str, range: &str) -> Phrase {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    match (first, last.as_bytes()) {
        ("a", [letter @ b'a'..=b'z']) => {
            let count = letter - b'a' + 1;
            say!("There's no column {typed:quote}: use `{first}` to `{last}`, or `1` to `{count}`.")
        }
        _ => say!("{typed:quote} isn't on this board: use `{first}` to `{last}`."),
    }
}

/// Returns a question with a trailing space; `None` without a nearest name.
pub(super) fn did_you_mean(nearest: &Option<impl AsRef<str>>) -> Option<Phrase> {
    nearest.as_ref().map(|nearest| say!("Did you mean `{name}`? ", name = nearest.as_ref()))
}

/// Returns the last moves before the place where a line is wrong.
fn last_moves(before: &[String]) -> String {
    let last = &before[before.len().saturating_sub(MAX_LINE_MOVES)..];
    format!("{}{}", if last.len() < before.len() { "… " } else { "" }, last.join(" "))
}
