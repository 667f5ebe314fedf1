//! Texts of refusals of comments that aren't a valid command, and of `/new`.

use game::{Phrase, Span, code, join_code, phrase, quote, spans};
use table::{CommandError, InvalidTableOption, SetupRefusal};

/// Returns the refusal of a comment that isn't a valid command.
pub(crate) fn command_refusal(error: &CommandError) -> Phrase {
    match error {
        CommandError::TwoCommands(one, two) => {
            let how = ", so the bot did neither. Write one command per comment.";
            phrase!["This comment has two commands, ", quote(one), " and ", quote(two), how]
        }
        CommandError::Typo(word, nearest) if nearest == "/help" => {
            phrase!["There's no command ", quote(word), ". ", code("/help"), " lists the games and all commands."]
        }
        // Without a table, `/help` alone says nothing.
        CommandError::Typo(word, nearest) if nearest == "/new" => {
            phrase!["There's no command ", quote(word), ". Did you mean ", code("/new"), "?"]
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

/// The end of a refusal of `/new`.
const NO_GAME: &str = ". No game was started.";

/// Returns the refusal of a `/new` command.
pub(super) fn setup_refusal(refusal: &SetupRefusal) -> Phrase {
    match refusal {
        SetupRefusal::MissingGame(games) => {
            let example = code(format!("/new {}", games.first().unwrap_or(&"tic-tac-toe")));
            phrase!["Which game? For example, write ", example, ". You can play ", join_code(games, ", "), "."]
        }
        SetupRefusal::UnknownGame(typed, nearest, games) => {
            let (question, games) = (did_you_mean(*nearest), join_code(games, ", "));
            phrase!["There's no game called ", quote(typed), " here. ", question, "You can play ", games, "."]
        }
        SetupRefusal::GameNotAllowed(title, games) => {
            phrase![*title, " isn't played in this repository. You can play ", join_code(games, ", "), "."]
        }
        SetupRefusal::InvalidOption(sentence) => phrase![sentence.clone(), " No game was started."],
        SetupRefusal::InvalidTableOption(option) => phrase![table_option_refusal(*option), " No game was started."],
        SetupRefusal::MissingValue(key) => {
            phrase![code(key.clone()), " needs a value after ", code("="), NO_GAME]
        }
        SetupRefusal::UnknownOption(typed, nearest, keys) => {
            let (question, keys) = (did_you_mean(*nearest), join_code(keys, ", "));
            phrase!["There's no option ", quote(typed), ". ", question, "The options are ", keys, NO_GAME]
        }
        SetupRefusal::OpponentWithoutAt(typed) => {
            let (how, mention) = (". To invite a player with that name, write ", quote(format!("@{typed}")));
            phrase!["There's no option ", quote(typed), how, mention, NO_GAME]
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
            phrase![why, first, ", ", second, ", or ", random, NO_GAME]
        }
        SetupRefusal::NotYourIssue => constant_phrase(spans![
            "Only this issue's author or a maintainer can start a game here. Open your own issue that says " ("/new")
            " and a game's name."
        ]),
        SetupRefusal::OnlyMaintainers => "Only maintainers can start games in this repository. Ask one of them.".into(),
        SetupRefusal::OpponentIsYou => {
            "You can't play against yourself. Name someone else, or leave out the name so that anyone can join.".into()
        }
        SetupRefusal::ComputerMention(typed) => {
            let why = " is someone's account. To play the computer, leave out the ";
            phrase![quote(typed), why, code("@"), ": ", code("/new GAME computer"), NO_GAME]
        }
        SetupRefusal::OpponentIsBot(typed) => {
            let why = " is a bot that doesn't play. To play the computer, write ";
            phrase![quote(typed), why, code("/new GAME computer"), NO_GAME]
        }
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

/// Returns the refusal of an unknown computer level, as typed.
pub(super) fn unknown_level(typed: &str) -> Phrase {
    let levels = spans![". Pick " ("1") " to " ("8") ", or " ("easy") ", " ("medium") ", " ("hard") ", " ("max") "."];
    phrase!["There's no level ", quote(typed), constant_phrase(levels)]
}

/// Returns "Did you mean …? " with a trailing space; `None` without a nearest name.
pub(super) fn did_you_mean(nearest: Option<impl AsRef<str>>) -> Option<Phrase> {
    nearest.map(|nearest| phrase!["Did you mean ", code(nearest.as_ref().to_owned()), "? "])
}

/// Converts constant text to a phrase.
pub(super) fn constant_phrase(words: &[Span]) -> Phrase {
    words.into()
}
