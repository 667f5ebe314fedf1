//! Texts of refusals: what the bot read, why it refused, and what to do instead.

pub(crate) mod by_command;

use std::time::Duration;

use game::{
    Game, Phrase, Seat, Span, capitalize, code, either_code, join_code, person, phrase, quote, spans, without_prompt,
};
use games::GameKind;
use table::timestamp::format_deadline;
use table::{
    AnyTable, ClockRefusal, ConditionalRefusal, IssueNumber, LineFault, MAX_LINES_PER_TURN, MAX_MOVES, MoveRefusal,
    MovedOn, Occupant, OfferRefusal, Refusal, SeatRefusal, StatePath, Table, TableRefusal, with_table,
};

use crate::refusal::by_command::{command_refusal, constant_phrase, did_you_mean, setup_refusal, unknown_level};
use crate::sentences::{after_name, format_duration, reserved_for, side_after, turn_of};
use crate::{conditional_moves, sentences};

/// The maximum number of moves to quote before the place where a line is wrong.
const MAX_LINE_MOVES: usize = 6;

/// Returns a refusal as the player reads it. `table` is the table that it was decided for.
pub fn sentence(refusal: &Refusal, table: Option<&AnyTable>) -> Phrase {
    let player = |seat| table.map(|table| with_table!(table, table => sentences::player(table, seat)));
    match refusal {
        Refusal::Command(error) => command_refusal(error),
        Refusal::Suggestion(suggestion) => conditional_moves::sentence(suggestion),
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
        Refusal::ForeignRecord(issue) => phrase![
            format!("The record of game {issue} seems to be from another repository, so nothing is played here. To continue its \
                games here, the host can run "),
            code("play-by-commit adopt"),
            "."
        ],
        Refusal::UnreadableAway(person) => format!(
            "The bot can't read this repository's file `{}`, which says when a player is away, so nothing changed. It told \
             the host of this repository.",
            StatePath::Away(*person)
        )
        .into(),
        Refusal::LateEdit => {
            "You edited that comment more than five minutes after you posted it, so it doesn't count. Post a new comment \
            instead."
                .into()
        }
        Refusal::SeatReserved(seat, login) => phrase![reserved_for(&capitalize(seat), person(login)), "."],
        Refusal::SeatJustTaken(login) => {
            phrase![person(login), " took the seat a moment before you. ", code("/new"), " in a new issue opens your own table."]
        }
        Refusal::NoFreeSeat => phrase!["This game has no open seat. ", table.map(seating)],
        Refusal::UnknownPermission => {
            "GitHub didn't tell the bot whether you're a maintainer of this repository. Write this again later.".into()
        }
        Refusal::OnlyPlayers => phrase!["Only the players can do that. ", table.map(seating)],
        Refusal::OnlyOpener => {
            "Only a maintainer can move this open game to another issue. Until the first round ends, the person who started \
            it can, too."
                .into()
        }
        Refusal::TooLateToAbort(left) => too_late_to_abort(*left),
        Refusal::TableMoved(to) => format!("This game continues in issue #{to}.").into(),
        Refusal::ContinueInOwnIssue(table) => continue_elsewhere("You can only move a game to another issue.", *table),
        Refusal::IssueHasTable(table) => continue_elsewhere("This issue already has a game.", *table),
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
        Refusal::InvalidAway(typed) => invalid_away(typed),
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
        Refusal::RecordFull { open } => record_full(*open),
    }
}

fn seating(table: &AnyTable) -> Phrase {
    with_table!(table, table => sentences::seating(table))
}

/// Returns the refusal to move a game to this issue, and how to move it to another.
fn continue_elsewhere(why: &'static str, table: IssueNumber) -> Phrase {
    phrase![why, " Open a new issue that says ", code(format!("/continue #{table}")), "."]
}

fn invalid_away(typed: &str) -> Phrase {
    let [days, off] = ["/away 14d", "/away off"].map(code);
    phrase!["I couldn't read ", quote(typed), " as a time away. Write ", days, " for up to 35 days, or ", off, "."]
}

fn record_full(is_open: bool) -> Phrase {
    if is_open {
        constant_phrase(spans![
            "This game's record is full. Anyone can write " ("/abort") " to end the game without a result, then "
            ("/rematch") " to play again."
        ])
    } else {
        constant_phrase(spans![
            "This game's record is full. End the game with " ("/resign") ", then write " ("/rematch") "."
        ])
    }
}

/// Returns the refusal of a move from an outdated link.
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

/// Returns the refusal to give the computer a seat that a player has. `left` is the time until the computer may take
/// it.
fn seat_not_free(player: Option<Phrase>, left: Option<Duration>) -> Phrase {
    let when = match left {
        Some(left) => format!(" The computer can take over if they stay silent for another {}.", format_duration(left)),
        None => " If there's a time limit, it has to run out first.".to_owned(),
    };
    phrase!["That seat isn't open: ", player, " has it.", when]
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
        MoveRefusal::Pass => phrase!["You have a move, so you can't pass. ", code("/moves"), " lists your moves."],
        MoveRefusal::OutsideBoard(typed, range) => {
            phrase![quote(typed), " isn't on this board, which has ", code(range.clone()), "."]
        }
        MoveRefusal::OutOfRange(typed, sentence) => {
            phrase!["You can't play ", quote(typed), ". ", sentence.clone(), "."]
        }
        MoveRefusal::Ambiguous(typed, moves) => phrase![quote(typed), " is ambiguous. Write ", either_code(moves), "."],
    }
}

/// Returns the refusal of a line of conditional moves, which names the place of the fault.
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

// Texts of refusals by the rules of a table.

/// Returns how to end the game for a player who can't leave it.
fn way_out(table: &AnyTable) -> Phrase {
    let counts = with_table!(table, table => Seat::BOTH.into_iter().all(|seat| table.timeline().has_moved(seat)));
    if counts {
        phrase!["To resign, write ", code("/resign"), "."]
    } else {
        phrase!["To end the game without a result, write ", code("/abort"), "."]
    }
}

/// Returns a refusal by the rules of a table. `table` is the table that it was decided for.
fn table_refusal(refusal: &TableRefusal, table: Option<&AnyTable>) -> Phrase {
    let words: &[Span] = match refusal {
        TableRefusal::GameInProgress => {
            spans!["There's already a game in this issue. Finish it first, or open another issue for a new game."]
        }
        TableRefusal::GameOver => {
            let ending = table.map(|table| with_table!(table, table => sentences::ending(table)));
            let rematch = without_prompt(phrase![" To play again, write ", code("/rematch"), "."]);
            return phrase!["This game is over. ", ending, rematch];
        }
        TableRefusal::Seat(refusal) => return seat_refusal(refusal, table),
        TableRefusal::NotYourTurn(seat, login) => return not_your_turn(seat, login.as_deref()),
        TableRefusal::IllegalMove { message, explanation, legal_moves, .. } => {
            let why = explanation.clone().unwrap_or_else(|| message.clone().into());
            let how = match legal_moves {
                Some(moves) => phrase!["Legal moves: ", join_code(moves, ", "), "."],
                None => phrase![code("/moves"), " lists what you can play."],
            };
            return phrase![why, ". ", how, table.and_then(open_turn)];
        }
        TableRefusal::Offer(refusal) => return offer_refusal(*refusal),
        TableRefusal::DiceRolled => {
            spans!["You can't take that move back, because dice have been rolled since and everyone has seen them."]
        }
        TableRefusal::NoOptionalRolls => spans![
            "Only games of backgammon with the doubling cube wait for you to " ("/roll") "."
        ],
        TableRefusal::AutoRollUnchanged => {
            spans!["Automatic rolls are already like that. You can turn them on once before each of your moves."]
        }
        TableRefusal::Clock(refusal) => return clock_refusal(*refusal),
        TableRefusal::NoHints => spans![
            "You only get hints in games against the computer (" ("/new GAME computer") ")."
        ],
        TableRefusal::NotAtOpenTable => spans![
            "Nobody can resign or offer a draw in an open game. Anyone can " ("/move") ", the person who made the last move can "
            ("/undo") " it, and a maintainer can " ("/abort") "."
        ],
        TableRefusal::OnlyAtOpenTable => spans!["The computer only moves for you in open games."],
        TableRefusal::MovedRecently(..=1) => spans!["You made the last move. Wait until someone else has moved."],
        TableRefusal::MovedRecently(gap) => {
            return format!("You made one of the last {gap} moves. Wait until other people have moved.").into();
        }
        TableRefusal::NotYourMove => {
            spans!["In an open game you can only take back the last move, and only if you made it."]
        }
        TableRefusal::NotImported => spans!["Only an imported game can end like this."],
        TableRefusal::SecretLost => spans![
            "The bot can't roll the dice, because the host's " ("dice-secret") " has changed since this game began. Ask the host \
             to restore it, then write this again. A maintainer can also " ("/abort") " the game."
        ],
        TableRefusal::Conditional(refusal) => return conditional_refusal(*refusal),
    };
    words.into()
}

/// Returns a refusal because of the author's seat.
fn seat_refusal(refusal: &SeatRefusal, table: Option<&AnyTable>) -> Phrase {
    match refusal {
        SeatRefusal::NotSeated => {
            let seating = table.map(|table| with_table!(table, table => sentences::seating(table)));
            phrase!["You aren't playing in this game. ", seating]
        }
        SeatRefusal::Taken(seat, login) => {
            phrase![person(login.clone()), after_name(login, " are", " is"), " already playing ", capitalize(seat), "."]
        }
        SeatRefusal::Computer(seat) => phrase!["The computer is already playing ", capitalize(seat), "."],
        SeatRefusal::AlreadySeated(seat) => phrase!["You're already playing ", capitalize(seat), " in this game."],
        SeatRefusal::NotGuest => {
            phrase!["You can only leave a game that you joined at an open seat. ", table.map(way_out)]
        }
        SeatRefusal::TooLateToLeave => {
            phrase![
                "You can't leave now. You can leave only once, and only before the game continues. ",
                table.map(way_out)
            ]
        }
        SeatRefusal::NoOpponent => {
            phrase!["You don't have an opponent yet. To end the game without a result, write ", code("/abort"), "."]
        }
        SeatRefusal::OpponentNotBack(login) => {
            let why =
                " hasn't come back for this round, so you can't do that yet. To end the game without a result, write ";
            phrase![person(login.clone()), why, code("/abort"), "."]
        }
    }
}

/// Returns the refusal of a move out of turn.
fn not_your_turn(seat: &str, login: Option<&str>) -> Phrase {
    let seat = capitalize(seat);
    match login {
        Some(login) => {
            let moves = after_name(login, " move next.", " moves next.");
            phrase!["It isn't your turn yet: ", person(login), side_after(login, &seat), moves]
        }
        None => {
            let open = " moves next, and that seat is still open. Anyone can take it with ";
            phrase!["It isn't your turn yet: ", seat, open, code("/join"), "."]
        }
    }
}

/// Returns the refusal of an offer, a takeback or a resignation.
fn offer_refusal(refusal: OfferRefusal) -> Phrase {
    let words: &[Span] = match refusal {
        OfferRefusal::DrawAlreadyOffered => {
            spans!["You already offered a draw. Your offer stands until your opponent moves."]
        }
        OfferRefusal::DrawDeclined => {
            spans!["Your opponent declined your offer. You can offer a draw again after you have both moved twice."]
        }
        OfferRefusal::NoDrawToClaim => spans!["You can't claim a draw right now."],
        OfferRefusal::TakebackAlreadyAsked => {
            spans!["You already asked for a takeback. Your opponent can " ("/accept") " it."]
        }
        OfferRefusal::TakebackDeclined => {
            spans!["Your opponent declined the takeback. You can ask again after your next move."]
        }
        OfferRefusal::NothingToTakeBack => spans!["You have no move to take back."],
        OfferRefusal::ResignAlreadyOffered => {
            spans!["There's already an offer to concede this game. It stands until one of you moves."]
        }
        OfferRefusal::ResignDeclined => spans![
            "Your opponent declined your offer. You can offer again after your next move, or name a cost: " ("/resign gammon") "."
        ],
        OfferRefusal::InvalidCost => spans!["You can't resign at that cost right now."],
        OfferRefusal::NothingToAccept => spans!["There's nothing to accept right now."],
        OfferRefusal::NothingToDecline => spans!["There's nothing to decline right now."],
    };
    words.into()
}

/// Returns the refusal of a claim.
fn clock_refusal(refusal: ClockRefusal) -> Phrase {
    let words: &[Span] = match refusal {
        ClockRefusal::NoTimeLimit => spans![
            "This game has no time limit, so you can't win on time. After 30 days of silence, either of you can " ("/abort") "."
        ],
        ClockRefusal::OwnTimeRunning => spans!["It's your own clock that's running."],
        ClockRefusal::TimeLeft { left, deadline } => {
            let from = format_deadline(deadline)
                .map_or(phrase!["."], |from| phrase![". From ", from, " on, ", code("/claim"), " wins the game."]);
            return phrase![format!("Your opponent still has {}", format_duration(left)), from];
        }
    };
    words.into()
}

/// Returns the refusal of conditional moves.
fn conditional_refusal(refusal: ConditionalRefusal) -> Phrase {
    let words: &[Span] = match refusal {
        ConditionalRefusal::Dice => spans!["You can't announce moves in a game with dice."],
        ConditionalRefusal::OpenTable => spans!["You can't announce moves in an open game, because anyone can move."],
        ConditionalRefusal::Computer => {
            spans!["You can't announce moves against the computer, because it moves at once."]
        }
        ConditionalRefusal::OwnTurn => spans![
            "It's your turn, so write your move. You can announce your reply with " ("/if") " while your opponent is to move."
        ],
        ConditionalRefusal::TooManyMoves => {
            let how = format!("Your lines would have more than {MAX_MOVES} moves. To drop them all, write ");
            return phrase![how, code("/if none"), "."];
        }
        ConditionalRefusal::TooManyLines => {
            return format!("You've already written {MAX_LINES_PER_TURN} lines. Wait until your opponent has moved.")
                .into();
        }
        ConditionalRefusal::NothingToDrop => spans!["You have no conditional moves to drop."],
        ConditionalRefusal::LongRecord => spans!["This game's record is too long for conditional moves."],
        // Only a record can have such a line.
        ConditionalRefusal::InvalidLine => spans!["This line isn't legal."],
    };
    words.into()
}
