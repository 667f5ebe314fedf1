//! Texts of refusals: what the bot read, why it refused, and what to do instead.

use std::time::Duration;

use game::contract::Game;
use game::phrase::{Phrase, capitalize, code, either_code, person, phrase, quote, spans};
use games::registry::GameKind;
use table::any_table::{AnyTable, with_table};
use table::decisions::refusal::{LineFault, MoveRefusal, MovedOn, Refusal};
use table::history::Occupant;
use table::ids::IssueNumber;
use table::refusal::TableRefusal;
use table::state_path::StatePath;
use table::table::Table;

use crate::duration::format_duration;
use crate::people::{reserved_for, turn_of};
use crate::sentences;
use crate::suggestion;
use by_command::{command_refusal, constant_phrase, did_you_mean, setup_refusal, unknown_level};
use by_table::table_refusal;

pub(super) mod by_command;
mod by_table;

/// The maximum number of moves to quote before the place where a line is wrong.
const MAX_LINE_MOVES: usize = 6;

/// Returns a refusal as the player reads it. `table` is the table that it was decided for.
pub fn sentence(refusal: &Refusal, table: Option<&AnyTable>) -> Phrase {
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
