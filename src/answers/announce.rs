//! Decisions become Markdown: answers, commit messages, and the hidden first line by which answers are known.
//!
//! This is the only place where a stranger's text is quoted. Everything that comes from a comment goes through [`span`];
//! logins have been checked to be logins before they reach a table.

use crate::answers::{board, help};
use crate::decisions::decision::Show;
use crate::decisions::house::HouseRules;
use crate::game::contract::Game;
use crate::game::seat::Seat;
use crate::game::time::time;
use crate::tables::any::{AnyTable, with_table};
use crate::tables::history::{Event, What, seat_name};
use crate::tables::refusal::Refusal;
use crate::tables::table::{Table, TableStatus};
use crate::talk::comment::Author;

pub use crate::answers::help::{command_table, game_table};
pub use crate::answers::markdown::{code, list, name, span};
pub use crate::answers::marker::Marker;
pub use crate::answers::message::message;
pub use crate::game::notation::cut;

/// How long an answer may be, in bytes. A comment holds 65,536 characters.
pub const MAX_ANSWER: usize = 60_000;

/// How an answer shows a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look<'a> {
    /// As text, with the colours of a terminal or without.
    Text {
        /// With colours.
        coloured: bool,
    },
    /// As the picture that was committed with the record, and as text for whoever unfolds it.
    Picture {
        /// The address of the state directory at a commit that has both: `https://github.com/owner/name/blob/COMMIT/state`.
        at: &'a str,
    },
}

/// The answer to an accepted command, from the record alone: it says what happened last and how the table stands.
#[must_use]
pub fn announce(table: &AnyTable, look: Look<'_>) -> String {
    with_table!(table, record => {
        let sentence = match record.status {
            TableStatus::Playing => format!("{}{} {}", happened(record), came_of(record), standing(record, mentions(record))),
            _ => format!("{}{}", ended(record), rematch(record)),
        };
        format!("{sentence}\n\n{}{}{}", board::board(table, &sentence, look), welcome(record), proof(record))
    })
}

/// The answer to a refused command, with the board of the table it was meant for, if it was meant for one.
#[must_use]
pub fn refuse(refusal: &Refusal, author: &Author, table: Option<&AnyTable>, look: Look<'_>) -> String {
    let sentence = format!("{}: {refusal}", name(&author.login));
    let folded = table.and_then(|table| board::folded(table, look));
    folded.map_or(sentence.clone(), |board| format!("{sentence}\n\n{board}"))
}

/// The answer to a command that only shows something.
#[must_use]
pub fn show(show: &Show, table: Option<&AnyTable>, house: &HouseRules, look: Look<'_>) -> String {
    match (show, table) {
        (Show::Help(Some(kind)), _) => help::help_game(kind.info()),
        (Show::Help(None), _) | (_, None) => help::help(house),
        (Show::Board, Some(table)) => {
            let sentence = with_table!(table, record => standing(record, false));
            format!("{sentence}\n\n{}", board::board(table, &sentence, look)).trim_end().to_owned()
        }
        (Show::Moves, Some(table)) => with_table!(table, record => moves(record)),
        (Show::History, Some(table)) => with_table!(table, record => history(record)),
    }
}

/// Whoever sits at a seat, with the seat: "**alice** (X)".
fn player<G: Game>(record: &Table<G>, seat: Seat) -> String {
    let seat_name = seat_name::<G>(seat);
    record.sitter(seat).map_or(seat_name.to_owned(), |sitter| format!("{} ({seat_name})", name(&sitter.login)))
}

/// Whoever did something, with the seat they did it for.
fn doer<G: Game>(record: &Table<G>, event: &Event<G>) -> String {
    match (event.seat, record.terms.open.and_then(|_| record.login_of(event.by))) {
        (Some(seat), Some(login)) => format!("{} ({})", name(login), seat_name::<G>(seat.0)),
        (Some(seat), None) => player(record, seat.0),
        (None, _) => "A maintainer".to_owned(),
    }
}

/// Only the answer to a move mentions anyone: the player who is to move.
fn mentions<G: Game>(record: &Table<G>) -> bool {
    matches!(
        record.history.last().map(|event| &event.what),
        Some(What::Move { .. } | What::Resign | What::MovedHere { .. })
    )
}

/// What the last event has brought about, if it was one that could.
fn came_of<G: Game>(record: &Table<G>) -> String {
    match record.history.last().map(|event| &event.what) {
        Some(What::New { .. } | What::Move { .. } | What::Resign) => record.also(),
        _ => String::new(),
    }
}

/// What the last event was, as a sentence.
fn happened<G: Game>(record: &Table<G>) -> String {
    let Some(event) = record.history.last() else { return String::new() };
    let who = doer(record, event);
    let other = event.seat.map_or(String::new(), |seat| player(record, seat.0.other()));
    match &event.what {
        What::New { .. } => opened(record, &who),
        What::Join => format!("{who} sits down."),
        What::Move { notation, mv } => format!("{who} {}.", played::<G>(notation, mv)),
        What::OfferDraw => format!("{who} offers a draw. {other} can `/accept` or `/decline`; any move refuses it."),
        What::AcceptDraw => format!("{who} accepts the draw."),
        What::Decline => format!("{who} declines. The game goes on."),
        What::AskUndo => {
            format!(
                "{who} asks to take their last move back. {other} can `/accept` or `/decline`; any move refuses it."
            )
        }
        What::Undo { plies } => {
            let agrees = event.seat.is_some_and(|seat| record.is_seated(seat.0.other()));
            let deed = if agrees { "agrees to the undo" } else { "takes the last move back" };
            format!(
                "{who} {deed}: {} undone.",
                if *plies == 1 { "one ply is".to_owned() } else { format!("{plies} plies are") }
            )
        }
        What::Resign => format!("{who} resigns this game."),
        What::Abort => format!("{who} ends the game."),
        What::Claim => format!("{who} claims the win on time."),
        What::MovedHere { from } if event.seat.is_none() => format!("The game of issue #{from} goes on here."),
        What::MovedHere { from } => format!("{who} takes the game of issue #{from} here, and it goes on."),
        What::MovedAway { to } => format!("{who} takes the game to issue #{to}."),
    }
}

/// A move as the deed of somebody: "plays `b2`".
fn played<G: Game>(notation: &str, mv: &G::Move) -> String {
    G::deed(mv).map_or_else(|| format!("plays {}", code(notation)), str::to_owned)
}

/// What ended the game, as a sentence.
fn ended<G: Game>(record: &Table<G>) -> String {
    match record.history.last() {
        Some(event @ Event { what: What::Move { notation, mv }, .. }) => {
            let who = doer(record, event);
            let mover = event.seat.map(|seat| seat.0);
            let how = match record.status {
                TableStatus::Won(winner) if Some(winner) == mover => "and wins.".to_owned(),
                TableStatus::Won(winner) => format!("and {} wins.", player(record, winner)),
                _ => "and the game is a draw.".to_owned(),
            };
            format!("{who} {} {how}{}", played::<G>(notation, mv), record.also())
        }
        _ => record.ending(),
    }
}

fn opened<G: Game>(record: &Table<G>, who: &str) -> String {
    let game = G::INFO.name;
    let setup = G::setup(&record.config).map_or(String::new(), |setup| format!(" ({setup})"));
    let round = if record.round > 1 { format!("Round {}: ", record.round) } else { String::new() };
    if record.terms.open.is_some() {
        return format!("{round}An open game of {game}{setup} begins. {}", record.seating());
    }
    format!("{round}{who} opens a game of {game}{setup}. {}", record.seating())
}

/// Who is to move and what they face, or how the game ended.
fn standing<G: Game>(record: &Table<G>, mention: bool) -> String {
    if record.status != TableStatus::Playing {
        return format!("{}{}", record.ending(), rematch(record));
    }
    let seat = record.to_move();
    let seat_name = seat_name::<G>(seat);
    let turn = match record.sitter(seat) {
        Some(sitter) if sitter.id.is_some() && mention => format!("@{} ({seat_name}) is to move.", sitter.login),
        Some(sitter) => format!("{} ({seat_name}) is to move.", name(&sitter.login)),
        None if record.terms.open.is_some() => format!("{seat_name} is to move: `/move` plays."),
        None => format!("{seat_name} is to move, and the seat is open: `/move` takes it and plays."),
    };
    let limit =
        record.terms.per_move.filter(|_| record.is_seated(seat)).map(|limit| format!("They have {}.", time(limit)));
    [Some(turn), limit, record.game().turn_hint()].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// What can be done after the end.
fn rematch<G: Game>(record: &Table<G>) -> &'static str {
    match record.terms.open {
        _ if !record.is_over() => "",
        Some(_) => " `/rematch` plays again.",
        None => " `/rematch` plays again with the seats swapped.",
    }
}

/// What proves the dice, below the first board and the last.
fn proof<G: Game>(record: &Table<G>) -> String {
    let Some(event) = record.history.last() else { return String::new() };
    match (&event.what, &event.key) {
        (_, Some(key)) => format!(
            "\nThe dice of this round were made with the key `{}`: `play-by-commit verify` proves every throw.\n",
            key.reveal()
        ),
        (What::New { commitment: Some(commitment), .. }, _) => format!(
            "\nThe dice are made with a key that is shown when the round has ended, so that every throw can be proved \
             then. Its SHA-256 is `{commitment}`.\n"
        ),
        _ => String::new(),
    }
}

/// What a newcomer needs to know, below the first board only.
fn welcome<G: Game>(record: &Table<G>) -> String {
    match record.history.as_slice() {
        [_] if record.round == 1 => format!("\n{} {} `/help` shows all commands.\n", G::INFO.summary, G::INFO.moves),
        _ => String::new(),
    }
}

fn moves<G: Game>(record: &Table<G>) -> String {
    let game = record.game();
    let moves: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    match (record.status, moves.len()) {
        (TableStatus::Playing, 1) => format!("{} One legal move: {}.", standing(record, false), list(&moves)),
        (TableStatus::Playing, count) => format!("{} {count} legal moves: {}.", standing(record, false), list(&moves)),
        _ => record.ending(),
    }
}

/// The moves that count, two a line, and what was taken back.
fn history<G: Game>(record: &Table<G>) -> String {
    let played: Vec<String> = record
        .plies()
        .filter_map(|(before, event, _)| {
            let deed = match &event.what {
                What::Move { mv, .. } => code(&before.entry(mv)),
                _ => "resigns".to_owned(),
            };
            event.seat.map(|seat| format!("{} {deed}", seat_name::<G>(seat.0)))
        })
        .collect();
    if played.is_empty() {
        return format!("Nothing has been played yet. {}", standing(record, false));
    }
    let turns = played.chunks(2).enumerate().map(|(at, turn)| format!("{}. {}", at + 1, turn.join(", ")));
    let undone = record.history.iter().filter(|event| matches!(event.what, What::Undo { .. })).count();
    let undone = if undone > 0 { format!("\n\nUndos so far: {undone}.") } else { String::new() };
    format!("{}{undone}\n\n{}", turns.collect::<Vec<_>>().join("\n"), standing(record, false))
}
