//! The answers to comments: decisions in words.

use crate::answers::duration::time;
use crate::answers::look::Look;
use crate::answers::refusal;
use crate::answers::sentences;
use crate::answers::{board, help};
use crate::decisions::decision::Show;
use crate::decisions::house::HouseRules;
use crate::decisions::refusal::Refusal;
use crate::game::choice::Level;
use crate::game::contract::Game;
use crate::game::phrase::{Phrase, Span, code, codes, phrase};
use crate::game::seat::Seat;
use crate::tables::any::{AnyTable, with_table};
use crate::tables::dice::public_seed;
use crate::tables::game_state::TableStatus;
use crate::tables::history::{Consequence, Event, EventKind, Sitter};
use crate::tables::line::Ply;
use crate::tables::offers::Offer;
use crate::tables::searches;
use crate::tables::table::Table;
use crate::talk::comment::{Author, Millis, Source};

/// The questions to the other side, in words.
const ASKS_DRAW: &str = "offered a draw";
const ASKS_UNDO: &str = "asked to take back their last move";
const ASKS_RESIGN: &str = "offered to concede this game as a single";

/// Returns the answer to an accepted command, from the table alone: its last event and its state.
pub fn announce(table: &AnyTable, look: Look<'_>) -> String {
    let any = table;
    with_table!(any, table => {
        let sentence = match table.status() {
            TableStatus::Playing if is_hint(table) => return look.words(&first_hint(table)),
            TableStatus::Playing => {
                let at = table.history().last().map_or(0, |event| event.timestamp);
                let open = questions(table).filter(|_| !asks(table));
                phrase![happened(table), replies(table, 0), brought_about(table), " ", standing(table, calls_next_player(table), at), open]
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
    let sentence = phrase![Span::Person(author.login.clone()), ": ", refusal::sentence(refusal, table)];
    let rule = refusal::engine_words(refusal).and_then(|words| board::folded_rule(words, look));
    let folded = table.and_then(|table| board::folded(table, look));
    let below: String = [rule, folded].into_iter().flatten().map(|fold| format!("\n\n{fold}")).collect();
    format!("{}{below}", look.words(&sentence))
}

/// Returns the answer to a command that only shows something, written at a given time.
pub fn show(show: &Show, table: Option<&AnyTable>, house: &HouseRules, at: Millis, look: Look<'_>) -> String {
    match (show, table) {
        (Show::Help(Some(kind)), _) => look.words(&help::help_game(kind.info())),
        (Show::HelpSetup(setup), _) => look.words(&help::help_setup(setup)),
        (Show::Help(None), Some(table)) => look.words(&help::help_at_table(table.kind().info())),
        (Show::Help(None), None) | (_, None) => help::help(house),
        (Show::Board, Some(table)) => {
            let sentence = with_table!(table, table => now(table, at));
            format!("{}\n\n{}", look.words(&sentence), board::board(table, &sentence, look)).trim_end().to_owned()
        }
        (Show::Hint(level), Some(table)) => look.words(&with_table!(table, table => hint(table, *level))),
        (Show::Moves, Some(table)) => look.words(&with_table!(table, table => moves(table, at))),
        (Show::History, Some(table)) => look.words(&with_table!(table, table => history(table, at))),
    }
}

/// Returns the doer of an event, with the seat they did it for.
fn doer<G: Game>(table: &Table<G>, event: &Event<G::Move>) -> Phrase {
    match (event.seat, table.terms().open.and_then(|_| table.login_of(event.by))) {
        (Some(seat), Some(login)) => {
            phrase![Span::Person(login.to_owned()), " (", G::INFO.side(seat), ")"]
        }
        (Some(seat), None) => sentences::player(table, seat),
        (None, _) => "A maintainer".into(),
    }
}

/// Tests if the answer mentions the player who is to move: after a move, and after a rematch that the other side asked for.
fn calls_next_player<G: Game>(table: &Table<G>) -> bool {
    let last = table.history().last().map(|event| &event.kind);
    // The computer has answered already, and whoever is to move has just been here.
    table.occupants().computer().is_none()
        && (matches!(last, Some(EventKind::Move { .. } | EventKind::MovedHere { .. })) || gave_up(table))
}

/// Tests if the last event has ended a game by word.
fn gave_up<G: Game>(table: &Table<G>) -> bool {
    table.history().last().is_some_and(|event| event.giving_up().is_some())
}

/// Tests if the last event was a question, which its announcement tells.
fn asks<G: Game>(table: &Table<G>) -> bool {
    let last = table.history().last().map(|event| &event.kind);
    matches!(last, Some(EventKind::OfferDraw | EventKind::AskUndo | EventKind::OfferResign))
}

/// Returns the questions to the other side that are open; `None` if there are none.
fn questions<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let asks = [(Offer::Draw, ASKS_DRAW), (Offer::Undo, ASKS_UNDO), (Offer::Resignation, ASKS_RESIGN)];
    let asks = asks.into_iter().filter_map(|(offer, what)| {
        Some(phrase![" ", sentences::player(table, table.state().offers().by(offer)?), " ", what, "."])
    });
    let asks: Vec<Phrase> = asks.collect();
    let how = || phrase![" Their opponent can ", code("/accept"), " or ", code("/decline"), ". A move declines it."];
    (!asks.is_empty()).then(|| phrase![Phrase::join(asks, ""), how()])
}

/// Returns how the table stands, for somebody who asks.
fn now<G: Game>(table: &Table<G>, at: Millis) -> Phrase {
    let open = questions(table).filter(|_| table.status() == TableStatus::Playing);
    phrase![standing(table, false, at), open]
}

/// Tests if the last event is a question or its refusal, which leave the board as it is.
fn is_talk<G: Game>(table: &Table<G>) -> bool {
    let last = table.history().last().map(|event| &event.kind);
    matches!(last, Some(EventKind::OfferDraw | EventKind::AskUndo | EventKind::Decline))
}

/// Returns the news that the last event has brought about; `None` if it brought none.
fn brought_about<G: Game>(table: &Table<G>) -> Option<Phrase> {
    match table.history().last().map(|event| &event.kind) {
        Some(EventKind::New { .. } | EventKind::Move { .. }) => sentences::news(table),
        _ => sentences::news(table).filter(|_| gave_up(table) || table.line().newest_plies().next().is_some()),
    }
}

/// Returns a player who is notified by it, with the seat; one who has never been here is not.
fn called<G: Game>(table: &Table<G>, seat: Seat) -> Phrase {
    match table.sitter(seat).filter(|sitter| sitter.id.is_some()) {
        Some(sitter) => phrase![Span::Mention(sitter.login.clone()), " (", G::INFO.side(seat), ")"],
        None => sentences::player(table, seat),
    }
}

/// Returns the last event as a sentence.
fn happened<G: Game>(table: &Table<G>) -> Phrase {
    let Some(event) = table.history().last() else { return Phrase::default() };
    let who = doer(table, event);
    let asks = |what: &'static str| {
        let answer = event.then.iter().find_map(|next| match next {
            Consequence::Draw(agrees) | Consequence::Resignation(agrees) => Some(*agrees),
            _ => None,
        });
        if let Some(agrees) = answer {
            let answer = if agrees { "accepted" } else { "declined" };
            return phrase![" ", what, ". The computer ", answer, "."];
        }
        let other = event.seat.map(|seat| called(table, seat.other()));
        phrase![" ", what, ". ", other, " can ", code("/accept"), " or ", code("/decline"), ". A move declines it."]
    };
    let what = match &event.kind {
        EventKind::New { .. } => return opened(table, who),
        EventKind::Join => " joined the game.".into(),
        EventKind::Move { notation, mv } => phrase![" ", played::<G>(notation, mv), "."],
        EventKind::OfferDraw => asks(ASKS_DRAW),
        EventKind::AcceptDraw => " accepted the draw.".into(),
        EventKind::ClaimDraw => " claimed a draw.".into(),
        EventKind::Decline => " declined. The game continues.".into(),
        EventKind::AskUndo => asks(ASKS_UNDO),
        EventKind::Hint => " got a hint.".into(),
        EventKind::Undo { plies } => {
            let agrees = event.seat.is_some_and(|seat| table.occupants().has_person(seat.other()));
            let moves = match plies {
                1 => "the last move".to_owned(),
                2 => "the last two moves".to_owned(),
                plies => format!("the last {plies} moves"),
            };
            let deed = if agrees { " agreed to take back " } else { " took back " };
            phrase![deed, moves, "."]
        }
        EventKind::Resign | EventKind::ResignFor { .. } => " resigned this game.".into(),
        EventKind::OfferResign => asks(ASKS_RESIGN),
        EventKind::AcceptResign => " accepted and won this game.".into(),
        EventKind::Abort => " ended the game.".into(),
        EventKind::Claim => " claimed a win on time.".into(),
        EventKind::ImportedEnd { .. } => " ended this game elsewhere.".into(),
        EventKind::SeatComputer { level } => {
            let seat = event.seat.map(|seat| G::INFO.side(seat.other()));
            let level = format!(" to the computer (level {}).", level.number());
            phrase![" gave ", seat.unwrap_or_default(), level]
        }
        EventKind::AskComputer { .. } => " asked the computer to move.".into(),
        EventKind::MovedHere { from } if event.seat.is_none() => {
            return phrase![format!("The game from issue #{from} continues here."), unrated(table)];
        }
        EventKind::MovedHere { from } => {
            phrase![format!(" continued the game from issue #{from} here."), unrated(table)]
        }
        EventKind::MovedAway { to } => format!(" moved the game to issue #{to}.").into(),
    };
    phrase![who, what]
}

/// Returns what the computer did, but for so many of its last plies, as sentences with a space before each. What came of a
/// ply before the next one is told with it.
fn replies<G: Game>(table: &Table<G>, but: usize) -> Phrase {
    let plies: Vec<Ply<'_, G>> = table.line().newest_plies().filter(|ply| ply.by_computer).collect();
    let told = &plies[..plies.len().saturating_sub(but)];
    Phrase::join(told.iter().map(|ply| phrase![" ", reply(ply), "."]), "")
}

/// Returns a ply of the computer as a sentence without its end: "The computer (O) played `a1`".
fn reply<G: Game>(ply: &Ply<'_, G>) -> Phrase {
    let news = ply.before.news().map(|news| phrase![news, " "]);
    let deed = match ply.played.map(|(mv, _)| G::deed(mv)) {
        Some(Some(deed)) => Phrase::from(deed),
        _ => phrase!["played ", code(ply.entry())],
    };
    phrase![news, "The computer (", G::INFO.side(ply.seat), ") ", deed]
}

/// Returns a move as a deed: "played `b2`".
fn played<G: Game>(notation: &str, mv: &G::Move) -> Phrase {
    G::deed(mv).map_or_else(|| phrase!["played ", code(notation.to_owned())], Phrase::from)
}

/// Returns the end of the game as a sentence.
fn ended<G: Game>(table: &Table<G>) -> Phrase {
    let Some(last) = table.line().newest_plies().last() else { return sentences::ending(table) };
    let how = match table.status() {
        TableStatus::Won(winner) if winner == last.seat => " and won.".into(),
        TableStatus::Won(winner) => phrase![". ", sentences::subject(table, winner), " won."],
        _ => phrase![". The game is a draw", sentences::reason(table), "."],
    };
    let deed = match last.played {
        Some(_) if last.by_computer => phrase![happened(table), replies(table, 1), " ", reply(&last)],
        Some((mv, notation)) => phrase![doer(table, last.event), " ", played::<G>(notation, mv)],
        None => return sentences::ending(table),
    };
    phrase![deed, how, sentences::news(table)]
}

/// Returns the opening of a table, with its players.
fn opened<G: Game>(table: &Table<G>, who: Phrase) -> Phrase {
    let game = G::INFO.name;
    let setup = G::setup(table.config()).map_or(String::new(), |setup| format!(" ({setup})"));
    let round = if table.round() > 1 { format!("Round {}: ", table.round()) } else { String::new() };
    if table.terms().open.is_some() {
        return phrase![
            round,
            format!("This is an open game of {game}{setup}. "),
            sentences::seating(table),
            unrated(table)
        ];
    }
    let started = format!(" started a game of {game}{setup}. ");
    let opener = table.history().last().and_then(|event| event.seat).unwrap_or(Seat::First);
    phrase![round, who, started, sentences::seated_with(table, opener.other(), Span::Mention), unrated(table)]
}

/// Returns the news that a game isn't rated, with a space before it; `None` if it is.
fn unrated<G: Game>(table: &Table<G>) -> Option<&'static str> {
    G::has_chosen_start(table.config()).then_some(" This game isn't rated because it starts from a chosen position.")
}

/// Returns the side on turn, the time it has left and the task it faces, or the end of the game.
fn standing<G: Game>(table: &Table<G>, mention: bool, at: Millis) -> Phrase {
    if table.status() != TableStatus::Playing {
        return phrase![sentences::ending(table), rematch(table)];
    }
    let seat = table.to_move();
    let name = G::INFO.side(seat);
    let (mut they, mut their) = ("They", "Their");
    let turn = match table.sitter(seat) {
        Some(Sitter { id: Some(_), kept: false, login, .. }) if mention => {
            (they, their) = ("You", "Your");
            phrase![Span::Mention(login.clone()), ", it's your turn."]
        }
        Some(Sitter { computer: Some(_), .. }) => format!("It's the computer's turn ({name}).").into(),
        Some(sitter) => phrase!["It's ", Span::Person(sitter.login.clone()), format!("'s turn ({name}).")],
        None if table.terms().open.is_some() => {
            phrase![format!("It's {name}'s turn: write "), code("/move"), " and your move."]
        }
        None => phrase![
            format!("It's {name}'s turn, and the seat is open: write "),
            code("/move"),
            " and your move to take it."
        ],
    };
    let limit = table.state().time_left(at).filter(|_| table.occupants().is_seated(seat)).map(|left| match left {
        0 if table.has_ever_moved(seat) => {
            phrase![their, " time has run out. To win on time, write ", code("/claim"), "."]
        }
        0 => format!("{their} time has run out.").into(),
        _ if table.terms().per_move == Some(left) => format!("{they} have {}.", time(left)).into(),
        _ => format!("{they} have {} left.", time(left)).into(),
    });
    let claim = table.game().claimable_draw().filter(|_| table.terms().open.is_none());
    let claim = claim
        .map(|reason| phrase!["Either side can claim a draw with ", code("/draw"), ": ", reason.into_owned(), "."]);
    Phrase::join([Some(turn), limit, table.game().turn_hint(), claim].into_iter().flatten(), " ")
}

/// Returns the way to play again; `None` while the game goes on.
fn rematch<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let swapped = if table.terms().open.is_some() { "" } else { " with sides swapped" };
    table.is_over().then(|| phrase![format!(" To play again{swapped}, write "), code("/rematch"), "."])
}

/// Returns the proof of the dice, below the first board and the last; `None` below all others.
fn proof<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let event = table.history().last()?;
    match (&event.kind, &event.key) {
        (_, Some(key)) => {
            let (key, check) = (code(key.reveal()), code("play-by-commit verify"));
            Some(phrase!["\nThis round's dice came from the key ", key, ". To check every roll, run ", check, ".\n"])
        }
        (EventKind::New { commitment: Some(commitment), .. }, _) => {
            let how = "\nThe dice come from a secret key. The bot publishes it when the round ends, so that anyone can check every \
                       roll. Its SHA-256 is ";
            Some(phrase![how, code(commitment.to_string()), ".\n"])
        }
        _ => None,
    }
}

/// Returns the introduction for a newcomer, below the first board; `None` below all others.
fn welcome<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let first = table.history().len() == 1 && table.round() == 1;
    first.then(|| {
        let also = match table.terms().open {
            Some(_) => codes(&["/undo", "/moves"], " or "),
            None => phrase![codes(&["/undo", "/draw"], ", "), ", or ", code("/resign")],
        };
        phrase![
            "\n",
            G::aim(table.config()).into_owned(),
            " ",
            G::INFO.how_to_move(),
            "\n\nYou can also write ",
            also,
            ". For all commands, write ",
            code("/help"),
            ".\n"
        ]
    })
}

/// Whether the last event is a hint, which is told like any later one and leaves the board as it is.
fn is_hint<G: Game>(table: &Table<G>) -> bool {
    table.history().last().is_some_and(|event| event.kind == EventKind::Hint)
}

/// Returns the first hint of a round against the computer, and what it means for the standings.
fn first_hint<G: Game>(table: &Table<G>) -> Phrase {
    let level = table.occupants().computer().map_or(Level::MEDIUM, |(_, level)| level);
    phrase![hint(table, level), " Because you took a hint, winning this game won't count as beating this level."]
}

/// Returns what the computer would play here. Its seed is not the one of a move, so that a hint tells nothing of what the computer
/// itself will do.
fn hint<G: Game>(table: &Table<G>, level: Level) -> Phrase {
    let seed = public_seed(table.round(), 0, Source { issue: 0, comment: 0 });
    let game = table.game();
    match searches::search(game, level, seed) {
        Some(chosen) => phrase!["The computer would play ", code(game.notation(&chosen.mv)), "."],
        None => sentences::ending(table),
    }
}

/// Returns the legal moves, or the end of the game.
fn moves<G: Game>(table: &Table<G>, at: Millis) -> Phrase {
    if table.status() != TableStatus::Playing {
        return sentences::ending(table);
    }
    let game = table.game();
    let moves: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    let count =
        if moves.len() == 1 { " One legal move: ".to_owned() } else { format!(" {} legal moves: ", moves.len()) };
    phrase![now(table, at), count, codes(&moves, ", "), "."]
}

/// Returns the moves that count, two a line, and the number of takebacks.
fn history<G: Game>(table: &Table<G>, at: Millis) -> Phrase {
    let played = table.plies().map(|ply| {
        let entry = ply.entry();
        let deed = if ply.played.is_some() { code(entry) } else { Span::Plain(entry.into()) };
        phrase![G::INFO.side(ply.seat), " ", deed]
    });
    let played: Vec<Phrase> = played.collect();
    if played.is_empty() {
        return phrase!["No moves yet. ", now(table, at)];
    }
    let turns = played.chunks(2).enumerate();
    let turns = turns.map(|(at, turn)| phrase![format!("{}. ", at + 1), Phrase::join(turn.iter().cloned(), ", ")]);
    let undone = table.history().iter().filter(|event| matches!(event.kind, EventKind::Undo { .. })).count();
    let undone = (undone > 0).then(|| format!("\n\nTakebacks so far: {undone}."));
    phrase![Phrase::join(turns, "\n"), undone, "\n\n", now(table, at)]
}
