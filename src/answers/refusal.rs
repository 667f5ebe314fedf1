//! Refusals in words: the text that was read, the reason, and the way out.

use crate::answers::duration::time;
use crate::decisions::hint::Hint;
use crate::decisions::refusal::{MoveRefusal, Refusal, SetupRefusal};
use crate::game::phrase::{Phrase, Span, code, codes, phrase, spans};
use crate::tables::refusal::TableRefusal;
use crate::talk::command::Unclear;
use crate::talk::comment::Millis;

/// Returns a refusal as the sentences that the player reads.
pub fn sentence(refusal: &Refusal) -> Phrase {
    match refusal {
        Refusal::Unclear(unclear) => unclear_comment(unclear),
        Refusal::Hint(hint) => may_have_meant(hint),
        Refusal::Setup(refusal) => no_table(refusal),
        Refusal::Move(refusal) => no_move(refusal),
        Refusal::Table(refusal) => by_the_table(refusal),
        Refusal::NoTable(issue) => format!("There is no table in issue {issue}.").into(),
        Refusal::Unreadable(issue) => format!(
            "The record of table {issue} can't be used at the moment, so nothing was done there. Whoever keeps this \
             repository has been told."
        )
        .into(),
        Refusal::NoTableYet => fixed(spans![
            "There is no table in this issue yet. " ("/new") " and the game's name as the first line of a comment open one; "
            ("/help") " lists the games."
        ]),
        Refusal::SeatKept(seat, login) => phrase![*seat, " is kept for ", person(login), "."],
        Refusal::Full(seating) => phrase!["There is no open seat at this table: ", seating.clone()],
        Refusal::OnlyPlayers(seating) => phrase!["Only the players can do that here: ", seating.clone()],
        Refusal::OnlyOpener => {
            "Only a maintainer can take this open table to another issue, or whoever opened it while its first game \
            goes on. You can play here like everybody."
                .into()
        }
        Refusal::TooLateToAbort(left) => too_late_to_abort(*left),
        Refusal::Moved(to) => format!("The game of this table goes on in issue #{to}.").into(),
        Refusal::ContinueWhere(table) => {
            let where_ = "The game goes on in the issue in which you ask for it. Open a fresh issue with ";
            phrase![where_, code(format!("/continue #{table}")), " in it."]
        }
        Refusal::IssueTaken(table) => {
            let why = "This issue holds a table of its own. Write that in a fresh issue: ";
            phrase![why, code(format!("/continue #{table}")), "."]
        }
        Refusal::AcceptWhich => fixed(spans![
            "The other side has offered a draw and asked for an undo. Write " ("/draw") " to agree to the draw, or " ("/undo")
            " to grant the undo."
        ]),
        Refusal::NeverMoved(player) => {
            let why = " has made no move in this round, so there is no win to claim. ";
            phrase![player.clone(), why, code("/abort"), " ends the game without a result."]
        }
        Refusal::OthersRematch(player) => {
            let why = "You ended the last round before both of you had moved, so it is for ";
            phrase![why, player.clone(), " to ask for the next one. ", code("/new"), " opens another game."]
        }
        Refusal::NoCost(read, costs) => no_cost(read, costs),
        Refusal::NoLevel(read) => no_level(read),
        Refusal::NotForComputer(player, left) => not_for_computer(player, *left),
        Refusal::NotOver => "The game is still going on. A rematch can start when it has ended.".into(),
        Refusal::PassedOver => {
            "This had to wait, because there were too many commands at once or because the issue took no \
            answer, and the game has gone on. Write it again if you still mean it."
                .into()
        }
        Refusal::RecordFull { open: true } => fixed(spans![
            "The record of this table is full. Anyone can write " ("/abort") " to end this game without a result, then "
            ("/rematch") " to start the next one."
        ]),
        Refusal::RecordFull { open: false } => fixed(spans![
            "The record of this table is full. End the game with " ("/resign") ", then start a " ("/rematch") "."
        ]),
    }
}

/// Returns the refusal of a seat for the computer that somebody has.
fn not_for_computer(player: &Phrase, left: Option<Millis>) -> Phrase {
    let when = match left {
        Some(left) => format!(", and may lose it after another {} of silence.", time(left)),
        None => ". Where a time was agreed on, it has to run out first.".to_owned(),
    };
    phrase!["That seat is not open: ", player.clone(), " has it", when]
}

/// Returns the refusal of a level that there is not.
fn no_level(read: &str) -> Phrase {
    let levels = spans![" is no level of the computer. It has " ("1") " to " ("8") ", or " ("easy") ", " ("medium") ", " ("hard") ", " ("max") "."];
    phrase![quote(read), fixed(levels)]
}

/// Returns the refusal of an abort after both have moved.
fn too_late_to_abort(left: Option<Millis>) -> Phrase {
    let silence = |left| format!(", or either of you when nothing has happened for another {}", time(left));
    let until = left.map(silence);
    let who = "Both of you have moved, so only a maintainer can end this game without a result now";
    phrase![who, until, ". You can ", code("/resign"), " or offer a ", code("/draw"), "."]
}

/// Returns the refusal of words behind `/resign` that name no cost of this game.
fn no_cost(read: &str, costs: &[&str]) -> Phrase {
    let resign = || code("/resign");
    if costs.is_empty() {
        return phrase!["There is nothing to add to ", resign(), " in this game, and ", quote(read), " was added."];
    }
    phrase![quote(read), " is not what this game can cost you now. ", resign(), " goes with ", list(costs), "."]
}

/// Returns the engine's own sentence about a refused move, where the player reads another one.
pub(super) fn engine_words(refusal: &Refusal) -> Option<&str> {
    match refusal {
        Refusal::Table(TableRefusal::Rule { message, explained: Some(_), .. }) => Some(message),
        Refusal::Move(MoveRefusal::OffBoard(_, sentence)) => range(sentence).map(|_| sentence.as_str()),
        _ => None,
    }
}

/// Returns the cells that a board has, of the engine's sentence about one that it does not have.
fn range(sentence: &str) -> Option<&str> {
    let (_, range) = sentence.split_once("Valid range: ")?;
    range.split(' ').next()
}

/// Returns the refusal of a comment that could not be taken as it stands.
fn unclear_comment(unclear: &Unclear) -> Phrase {
    match unclear {
        Unclear::TwoCommands(one, two) => {
            let why = ", so nothing was done. Write one command a comment.";
            phrase!["There are two commands in this comment, ", quote(one), " and ", quote(two), why]
        }
        Unclear::Slip(word, nearest) => {
            let meant = did_you_mean(Some(nearest));
            phrase!["There is no command ", quote(word), ". ", meant, code("/help"), " lists them all."]
        }
        Unclear::Question(word) => {
            phrase![
                "That is a question, so nothing was done. To do it, write ",
                quote(word),
                " without the question mark."
            ]
        }
        Unclear::Words(word, words) => {
            let alone = ", so nothing was done. To do it, write the command alone.";
            phrase![quote(word), " does not know the words ", quote(words), alone]
        }
        Unclear::TableNumber(number) => phrase!["There is no table ", quote(number), ", so nothing was done."],
    }
}

/// Returns the hint to what somebody may have meant.
fn may_have_meant(hint: &Hint) -> Phrase {
    match hint {
        Hint::Move(notation) => {
            phrase!["Did you mean ", code(notation.clone()), "? Then write it on a line of its own."]
        }
        Hint::Slash(command) => {
            let what = match *command {
                "/draw" => "To offer a draw, or accept one,",
                "/undo" => "To ask for your last move back",
                "/resign" => "To resign",
                "/abort" => "To end the game without a result",
                "/rematch" => "To play again",
                "/computer" => "To let the computer play",
                _ => "To do that",
            };
            phrase![what, " write ", code(*command), "."]
        }
        Hint::FirstLine(word) => {
            phrase![
                "A command counts only at the beginning. Write a comment whose first line is ",
                quote(word),
                " and what follows."
            ]
        }
    }
}

/// Returns the refusal of a `/new` that opened no table.
fn no_table(refusal: &SetupRefusal) -> Phrase {
    match refusal {
        SetupRefusal::WhichGame(games) => {
            let example = code(format!("/new {}", games.first().unwrap_or(&"tic-tac-toe")));
            phrase!["Which game? Write for example ", example, ". The games here: ", list(games), "."]
        }
        SetupRefusal::UnknownGame(read, nearest, games) => {
            let (meant, games) = (did_you_mean(*nearest), list(games));
            phrase!["There is no game called ", quote(read), " here. ", meant, "The games here: ", games, "."]
        }
        SetupRefusal::GameNotHere(title, games) => {
            phrase![*title, " is not played in this repository. The games here: ", list(games), "."]
        }
        SetupRefusal::BadOption(sentence) => phrase![sentence.clone(), " Nothing was set up."],
        SetupRefusal::UnknownOption(read, nearest, keys) => {
            let (meant, keys) = (did_you_mean(*nearest), list(keys));
            phrase!["There is no option ", quote(read), ". ", meant, "The options: ", keys, ". Nothing was set up."]
        }
        SetupRefusal::Opponent(read) => {
            let meant = quote(&format!("@{read}"));
            phrase![quote(read), " is no option of this game. Did you mean ", meant, "? Nothing was set up."]
        }
        SetupRefusal::NoLogin(read) => {
            phrase![quote(read), " is no login. Write the opponent as ", code("@login"), "."]
        }
        SetupRefusal::NoSeat(read, seats) => {
            phrase!["There is no seat called ", quote(read), ". The seats are ", list(seats), "."]
        }
        SetupRefusal::NotYourIssue => fixed(spans![
            "Only the author of this issue or a maintainer can open a table in it. Open an issue of your own with " ("/new")
            " and the game's name in it: that is your table."
        ]),
        SetupRefusal::OnlyMaintainers => "Only maintainers open tables in this repository. Ask one of them.".into(),
        SetupRefusal::OpponentIsYou => {
            "You can't play against yourself here. Name somebody else, or leave the name out and \
            the seat is open to anyone."
                .into()
        }
        SetupRefusal::ComputerIsNoAccount(read) => phrase![
            quote(read),
            " is the account of somebody else. The computer is written without an ",
            code("@"),
            ": ",
            code("/new GAME computer"),
            ". Nothing was set up."
        ],
        SetupRefusal::NoLevel(read) => phrase![no_level(read), " Nothing was set up."],
        SetupRefusal::OneOpponent => {
            "There are two seats at a table, so only one opponent fits in. Nothing was set up.".into()
        }
    }
}

/// Returns the refusal of a text that is no move.
fn no_move(refusal: &MoveRefusal) -> Phrase {
    match refusal {
        MoveRefusal::Which(how) => phrase!["Which move? ", how.clone()],
        MoveRefusal::Unread(read, how, nearest) => {
            phrase![quote(read), " is no move of this game. ", did_you_mean(nearest.as_ref()), how.clone()]
        }
        MoveRefusal::OffBoard(read, sentence) => {
            // The engine's sentence ends with what there is; any other says it all.
            match range(sentence) {
                Some(range) => phrase![quote(read), " is not on this board, which has ", code(range.to_owned()), "."],
                None => phrase![quote(read), " does not fit. ", sentence.clone(), "."],
            }
        }
        MoveRefusal::Ambiguous(read, moves) => phrase![quote(read), " could mean ", list(moves), ". Which one?"],
    }
}

/// Returns a refusal of the table that tells what was found there.
fn by_the_table(refusal: &TableRefusal) -> Phrase {
    match refusal {
        TableRefusal::GameOver(ending) => {
            phrase!["This game is over. ", ending.clone(), " ", code("/rematch"), " starts the next one."]
        }
        TableRefusal::NotSeated(seating) => phrase!["You have no seat at this table: ", seating.clone()],
        TableRefusal::SeatTaken(seat, login) => phrase![*seat, " is taken: ", person(login), " sits there."],
        TableRefusal::ComputerSits(seat) => phrase![*seat, " is taken: the computer sits there."],
        TableRefusal::AlreadySeated(seat) => phrase!["You already sit at this table, as ", *seat, "."],
        TableRefusal::NotYourTurn(seat, Some(login)) => {
            phrase!["It is not your turn: ", person(login), " (", *seat, ") is to move."]
        }
        TableRefusal::NotYourTurn(seat, None) => {
            let open = " is to move, and that seat is still open (";
            phrase!["It is not your turn: ", *seat, open, code("/join"), " takes it)."]
        }
        TableRefusal::Rule { message, explained, legal, .. } => {
            let why = match explained {
                Some(explained) => phrase![explained.clone(), ". "],
                None => format!("{message}. ").into(),
            };
            match legal {
                Ok(moves) => phrase![why, "Legal moves: ", list(moves), "."],
                Err(many) => phrase![why, format!("There are {many} legal moves; "), code("/moves"), " lists them."],
            }
        }
        TableRefusal::NotBack(login) => {
            let why = " has not come back for this round yet, and no time runs before they do. ";
            phrase![person(login), why, code("/abort"), " ends the game without a result."]
        }
        TableRefusal::TimeLeft(left) => format!("The other side still has {} for this move.", time(*left)).into(),
        TableRefusal::MovedLately(gap) if *gap > 1 => {
            let why = format!("You made one of the last {gap} moves at this open table. ");
            phrase![why, "Others have to move before you do again, even if you took it back."]
        }
        refusal => by_any_table(refusal),
    }
}

/// Returns a refusal that is the same at every table.
fn by_any_table(refusal: &TableRefusal) -> Phrase {
    let words: &[Span] = match refusal {
        TableRefusal::MovedLately(_) => {
            spans![
                "You made the last move at this open table. Somebody else has to move before you do, even if you took it back."
            ]
        }
        TableRefusal::DrawStands => {
            spans!["A draw has been offered already; the offer stands until either of you moves."]
        }
        TableRefusal::DrawDeclined => {
            spans!["Your offer was declined. You can offer a draw again after your next move."]
        }
        TableRefusal::NoDrawToClaim => spans!["There is no draw to claim now."],
        TableRefusal::ResignStands => {
            spans!["You have offered this game already; the offer stands until either of you moves."]
        }
        TableRefusal::ResignDeclined => spans![
            "Your offer was declined. You can offer the game again after your next move, or name a cost: " ("/resign gammon") "."
        ],
        TableRefusal::NoOffer => spans!["The game can't be given up like that now."],
        TableRefusal::UndoStands => {
            spans!["An undo has been asked for already. The other side grants it with " ("/accept") "."]
        }
        TableRefusal::UndoDeclined => spans!["Your undo was declined. You can ask again after your next move."],
        TableRefusal::NothingToUndo => spans!["You have no move to take back."],
        TableRefusal::NothingToAccept => spans!["The other side has asked for nothing that you could accept."],
        TableRefusal::NothingToDecline => spans!["The other side has asked for nothing that you could decline."],
        TableRefusal::NobodyOpposite => {
            spans!["Nobody has sat down opposite you yet. " ("/abort") " ends the game without a result."]
        }
        TableRefusal::NoClock => spans![
            "There is no limit of time at this table, so no win can be claimed on time. After 30 silent days either of you may "
            ("/abort") "."
        ],
        TableRefusal::OwnClock => spans!["It is your own time that is running."],
        TableRefusal::OpenTable => spans![
            "This is an open table: anyone may " ("/move") ", and nobody speaks for a side. Whoever made the last move can "
            ("/undo") " it, a maintainer can " ("/abort") "."
        ],
        TableRefusal::NoHints => spans![
            "There are no hints between two people. At a table with the computer (" ("/new GAME computer") ") there are."
        ],
        TableRefusal::NoOpenTable => {
            spans!["At this table the sides have players, and the computer moves for neither of them."]
        }
        TableRefusal::NotImported => spans!["Only an imported game can end like this."],
        TableRefusal::NotYourMove => {
            spans!["At an open table only the last move can be taken back, and only by whoever made it."]
        }
        TableRefusal::DiceShown => {
            spans!["Dice have been thrown since that move and everybody has seen them, so it can't be taken back."]
        }
        TableRefusal::SecretLost => spans![
            "The dice of this game can't be thrown, so nothing was changed: they are made with a secret, and the host's "
            ("dice-secret") " is not the one that this game began with. Ask the host to restore it, then write this again; or a \
             maintainer ends the game with " ("/abort") "."
        ],
        // All but the first are told by `by_the_table`, with what was found; a new one has to find its words.
        TableRefusal::TableTaken
        | TableRefusal::GameOver(_)
        | TableRefusal::NotSeated(_)
        | TableRefusal::SeatTaken(..)
        | TableRefusal::ComputerSits(_)
        | TableRefusal::AlreadySeated(_)
        | TableRefusal::NotYourTurn(..)
        | TableRefusal::Rule { .. }
        | TableRefusal::NotBack(_)
        | TableRefusal::TimeLeft(_) => {
            spans!["A game is going on at this table. Finish it first, or open another issue for another game."]
        }
    };
    words.into()
}

/// Returns sentences in which no word depends on the case.
fn fixed(words: &[Span]) -> Phrase {
    words.into()
}

fn quote(text: &str) -> Span {
    Span::Quote(text.to_owned())
}

fn person(login: &str) -> Span {
    Span::Person(login.to_owned())
}

fn list(texts: &[impl AsRef<str>]) -> Phrase {
    codes(texts, ", ")
}

/// Returns a question for the nearest name, with a space behind it; `None` if there is no such name.
fn did_you_mean(nearest: Option<impl AsRef<str>>) -> Option<Phrase> {
    nearest.map(|nearest| phrase!["Did you mean ", code(nearest.as_ref().to_owned()), "? "])
}
