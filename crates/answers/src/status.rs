//! The status of a table: whose turn it is, open offers, legal moves, the move history, and hints.

use std::time::Duration;

use game::{Game, Level, Phrase, Seat, Span, code, join_code, phrase, without_prompt};
use table::dice::public_seed;
use table::timestamp::format_deadline;
use table::{
    AwayFile, AwayRefusal, CommentRef, EventKind, IssueNumber, MAX_DAYS, Occupant, Offer, Table, TableStatus,
    Timestamp, TurnClock, engine,
};

use crate::sentences;
use crate::sentences::{after_name, format_duration, turn_of};

/// The answer to `/time` without a time limit.
const NO_LIMIT: &str = "There's no time limit in this game.";
/// The moves that the bot prefers as examples: chess openings, and `b2` on boards with cells.
const ORDINARY_MOVES: [&str; 9] = ["e4", "e5", "d4", "d5", "Nf3", "Nf6", "Nc3", "Nc6", "b2"];

/// Returns the status line and the open offers.
pub(super) fn full_status<G: Game>(table: &Table<G>, at: Timestamp) -> Phrase {
    let open = if table.status() == TableStatus::Playing { open_offers(table) } else { None };
    phrase![status_line(table, false, at), open]
}

/// Returns whose turn it is, their time left, and what they have to do, or the result.
///
/// `mention` notifies the player to move. `at` is the time of the answered command.
pub(super) fn status_line<G: Game>(table: &Table<G>, mention: bool, at: Timestamp) -> Phrase {
    if table.status() != TableStatus::Playing {
        return phrase![sentences::ending(table), rematch_hint(table)];
    }
    let seat = table.player_to_move();
    let name = G::INFO.side_name(seat);
    let mentioned = table.occupant(seat).filter(|occupant| mention && occupant.id.is_some() && !occupant.reserved);
    let clock = running_clock(table);
    let turn = match table.occupant(seat) {
        Some(Occupant { login, .. }) if mentioned.is_some() => {
            phrase![Span::Mention(login.clone()), ", it's your turn."]
        }
        // The sentence about the time left says whose turn it is.
        Some(_) if clock.as_ref().is_some_and(|clock| !clock.left(at).is_zero()) => sentences::subject(table, seat),
        Some(Occupant { computer: Some(_), .. }) => format!("It's the computer's turn ({name}).").into(),
        Some(occupant) => phrase![turn_of(&occupant.login, &name), "."],
        None if table.terms().open.is_some() => {
            phrase![format!("It's {name}'s turn: write a move, such as "), example_move(table), "."]
        }
        None => phrase![
            format!("It's {name}'s turn, and the seat is open: write a move, such as "),
            example_move(table),
            ", to take it."
        ],
    };
    let limit = clock.map(|clock| time_left(table, &clock, mentioned.is_some(), at));
    let claim = if table.terms().open.is_none() { table.game().claimable_draw() } else { None };
    let claim = claim
        .map(|reason| phrase!["Either side can claim a draw with ", code("/draw"), ": ", reason.into_owned(), "."]);
    Phrase::join([Some(turn), limit, table.game().turn_hint(), claim].into_iter().flatten(), " ")
}

/// Returns how much time each player has, or the result.
pub(super) fn both_clocks<G: Game>(table: &Table<G>, at: Timestamp) -> Phrase {
    let turn = status_line(table, false, at);
    if !table.is_playing() {
        return turn;
    }
    let terms = table.terms();
    let Some(limit) = terms.per_move.map(format_duration) else {
        let since = table.history().last().map_or(Duration::ZERO, |event| at.since(event.timestamp));
        return phrase![turn, format!(" The last move or command was {} ago. ", format_duration(since)), NO_LIMIT];
    };
    let with_bank = |bank: Duration| match (terms.bank, bank) {
        (None, _) => String::new(),
        (Some(_), Duration::ZERO) => ", and nothing in the bank".to_owned(),
        (Some(_), bank) => format!(", and {} in the bank", format_duration(bank)),
    };
    let full_bank = with_bank(terms.bank.unwrap_or_default());
    if !table.occupants().is_occupied(table.player_to_move()) {
        return phrase![turn, format!(" The clock starts when the seat is taken: {limit} for each move{full_bank}.")];
    }
    let waiting = table.player_to_move().other();
    match table.occupant(waiting).filter(|_| table.occupants().is_occupied(waiting)) {
        Some(Occupant { login, .. }) => {
            let bank = with_bank(table.state().bank(waiting));
            let next = phrase![" Then ", Span::Person(login.clone()), format!(" has {limit} for the next move{bank}.")];
            phrase![turn, next, away(table, waiting, at)]
        }
        None => phrase![turn, format!(" Each player has {limit} for a move{full_bank}.")],
    }
}

/// Returns the date when a player comes back, as a sentence with a leading space; `None` if they aren't away.
fn away<G: Game>(table: &Table<G>, seat: Seat, at: Timestamp) -> Option<Phrase> {
    let until = table.state().away_until(seat, at).and_then(format_deadline)?;
    let login = &table.occupant(seat)?.login;
    Some(phrase![" ", Span::Person(login.clone()), format!(" is away until {until}.")])
}

/// Returns a legal move as a newcomer writes it. A move of one character needs `/move`.
///
/// It's an ordinary move if one is legal, otherwise an arbitrary one, so that it isn't advice.
fn example_move<G: Game>(table: &Table<G>) -> Span {
    let game = table.game();
    let legal: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    let ordinary = ORDINARY_MOVES.iter().find(|name| legal.iter().any(|mv| mv == *name));
    let hash =
        legal.iter().flat_map(|name| name.bytes()).fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
    let arbitrary = legal.get(hash as usize % legal.len().max(1));
    let name = ordinary.map_or_else(|| arbitrary.cloned().unwrap_or_default(), |name| (*name).to_owned());
    code(if name.chars().count() > 1 { name } else { format!("/move {name}") })
}

/// Returns an offer as a verb phrase that follows this person's name: "offered a draw".
pub(super) fn offer_words(offer: Offer, login: &str) -> Phrase {
    match offer {
        Offer::Draw => "offered a draw".into(),
        Offer::Takeback => {
            let [yours, theirs] = ["asked to take back your last move", "asked to take back their last move"];
            after_name(login, yours, theirs)
        }
        Offer::Resignation => "offered to concede this game as a single".into(),
    }
}

/// Returns the open offers, and how to answer them; `None` without offers.
pub(super) fn open_offers<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let offers = [Offer::Draw, Offer::Takeback, Offer::Resignation].into_iter().filter_map(|offer| {
        let seat = table.state().offers().offered_by(offer)?;
        let what = offer_words(offer, table.occupant(seat).map_or("", |occupant| &occupant.login));
        Some(phrase![" ", sentences::player(table, seat), " ", what, "."])
    });
    let offers: Vec<Phrase> = offers.collect();
    if offers.is_empty() {
        return None;
    }
    let how = phrase![" Their opponent can ", code("/accept"), " or ", code("/decline"), ". A move declines it."];
    Some(phrase![Phrase::join(offers, ""), how])
}

/// Returns how to play again; `None` while the game is in progress.
pub(super) fn rematch_hint<G: Game>(table: &Table<G>) -> Option<Phrase> {
    if !table.is_over() {
        return None;
    }
    let is_declined = table.history().last().is_some_and(|event| event.kind == EventKind::Decline);
    if is_declined && table.status() == TableStatus::Aborted {
        let new = code(format!("/new {} @username", table.game_name()));
        return Some(phrase![" To invite someone else, write ", new, "."]);
    }
    let sides = if table.terms().open.is_some() { "" } else { " with sides swapped" };
    let has_review = table.has_result() && table.plies().len() > 0;
    let review = has_review.then(|| phrase![" ", code("/review"), " shows the turning points."]);
    Some(without_prompt(phrase![format!(" To play again{sides}, write "), code("/rematch"), ".", review]))
}

/// Returns the move that the computer would play.
///
/// Its seed differs from those of real moves, so that a hint doesn't predict the computer's reply.
pub(super) fn hint<G: Game>(table: &Table<G>, level: Level) -> Phrase {
    let seed = public_seed(table.round(), 0, CommentRef::body_of(IssueNumber::default()));
    let game = table.game();
    match engine::search(game, level, seed) {
        Some(chosen) => phrase!["The computer would play ", code(game.notation(&chosen.mv)), "."],
        None => sentences::ending(table),
    }
}

/// Returns the first hint of a round against the computer, with a note that a win won't count.
pub(super) fn first_hint<G: Game>(table: &Table<G>) -> Phrase {
    let level = table.occupants().computer().map_or(Level::MEDIUM, |(_, level)| level);
    phrase![hint(table, level), " Because you took a hint, winning this game won't count as beating this level."]
}

/// Returns the legal moves, or the result.
pub(super) fn legal_move_list<G: Game>(table: &Table<G>, at: Timestamp) -> Phrase {
    if table.status() != TableStatus::Playing {
        return sentences::ending(table);
    }
    let game = table.game();
    let moves: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    let count =
        if moves.len() == 1 { " One legal move: ".to_owned() } else { format!(" {} legal moves: ", moves.len()) };
    phrase![full_status(table, at), count, join_code(&moves, ", "), "."]
}

/// Returns the moves, two per line, without those taken back, and the number of takebacks.
pub(super) fn move_history<G: Game>(table: &Table<G>, at: Timestamp) -> Phrase {
    let played = table.plies().map(|ply| {
        let entry = ply.move_list_entry();
        let entry_span = if ply.played.is_some() { code(entry) } else { Span::Plain(entry.into()) };
        phrase![G::INFO.side_name(ply.seat), " ", entry_span]
    });
    let played: Vec<Phrase> = played.collect();
    if played.is_empty() {
        return phrase!["No moves yet. ", full_status(table, at)];
    }
    let turns = played.chunks(2).enumerate();
    let turns = turns.map(|(at, turn)| phrase![format!("{}. ", at + 1), Phrase::join(turn.iter().cloned(), ", ")]);
    let undone = table.history().iter().filter(|event| matches!(event.kind, EventKind::Undo { .. })).count();
    let takebacks = if undone > 0 { format!("\n\nTakebacks so far: {undone}.") } else { String::new() };
    phrase![Phrase::join(turns, "\n"), takebacks, "\n\n", full_status(table, at)]
}

// Describes clocks: the time that each player has left, their deadlines, and their days away.

/// Returns the clock of the player to move; `None` without a limit, or if nobody has taken the seat.
fn running_clock<G: Game>(table: &Table<G>) -> Option<TurnClock> {
    let is_occupied = table.occupants().is_occupied(table.player_to_move());
    table.state().turn_clock().filter(|_| is_occupied)
}

/// Returns the time that the player to move has left. The sentence continues after their name; with `to_player`, it
/// addresses them.
fn time_left<G: Game>(table: &Table<G>, clock: &TurnClock, to_player: bool, at: Timestamp) -> Phrase {
    let seat = table.player_to_move();
    let (left, bank) = (clock.left(at), clock.bank_left(at));
    let (has, is, their) = if to_player { ("You have", "You're", "Your") } else { ("has", "is", "Their") };
    if left.is_zero() && table.has_ever_moved(seat) {
        // The late player may be reading this, so name the player who can claim.
        let opponent = sentences::player(table, seat.other());
        return phrase![their, " time has run out: ", opponent, " can ", code("/claim"), " the win."];
    }
    if left.is_zero() {
        return format!("{their} time has run out.").into();
    }
    if let Some(back) = clock.away_until(at) {
        let back = format_deadline(back).map_or(String::new(), |back| format!(" until {back}"));
        let stopped = their.to_lowercase();
        return format!("{is} away{back}, and {stopped} clock has stopped at {}.", format_duration(left)).into();
    }
    let until = |time: Timestamp| format_deadline(time).map_or(String::new(), |until| format!(", until {until}"));
    let for_move = left.saturating_sub(bank);
    let rest = if clock.per_move == for_move { "" } else { " left" };
    match (for_move, bank) {
        (_, Duration::ZERO) => format!("{has} {}{rest}{}.", format_duration(left), until(clock.deadline())),
        (Duration::ZERO, bank) => {
            format!("{has} {} left in the bank{}.", format_duration(bank), until(clock.deadline()))
        }
        (for_move, bank) => {
            let [for_move, bank] = [for_move, bank].map(format_duration);
            format!("{has} {for_move}{rest}{}, and then {bank} in the bank.", until(clock.bank_starts_at()))
        }
    }
    .into()
}

/// Returns the answer to an accepted `/away`.
pub fn time_away(file: &AwayFile, at: Timestamp) -> Phrase {
    let left = file.days_left(file.away_until(at).unwrap_or(at));
    let name = Span::Person(file.login.clone());
    let total = format!("{left} of {MAX_DAYS} days left for the next 12 months");
    match file.away_until(at).map(|until| format_deadline(until).unwrap_or_default()) {
        Some(until) => {
            let stopped = format!(" is away until {until}, and their clocks here have stopped. To come back, write ");
            let used = format!(". They have {total}. This is public, and stays in the repository's history.");
            phrase![name, stopped, code("/away off"), used]
        }
        None => {
            let here = format!(" is here, and their clocks run. They have {total}. To stop their clocks, write ");
            phrase![name, here, code("/away 14d"), "."]
        }
    }
}

/// Returns the answer to a refused `/away`.
pub fn away_refusal(file: &AwayFile, refusal: AwayRefusal) -> Phrase {
    let name = Span::Person(file.login.clone());
    match refusal {
        AwayRefusal::TooLong(0) => {
            phrase![name, format!(": You've used all your {MAX_DAYS} days away in 365 days, so your clocks run.")]
        }
        AwayRefusal::TooLong(left) => {
            let days = if left == 1 { "1 day".to_owned() } else { format!("{left} days") };
            let why = format!(": You can be away for {MAX_DAYS} days in 365, and you have {days} left. Write ");
            phrase![name, why, code(format!("/away {left}d")), "."]
        }
        AwayRefusal::NotAway => phrase![name, ": You aren't away, so your clocks already run."],
    }
}

/// Returns the answer to `/away` from a person without a game here.
pub fn away_without_games(login: &str) -> Phrase {
    phrase![Span::Person(login.to_owned()), ": You have no game in progress here, so there are no clocks to stop."]
}

/// Returns the reminder that the player to move is running out of time.
pub fn reminder<G: Game>(table: &Table<G>, at: Timestamp) -> Option<Phrase> {
    let clock = running_clock(table)?;
    let occupant = table.occupant(table.player_to_move()).filter(|occupant| occupant.computer.is_none())?;
    let left = time_left(table, &clock, true, at);
    Some(phrase![Span::Mention(occupant.login.clone()), ", it's your turn. ", left])
}
