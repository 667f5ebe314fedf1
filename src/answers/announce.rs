//! The answers to comments: decisions in words.

use crate::answers::duration::time;
use crate::answers::look::Look;
use crate::answers::refusal;
use crate::answers::{board, help};
use crate::decisions::decision::Show;
use crate::decisions::house::HouseRules;
use crate::decisions::refusal::Refusal;
use crate::game::contract::Game;
use crate::game::phrase::{Phrase, Span, code, codes, phrase};
use crate::tables::any::{AnyTable, with_table};
use crate::tables::history::{Event, EventKind, seat_name};
use crate::tables::table::{Table, TableStatus};
use crate::talk::comment::Author;

/// Returns the answer to an accepted command, from the table alone: its last event and its state.
pub fn announce(table: &AnyTable, look: Look<'_>) -> String {
    let any = table;
    with_table!(any, table => {
        let sentence = match table.status {
            TableStatus::Playing => {
                phrase![happened(table), brought_about(table), " ", standing(table, calls_next_player(table))]
            }
            _ => phrase![ended(table), rematch(table)],
        };
        // A terminal has just shown the board, and a question has not changed it.
        let seen = matches!(look, Look::Text { .. }) && is_talk(table);
        let board = if seen { String::new() } else { board::board(any, &sentence, look) };
        let below = phrase![welcome(table), proof(table)];
        format!("{}\n\n{board}{}", look.words(&sentence), look.words(&below))
    })
}

/// Returns the answer to a refused command, with the board of the table it was meant for, if it was meant for one.
pub fn refuse(refusal: &Refusal, author: &Author, table: Option<&AnyTable>, look: Look<'_>) -> String {
    let sentence = phrase![Span::Person(author.login.clone()), ": ", refusal::sentence(refusal)];
    let folded = table.and_then(|table| board::folded(table, look)).map(|board| format!("\n\n{board}"));
    format!("{}{}", look.words(&sentence), folded.unwrap_or_default())
}

/// Returns the answer to a command that only shows something.
pub fn show(show: &Show, table: Option<&AnyTable>, house: &HouseRules, look: Look<'_>) -> String {
    match (show, table) {
        (Show::Help(Some(kind)), _) => look.words(&help::help_game(kind.info())),
        (Show::Help(None), _) | (_, None) => help::help(house),
        (Show::Board, Some(table)) => {
            let sentence = with_table!(table, table => standing(table, false));
            format!("{}\n\n{}", look.words(&sentence), board::board(table, &sentence, look)).trim_end().to_owned()
        }
        (Show::Moves, Some(table)) => look.words(&with_table!(table, table => moves(table))),
        (Show::History, Some(table)) => look.words(&with_table!(table, table => history(table))),
    }
}

/// Returns the doer of an event, with the seat they did it for.
fn doer<G: Game>(table: &Table<G>, event: &Event<G>) -> Phrase {
    match (event.seat, table.terms.open.and_then(|_| table.login_of(event.by))) {
        (Some(seat), Some(login)) => {
            phrase![Span::Person(login.to_owned()), " (", seat_name::<G>(seat.0), ")"]
        }
        (Some(seat), None) => table.player(seat.0),
        (None, _) => "A maintainer".into(),
    }
}

/// Tests if the answer mentions the player who is to move: only the answer to a move mentions anyone.
fn calls_next_player<G: Game>(table: &Table<G>) -> bool {
    matches!(
        table.history.last().map(|event| &event.kind),
        Some(EventKind::Move { .. } | EventKind::Resign | EventKind::MovedHere { .. })
    )
}

/// Tests if the last event is a question or its refusal, which leave the board as it is.
fn is_talk<G: Game>(table: &Table<G>) -> bool {
    let last = table.history.last().map(|event| &event.kind);
    matches!(last, Some(EventKind::OfferDraw | EventKind::AskUndo | EventKind::Decline))
}

/// Returns the news that the last event has brought about; `None` if it brought none.
fn brought_about<G: Game>(table: &Table<G>) -> Option<Phrase> {
    match table.history.last().map(|event| &event.kind) {
        Some(EventKind::New { .. } | EventKind::Move { .. } | EventKind::Resign) => table.news(),
        _ => None,
    }
}

/// Returns the last event as a sentence.
fn happened<G: Game>(table: &Table<G>) -> Phrase {
    let Some(event) = table.history.last() else { return Phrase::default() };
    let who = doer(table, event);
    let asks = |what: &'static str| {
        let other = event.seat.map(|seat| table.player(seat.0.other()));
        phrase![what, other, " can ", code("/accept"), " or ", code("/decline"), "; any move refuses it."]
    };
    let what = match &event.kind {
        EventKind::New { .. } => return opened(table, who),
        EventKind::Join => " sits down.".into(),
        EventKind::Move { notation, mv } => phrase![" ", played::<G>(notation, mv), "."],
        EventKind::OfferDraw => asks(" offers a draw. "),
        EventKind::AcceptDraw => " accepts the draw.".into(),
        EventKind::Decline => " declines. The game goes on.".into(),
        EventKind::AskUndo => asks(" asks to take their last move back. "),
        EventKind::Undo { plies } => {
            let agrees = event.seat.is_some_and(|seat| table.is_seated(seat.0.other()));
            let deed = if agrees { " agrees to the undo: " } else { " takes the last move back: " };
            let plies = if *plies == 1 { "one ply is".to_owned() } else { format!("{plies} plies are") };
            phrase![deed, plies, " undone."]
        }
        EventKind::Resign => " resigns this game.".into(),
        EventKind::Abort => " ends the game.".into(),
        EventKind::Claim => " claims the win on time.".into(),
        EventKind::MovedHere { from } if event.seat.is_none() => {
            return format!("The game of issue #{from} goes on here.").into();
        }
        EventKind::MovedHere { from } => format!(" takes the game of issue #{from} here, and it goes on.").into(),
        EventKind::MovedAway { to } => format!(" takes the game to issue #{to}.").into(),
    };
    phrase![who, what]
}

/// Returns a move as a deed: "plays `b2`".
fn played<G: Game>(notation: &str, mv: &G::Move) -> Phrase {
    G::deed(mv).map_or_else(|| phrase!["plays ", code(notation.to_owned())], Phrase::from)
}

/// Returns the end of the game as a sentence.
fn ended<G: Game>(table: &Table<G>) -> Phrase {
    match table.history.last() {
        Some(event @ Event { kind: EventKind::Move { notation, mv }, .. }) => {
            let mover = event.seat.map(|seat| seat.0);
            let how = match table.status {
                TableStatus::Won(winner) if Some(winner) == mover => "and wins.".into(),
                TableStatus::Won(winner) => phrase!["and ", table.player(winner), " wins."],
                _ => phrase!["and the game is a draw", table.reason(), "."],
            };
            phrase![doer(table, event), " ", played::<G>(notation, mv), " ", how, table.news()]
        }
        _ => table.ending(),
    }
}

/// Returns the opening of a table, with its players.
fn opened<G: Game>(table: &Table<G>, who: Phrase) -> Phrase {
    let game = G::INFO.name;
    let setup = G::setup(&table.config).map_or(String::new(), |setup| format!(" ({setup})"));
    let round = if table.round > 1 { format!("Round {}: ", table.round) } else { String::new() };
    if table.terms.open.is_some() {
        return phrase![round, format!("An open game of {game}{setup} begins. "), table.seating()];
    }
    phrase![round, who, format!(" opens a game of {game}{setup}. "), table.seating()]
}

/// Returns the side on turn and the task it faces, or the end of the game.
fn standing<G: Game>(table: &Table<G>, mention: bool) -> Phrase {
    if table.status != TableStatus::Playing {
        return phrase![table.ending(), rematch(table)];
    }
    let seat = table.to_move();
    let name = seat_name::<G>(seat);
    let turn = match table.sitter(seat) {
        Some(sitter) if sitter.id.is_some() && mention => {
            phrase![Span::Mention(sitter.login.clone()), " (", name, ") is to move."]
        }
        Some(_) => phrase![table.player(seat), " is to move."],
        None if table.terms.open.is_some() => phrase![name, " is to move: ", code("/move"), " plays."],
        None => phrase![name, " is to move, and the seat is open: ", code("/move"), " takes it and plays."],
    };
    let limit = table.terms.per_move.filter(|_| table.is_seated(seat));
    let limit = limit.map(|limit| Phrase::from(format!("They have {}.", time(limit))));
    Phrase::join([Some(turn), limit, table.game().turn_hint()].into_iter().flatten(), " ")
}

/// Returns the way to play again; `None` while the game goes on.
fn rematch<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let how = if table.terms.open.is_some() { " plays again." } else { " plays again with the seats swapped." };
    table.is_over().then(|| phrase![" ", code("/rematch"), how])
}

/// Returns the proof of the dice, below the first board and the last; `None` below all others.
fn proof<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let event = table.history.last()?;
    match (&event.kind, &event.key) {
        (_, Some(key)) => {
            let (key, proves) = (code(key.reveal()), code("play-by-commit verify"));
            Some(phrase![
                "\nThe dice of this round were made with the key ",
                key,
                ": ",
                proves,
                " proves every throw.\n"
            ])
        }
        (EventKind::New { commitment: Some(commitment), .. }, _) => {
            let how = "\nThe dice are made with a key that is shown when the round has ended, so that every throw can be proved \
                       then. Its SHA-256 is ";
            Some(phrase![how, code(commitment.to_string()), ".\n"])
        }
        _ => None,
    }
}

/// Returns the introduction for a newcomer, below the first board; `None` below all others.
fn welcome<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let first = table.history.len() == 1 && table.round == 1;
    first.then(|| {
        phrase!["\n", G::INFO.summary, " ", G::INFO.how_to_move(), " ", code("/help"), " shows all commands.\n"]
    })
}

/// Returns the legal moves, or the end of the game.
fn moves<G: Game>(table: &Table<G>) -> Phrase {
    if table.status != TableStatus::Playing {
        return table.ending();
    }
    let game = table.game();
    let moves: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    let count =
        if moves.len() == 1 { " One legal move: ".to_owned() } else { format!(" {} legal moves: ", moves.len()) };
    phrase![standing(table, false), count, codes(&moves, ", "), "."]
}

/// Returns the moves that count, two a line, and the number of undos.
fn history<G: Game>(table: &Table<G>) -> Phrase {
    let played: Vec<Phrase> = table
        .plies()
        .filter_map(|(before, event, _)| {
            let deed = match &event.kind {
                EventKind::Move { mv, .. } => code(before.entry(mv)),
                _ => Span::plain("resigns"),
            };
            event.seat.map(|seat| phrase![seat_name::<G>(seat.0), " ", deed])
        })
        .collect();
    if played.is_empty() {
        return phrase!["Nothing has been played yet. ", standing(table, false)];
    }
    let turns = played.chunks(2).enumerate();
    let turns = turns.map(|(at, turn)| phrase![format!("{}. ", at + 1), Phrase::join(turn.iter().cloned(), ", ")]);
    let undone = table.history.iter().filter(|event| matches!(event.kind, EventKind::Undo { .. })).count();
    let undone = (undone > 0).then(|| format!("\n\nUndos so far: {undone}."));
    phrase![Phrase::join(turns, "\n"), undone, "\n\n", standing(table, false)]
}
