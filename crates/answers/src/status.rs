//! How a table stands, in words: whose turn it is, what has been asked, what was played, what the computer would play.

use game::contract::Game;
use game::engine::Level;
use game::phrase::{Phrase, Span, code, join_code, phrase};
use table::dice::public_seed;
use table::engine;
use table::game_state::TableStatus;
use table::history::{EventKind, Occupant};
use table::offers::Offer;
use table::table::Table;
use table::talk::comment::{Millis, Source};

use crate::duration::format_duration;
use crate::sentences;

/// The questions that a player can ask the opponent, in words.
pub(super) const OFFERED_DRAW: &str = "offered a draw";
pub(super) const ASKED_UNDO: &str = "asked to take back their last move";
pub(super) const OFFERED_RESIGNATION: &str = "offered to concede this game as a single";

/// Returns how the table stands, for somebody who asks.
pub(super) fn full_status<G: Game>(table: &Table<G>, at: Millis) -> Phrase {
    let open = open_offers(table).filter(|_| table.status() == TableStatus::Playing);
    phrase![status_line(table, false, at), open]
}

/// Returns the side on turn, the time it has left and the task it faces, or the end of the game.
pub(super) fn status_line<G: Game>(table: &Table<G>, mention: bool, at: Millis) -> Phrase {
    if table.status() != TableStatus::Playing {
        return phrase![sentences::ending(table), rematch_hint(table)];
    }
    let seat = table.player_to_move();
    let name = G::INFO.side_name(seat);
    let (mut they, mut their) = ("They", "Their");
    let turn = match table.occupant(seat) {
        Some(Occupant { id: Some(_), reserved: false, login, .. }) if mention => {
            (they, their) = ("You", "Your");
            phrase![Span::Mention(login.clone()), ", it's your turn."]
        }
        Some(Occupant { computer: Some(_), .. }) => format!("It's the computer's turn ({name}).").into(),
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
    let limit = table.state().time_left(at).filter(|_| table.occupants().is_occupied(seat)).map(|left| match left {
        0 if table.has_ever_moved(seat) => {
            phrase![their, " time has run out. To win on time, write ", code("/claim"), "."]
        }
        0 => format!("{their} time has run out.").into(),
        _ if table.terms().per_move == Some(left) => format!("{they} have {}.", format_duration(left)).into(),
        _ => format!("{they} have {} left.", format_duration(left)).into(),
    });
    let claim = table.game().claimable_draw().filter(|_| table.terms().open.is_none());
    let claim = claim
        .map(|reason| phrase!["Either side can claim a draw with ", code("/draw"), ": ", reason.into_owned(), "."]);
    Phrase::join([Some(turn), limit, table.game().turn_hint(), claim].into_iter().flatten(), " ")
}

/// Returns the questions to the other side that are open; `None` if there are none.
pub(super) fn open_offers<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let asks = [(Offer::Draw, OFFERED_DRAW), (Offer::Undo, ASKED_UNDO), (Offer::Resignation, OFFERED_RESIGNATION)];
    let asks = asks.into_iter().filter_map(|(offer, what)| {
        let seat = table.state().offers().offered_by(offer)?;
        Some(phrase![" ", sentences::player(table, seat), " ", what, "."])
    });
    let asks: Vec<Phrase> = asks.collect();
    let how = || phrase![" Their opponent can ", code("/accept"), " or ", code("/decline"), ". A move declines it."];
    (!asks.is_empty()).then(|| phrase![Phrase::join(asks, ""), how()])
}

/// Returns the way to play again; `None` while the game goes on.
pub(super) fn rematch_hint<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let swapped = if table.terms().open.is_some() { "" } else { " with sides swapped" };
    table.is_over().then(|| phrase![format!(" To play again{swapped}, write "), code("/rematch"), "."])
}

/// Returns what the computer would play here. Its seed is not the one of a move, so that a hint tells nothing of what the computer
/// itself will do.
pub(super) fn hint<G: Game>(table: &Table<G>, level: Level) -> Phrase {
    let seed = public_seed(table.round(), 0, Source { issue: 0, comment: 0 });
    let game = table.game();
    match engine::search(game, level, seed) {
        Some(chosen) => phrase!["The computer would play ", code(game.notation(&chosen.mv)), "."],
        None => sentences::ending(table),
    }
}

/// Returns the first hint of a round against the computer, and what it means for the standings.
pub(super) fn first_hint<G: Game>(table: &Table<G>) -> Phrase {
    let level = table.occupants().computer().map_or(Level::MEDIUM, |(_, level)| level);
    phrase![hint(table, level), " Because you took a hint, winning this game won't count as beating this level."]
}

/// Returns the legal moves, or the end of the game.
pub(super) fn legal_move_list<G: Game>(table: &Table<G>, at: Millis) -> Phrase {
    if table.status() != TableStatus::Playing {
        return sentences::ending(table);
    }
    let game = table.game();
    let moves: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    let count =
        if moves.len() == 1 { " One legal move: ".to_owned() } else { format!(" {} legal moves: ", moves.len()) };
    phrase![full_status(table, at), count, join_code(&moves, ", "), "."]
}

/// Returns the moves that count, two a line, and the number of takebacks.
pub(super) fn move_history<G: Game>(table: &Table<G>, at: Millis) -> Phrase {
    let played = table.plies().map(|ply| {
        let entry = ply.move_list_entry();
        let deed = if ply.played.is_some() { code(entry) } else { Span::Plain(entry.into()) };
        phrase![G::INFO.side_name(ply.seat), " ", deed]
    });
    let played: Vec<Phrase> = played.collect();
    if played.is_empty() {
        return phrase!["No moves yet. ", full_status(table, at)];
    }
    let turns = played.chunks(2).enumerate();
    let turns = turns.map(|(at, turn)| phrase![format!("{}. ", at + 1), Phrase::join(turn.iter().cloned(), ", ")]);
    let undone = table.history().iter().filter(|event| matches!(event.kind, EventKind::Undo { .. })).count();
    let undone = (undone > 0).then(|| format!("\n\nTakebacks so far: {undone}."));
    phrase![Phrase::join(turns, "\n"), undone, "\n\n", full_status(table, at)]
}
