//! Texts of refusals: what the bot read, why it refused, and what to do instead.

use std::time::Duration;

use game::contract::Game;
use game::phrase::{Phrase, Span, capitalize, code, either_code, join_code, phrase, spans};
use games::registry::GameKind;
use table::any_table::{AnyTable, with_table};
use table::decisions::refusal::{InvalidTableOption, LineFault, MoveRefusal, MovedOn, Refusal, SetupRefusal};
use table::history::Occupant;
use table::refusal::TableRefusal;
use table::table::Table;
use table::talk::command::CommandError;

use crate::duration::format_duration;
use crate::people::{reserved_for, turn_of};
use crate::sentences;
use crate::suggestion;
use by_table::table_refusal;

mod by_table;

/// The most moves that name the place of a fault in a line.
const MAX_LINE_MOVES: usize = 6;

/// Returns a refusal as the player reads it. `table` is the table that it was decided for.
pub fn sentence(refusal: &Refusal, table: Option<&AnyTable>) -> Phrase {
    let seating = || table.map(|table| with_table!(table, table => sentences::seating(table)));
    let player = |seat| table.map(|table| with_table!(table, table => sentences::player(table, seat)));
    match refusal {
        Refusal::Command(error) => command_refusal(error),
        Refusal::Suggestion(suggestion) => suggestion::sentence(suggestion),
        Refusal::Setup(refusal) => setup_refusal(refusal),
        Refusal::Move(refusal) => phrase![move_refusal(refusal), table.and_then(open_turn)],
        Refusal::Line(before, fault) => line_refusal(before, fault),
        Refusal::MovedOn(why) => moved_on(why, table),
        Refusal::UnknownTurn => "This game hasn't reached that turn. Leave the round and the turn out to move now.".into(),
        Refusal::Table(refusal) => table_refusal(refusal, table),
        Refusal::UnknownTable(issue) => format!("There's no game in issue {issue}.").into(),
        Refusal::UnreadableRecord(issue) => format!(
            "The bot can't read the record of table {issue} right now, so nothing changed there. It told the host of this \
             repository."
        )
        .into(),
        Refusal::NoTableYet => constant_phrase(spans![
            "There's no game in this issue yet. To start one, write " ("/new") " and a game's name on the first line of a comment; "
            ("/help") " lists the games."
        ]),
        Refusal::SeatReserved(seat, login) => phrase![reserved_for(&capitalize(seat), person(login)), "."],
        Refusal::SeatJustTaken(login) => {
            phrase![person(login), " took the seat a moment before you. ", code("/new"), " in a new issue opens your own table."]
        }
        Refusal::NoFreeSeat => phrase!["This game has no open seat. ", seating()],
        Refusal::OnlyPlayers => phrase!["Only the players can do that. ", seating()],
        Refusal::OnlyOpener => {
            "Only a maintainer can move this open game to another issue. Until the first round ends, the person who started \
            it can, too."
                .into()
        }
        Refusal::TooLateToAbort(left) => too_late_to_abort(*left),
        Refusal::TableMoved(to) => format!("This game continues in issue #{to}.").into(),
        Refusal::ContinueInOwnIssue(table) => {
            let how = "You can only move a game to another issue. Open a new issue that says ";
            phrase![how, code(format!("/continue #{table}")), "."]
        }
        Refusal::IssueHasTable(table) => {
            let why = "This issue already has a game. Open a new issue that says ";
            phrase![why, code(format!("/continue #{table}")), "."]
        }
        Refusal::AmbiguousAccept => constant_phrase(spans![
            "Your opponent offered a draw and asked for a takeback. To accept the draw, write " ("/draw")
            ". To accept the takeback, write " ("/undo") "."
        ]),
        Refusal::OpponentNeverMoved(loser) => {
            let why = " hasn't moved in this round, so you can't claim a win. To end the game without a result, write ";
            phrase![player(*loser), why, code("/abort"), "."]
        }
        Refusal::OpponentMustRematch(other) => {
            let why = "You ended the last round before both of you had moved, so only ";
            let new = " can ask for a rematch. To start another game, open a new issue with ";
            phrase![why, player(*other), new, code("/new"), "."]
        }
        Refusal::UnknownCost(typed, stakes) => unknown_cost(typed, stakes),
        Refusal::UnknownLevel(typed) => unknown_level(typed),
        Refusal::InvalidAway(typed) => phrase![
            "I couldn't read ",
            quote(typed),
            " as a time away. Write ",
            code("/away 14d"),
            " for up to 35 days, or ",
            code("/away off"),
            "."
        ],
        Refusal::SeatNotFree(seat, left) => seat_not_free(player(*seat), *left),
        Refusal::GameNotOver => "This game isn't over yet. You can ask for a rematch when it is.".into(),
        Refusal::ReviewOfRunningGame => {
            phrase!["This game isn't over yet. When it is, ", code("/review"), " shows the turning points."]
        }
        Refusal::NothingToReview => "This game ended without a result or a move, so there is nothing to review.".into(),
        Refusal::Superseded => {
            "There were too many commands at once, or the bot couldn't reply here, so this one had to wait and the game \
            has moved on. If you still want to do this, write it again."
                .into()
        }
        Refusal::RecordFull { open: true } => constant_phrase(spans![
            "This game's record is full. Anyone can write " ("/abort") " to end the game without a result, then "
            ("/rematch") " to play again."
        ]),
        Refusal::RecordFull { open: false } => constant_phrase(spans![
            "This game's record is full. End the game with " ("/resign") ", then write " ("/rematch") "."
        ]),
    }
}

/// Returns the refusal of a link's move that comes too late.
fn moved_on(why: &MovedOn, table: Option<&AnyTable>) -> Phrase {
    let why = match why {
        MovedOn::Author => "You've already moved.".into(),
        MovedOn::Other(login) => phrase![person(login), " moved first."],
        MovedOn::Computer => "The computer moved first.".into(),
        MovedOn::Changed => "The game has changed since then.".into(),
    };
    phrase![why, table.map(|table| with_table!(table, table => turn_now(table)))]
}

/// Returns whose turn it is at an open table, where the author of a move has no side; `None` at other tables.
fn open_turn(table: &AnyTable) -> Option<Phrase> {
    with_table!(table, table => table.terms().open.map(|_| format!(" It's {}'s turn.", side_to_move(table)).into()))
}

fn side_to_move<G: Game>(table: &Table<G>) -> String {
    G::INFO.side_name(table.player_to_move())
}

fn turn_now<G: Game>(table: &Table<G>) -> Phrase {
    let seat = table.player_to_move();
    let side = G::INFO.side_name(seat);
    match table.occupant(seat) {
        Some(Occupant { computer: None, login, .. }) => {
            phrase![" ", turn_of(login, &side), " now."]
        }
        _ => format!(" It's {side}'s turn now.").into(),
    }
}

/// Returns the refusal to give the computer a seat that a player has. `left` is the time until the computer may take it,
/// in milliseconds.
fn seat_not_free(player: Option<Phrase>, left: Option<Duration>) -> Phrase {
    let when = match left {
        Some(left) => format!(" The computer can take over if they stay silent for another {}.", format_duration(left)),
        None => " If there's a time limit, it has to run out first.".to_owned(),
    };
    phrase!["That seat isn't open: ", player, " has it.", when]
}

/// Returns the refusal of an unknown computer level, as typed.
fn unknown_level(typed: &str) -> Phrase {
    let levels = spans![". Pick " ("1") " to " ("8") ", or " ("easy") ", " ("medium") ", " ("hard") ", " ("max") "."];
    phrase!["There's no level ", quote(typed), constant_phrase(levels)]
}

/// Returns the refusal of `/abort` after both players have moved.
fn too_late_to_abort(left: Option<Duration>) -> Phrase {
    let until =
        left.map(|left| format!(" If nothing happens for another {}, either of you can.", format_duration(left)));
    let who = "Both of you have moved, so only a maintainer can end this game without a result.";
    phrase![who, until, " You can ", code("/resign"), " or offer a ", code("/draw"), "."]
}

/// Returns the refusal of unknown stakes after `/resign`.
fn unknown_cost(typed: &str, stakes: &[&str]) -> Phrase {
    let resign = || code("/resign");
    let asked = typed.trim_end_matches('?').trim_end().to_lowercase();
    if asked.len() < typed.len() && stakes.contains(&asked.as_str()) {
        let command = code(format!("/resign {asked}"));
        return phrase!["Was that a question? Write ", command, " without the question mark."];
    }
    if stakes.is_empty() {
        return phrase!["I don't understand ", quote(typed), ". To resign, write just ", resign(), "."];
    }
    phrase![
        quote(typed),
        " isn't a cost you can resign at now. After ",
        resign(),
        " you can write ",
        either_code(stakes),
        "."
    ]
}

/// Extracts the valid range from the engine's message about a cell outside the board.
fn valid_range(sentence: &str) -> Option<&str> {
    let (_, range) = sentence.split_once("Valid range: ")?;
    range.split(' ').next()
}

/// Returns the refusal of a comment that isn't a valid command.
pub(super) fn command_refusal(error: &CommandError) -> Phrase {
    match error {
        CommandError::TwoCommands(one, two) => {
            let how = ", so the bot did neither. Write one command per comment.";
            phrase!["This comment has two commands, ", quote(one), " and ", quote(two), how]
        }
        CommandError::Typo(word, nearest) if nearest == "/help" => {
            phrase!["There's no command ", quote(word), ". ", code("/help"), " lists the games and all commands."]
        }
        CommandError::Typo(word, nearest) => {
            let question = did_you_mean(Some(nearest));
            phrase!["There's no command ", quote(word), ". ", question, code("/help"), " lists all commands."]
        }
        CommandError::Unknown(word) => {
            phrase!["There's no command ", quote(word), ". ", code("/help"), " lists all commands."]
        }
        CommandError::Question(word) => {
            phrase!["Was that a question? To do it, write ", quote(word), " without the question mark."]
        }
        CommandError::InTitle(title) => {
            phrase!["The bot doesn't read titles. Write ", quote(title), " as a comment here."]
        }
        CommandError::ExtraWords(word, words) if word == "/rematch" => {
            let how = ". A rematch keeps the options of the last game. For other options, write ";
            phrase!["I don't understand ", quote(words), " after ", quote(word), how, code("/new"), "."]
        }
        CommandError::ExtraWords(word, words) => {
            phrase!["I don't understand ", quote(words), " after ", quote(word), ". Write just ", quote(word), "."]
        }
        CommandError::TooLong(word) => {
            let how = " is too long. Write a shorter line, or several comments.";
            phrase!["The line after ", quote(word), how]
        }
        CommandError::InvalidTableNumber(number) => phrase!["There's no issue ", quote(number), "."],
    }
}

/// Returns the refusal of a `/new` command.
fn setup_refusal(refusal: &SetupRefusal) -> Phrase {
    match refusal {
        SetupRefusal::MissingGame(games) => {
            let example = code(format!("/new {}", games.first().unwrap_or(&"tic-tac-toe")));
            phrase!["Which game? For example, write ", example, ". You can play ", list(games), "."]
        }
        SetupRefusal::UnknownGame(typed, nearest, games) => {
            let (question, games) = (did_you_mean(*nearest), list(games));
            phrase!["There's no game called ", quote(typed), " here. ", question, "You can play ", games, "."]
        }
        SetupRefusal::GameNotAllowed(title, games) => {
            phrase![*title, " isn't played in this repository. You can play ", list(games), "."]
        }
        SetupRefusal::InvalidOption(sentence) => phrase![sentence.clone(), " No game was started."],
        SetupRefusal::InvalidTableOption(option) => phrase![table_option_refusal(*option), " No game was started."],
        SetupRefusal::MissingValue(key) => {
            phrase![code(key.clone()), " needs a value after ", code("="), ". No game was started."]
        }
        SetupRefusal::UnknownOption(typed, nearest, keys) => {
            let (question, keys) = (did_you_mean(*nearest), list(keys));
            phrase![
                "There's no option ",
                quote(typed),
                ". ",
                question,
                "The options are ",
                keys,
                ". No game was started."
            ]
        }
        SetupRefusal::OpponentWithoutAt(typed) => {
            let mention = quote(&format!("@{typed}"));
            phrase![
                "There's no option ",
                quote(typed),
                ". To invite a player with that name, write ",
                mention,
                ". No game was started."
            ]
        }
        SetupRefusal::InvalidLogin(typed) => {
            phrase![quote(typed), " isn't a valid username. Write your opponent as ", code("@username"), "."]
        }
        SetupRefusal::UnknownSeat(typed, seats) => {
            phrase!["There's no side called ", quote(typed), ". The sides are ", join_code(seats, " and "), "."]
        }
        SetupRefusal::TwoSides(seats) => {
            let [first, second, random] = [seats[0], seats[1], "random"].map(|side| code(format!("as={side}")));
            let why = "You can only play one side. Write ";
            phrase![why, first, ", ", second, ", or ", random, ". No game was started."]
        }
        SetupRefusal::NotYourIssue => constant_phrase(spans![
            "Only this issue's author or a maintainer can start a game here. Open your own issue that says " ("/new")
            " and a game's name."
        ]),
        SetupRefusal::OnlyMaintainers => "Only maintainers can start games in this repository. Ask one of them.".into(),
        SetupRefusal::OpponentIsYou => {
            "You can't play against yourself. Name someone else, or leave out the name so that anyone can join.".into()
        }
        SetupRefusal::ComputerMention(typed) => phrase![
            quote(typed),
            " is someone's account. To play the computer, leave out the ",
            code("@"),
            ": ",
            code("/new GAME computer"),
            ". No game was started."
        ],
        SetupRefusal::OpponentIsBot(typed) => phrase![
            quote(typed),
            " is a bot that doesn't play. To play the computer, write ",
            code("/new GAME computer"),
            ". No game was started."
        ],
        SetupRefusal::OpponentIsOrganization(typed) => {
            phrase![quote(typed), " is an organization, and only people can play. No game was started."]
        }
        SetupRefusal::OpponentIsMissing(typed) => {
            phrase!["There's no account called ", quote(typed), ". Check the spelling. No game was started."]
        }
        SetupRefusal::UnknownLevel(typed) => phrase![unknown_level(typed), " No game was started."],
        SetupRefusal::TwoOpponents => "These are games for two, so name just one opponent. No game was started.".into(),
    }
}

/// Returns the refusal of an option that all games have.
fn table_option_refusal(option: InvalidTableOption) -> Phrase {
    let words: &[Span] = match option {
        InvalidTableOption::OpenWithPlayers => spans![
            "Nobody has a seat in an open game, so you can't combine " ("seats=open") " with an opponent, " ("as") ", or "
            ("per-move") "."
        ],
        InvalidTableOption::TimeLimitWithComputer => {
            spans!["Games against the computer have no time limit, so leave out " ("per-move") "."]
        }
        InvalidTableOption::LevelWithoutComputer => spans![("level") " only works in games against the computer."],
        InvalidTableOption::Rated => spans![("rated") " has to be " ("yes") " or " ("no") "."],
        InvalidTableOption::Seats => spans![
            ("seats") " has to be " ("open") " (anyone can move for either side) or " ("named") " (two players)."
        ],
        InvalidTableOption::Gap(most) => {
            let range = format!(" has to be a number from 0 to {most} and only works with ");
            return phrase![code("gap"), range, code("seats=open"), "."];
        }
        InvalidTableOption::PerMove => spans![
            ("per-move") " has to be a time from " ("1m") " to " ("366d") " in minutes, hours, days, or weeks. For example, write "
            ("per-move=7d") "."
        ],
        InvalidTableOption::Bank => spans![
            ("bank") " has to be a time from " ("1m") " to " ("366d") " in minutes, hours, days, or weeks. For example, write "
            ("per-move=3d bank=14d") "."
        ],
        InvalidTableOption::BankWithoutPerMove => spans![
            "A " ("bank") " adds to the time for each move, so give both. For example, write " ("per-move=3d bank=14d") "."
        ],
    };
    words.into()
}

/// Returns the refusal of text that isn't a move.
fn move_refusal(refusal: &MoveRefusal) -> Phrase {
    match refusal {
        MoveRefusal::Missing(how) => phrase!["Which move? ", how.clone()],
        MoveRefusal::NotAMove(typed, how, _) if let Some(kind) = kind_with_verb(typed) => {
            phrase![
                code(format!("/{typed}")),
                format!(" is only for {}. ", kind.info().title.to_lowercase()),
                how.clone()
            ]
        }
        MoveRefusal::NotAMove(typed, how, nearest) => {
            phrase!["I couldn't read ", quote(typed), " as a move. ", did_you_mean(nearest.as_ref()), how.clone()]
        }
        MoveRefusal::OutOfRange(typed, sentence) => {
            // The engine's message about a cell names the valid range. Other messages are complete.
            match valid_range(sentence) {
                Some(range) => phrase![quote(typed), " isn't on this board, which has ", code(range.to_owned()), "."],
                None => phrase!["You can't play ", quote(typed), ". ", sentence.clone(), "."],
            }
        }
        MoveRefusal::Ambiguous(typed, moves) => phrase![quote(typed), " is ambiguous. Write ", either_code(moves), "."],
    }
}

/// Returns the refusal of a line of conditional moves, with the place.
fn line_refusal(before: &[String], fault: &LineFault) -> Phrase {
    let place = || {
        let last = &before[before.len().saturating_sub(MAX_LINE_MOVES)..];
        code(format!("{}{}", if last.len() < before.len() { "… " } else { "" }, last.join(" ")))
    };
    match fault {
        LineFault::Move(refusal) if before.is_empty() => move_refusal(refusal),
        LineFault::Move(refusal) => phrase!["After ", place(), ": ", move_refusal(refusal)],
        LineFault::Illegal(typed, refusal) => {
            let when = if before.is_empty() {
                " isn't legal now. ".into()
            } else {
                phrase![" isn't legal after ", place(), ". "]
            };
            let why = match refusal {
                TableRefusal::IllegalMove { explanation: Some(explained), .. } => phrase![explained.clone(), "."],
                TableRefusal::IllegalMove { message, .. } => format!("{message}.").into(),
                refusal => table_refusal(refusal, None),
            };
            phrase![quote(typed), when, why]
        }
        LineFault::GameOver => phrase!["The game is over after ", place(), ", so nothing can follow."],
        LineFault::MissingReply => {
            let how = ". Write each of your opponent's moves with your reply: ";
            phrase!["Your reply is missing after ", place(), how, code("/if MOVE REPLY, MOVE REPLY"), "."]
        }
    }
}

/// Returns the game that has a verb, which another game couldn't read as a move.
fn kind_with_verb(typed: &str) -> Option<GameKind> {
    GameKind::ALL.iter().copied().find(|kind| kind.info().verb(typed).is_some())
}

/// Converts constant text to a phrase.
fn constant_phrase(words: &[Span]) -> Phrase {
    words.into()
}

pub(super) fn quote(text: &str) -> Span {
    Span::Quote(text.to_owned())
}

fn person(login: &str) -> Span {
    Span::Person(login.to_owned())
}

fn list(texts: &[impl AsRef<str>]) -> Phrase {
    join_code(texts, ", ")
}

/// Returns "Did you mean …? " with a trailing space; `None` without a nearest name.
fn did_you_mean(nearest: Option<impl AsRef<str>>) -> Option<Phrase> {
    nearest.map(|nearest| phrase!["Did you mean ", code(nearest.as_ref().to_owned()), "? "])
}
