//! Sentences about a table's players and result.

use std::borrow::Cow;
use std::time::Duration;

use game::{Game, Phrase, Seat, Span, by_place, code, phrase};
use table::{Event, EventKind, ImportedReason, Occupant, Table, TableStatus};

use crate::YOU;

/// Returns the players and their sides as sentences.
pub fn seating<G: Game>(table: &Table<G>) -> Phrase {
    seating_with(table, Span::Person)
}

/// Returns the players and their sides as sentences. `invited_span` formats players who haven't commented in this round.
pub fn seating_with<G: Game>(table: &Table<G>, invited_span: fn(String) -> Span) -> Phrase {
    if let Some(open) = table.terms().open {
        let turns = match open.gap {
            0 => "as often as they like".to_owned(),
            1 => "just not twice in a row".to_owned(),
            gap => format!("but not again until {gap} other people have moved"),
        };
        return format!("Anyone can move for either side, {turns}.").into();
    }
    Phrase::join(Seat::BOTH.map(|seat| seat_sentence(table, seat, invited_span)), " ")
}

/// Returns the player of a side as a sentence: "alice plays White."
pub fn seat_sentence<G: Game>(table: &Table<G>, seat: Seat, invited_span: fn(String) -> Span) -> Phrase {
    let side = G::INFO.side_name(seat);
    match table.occupant(seat) {
        None => phrase![side, " is open: write ", code("/join"), " to take it."],
        Some(Occupant { computer: Some(level), .. }) => {
            format!("The computer (level {}) plays {side}.", level.number()).into()
        }
        Some(occupant) if occupant.is_reserved() => {
            phrase![reserved_for(&side, invited(occupant, invited_span)), "."]
        }
        Some(Occupant { login, .. }) => {
            phrase![Span::Person(login.clone()), after_name(login, " play ", " plays "), side, "."]
        }
    }
}

/// Returns the name of an invited player. A mention may look like a commit, `@deadbeef`, but not like emphasis, `@_name_`.
fn invited(occupant: &Occupant, invited_span: fn(String) -> Span) -> Span {
    let login = occupant.login.clone();
    if login.starts_with('_') || login.ends_with('_') { Span::Person(login) } else { invited_span(login) }
}

/// Returns the invitation that follows "alice started a game", with how to answer it; `None` without an invitation.
pub fn invitation<G: Game>(table: &Table<G>, seat: Seat, invited_span: fn(String) -> Span) -> Option<Phrase> {
    let occupant = table.occupant(seat).filter(|occupant| occupant.is_reserved())?;
    let or_move = if table.player_to_move() == seat { ", a move, or " } else { " or " };
    let play = format!(" to play {}: write ", G::INFO.side_name(seat));
    let answer = phrase![code("/join"), or_move, code("/decline"), "."];
    Some(phrase![" and invites ", invited(occupant, invited_span), play, answer])
}

/// Returns the result and the commentary on the last move as sentences, or "The game is still in progress."
pub fn ending<G: Game>(table: &Table<G>) -> Phrase {
    // If the board is undecided, the commentary is about an older move.
    let commentary = if table.game().outcome().is_some() { commentary(table) } else { None };
    phrase![result(table), commentary]
}

/// Returns the result and the final score as sentences, without the automatic turns before the end.
pub fn ending_in_short<G: Game>(table: &Table<G>) -> Phrase {
    let score = table.game().final_score().map(|score| phrase![" ", score]);
    phrase![result(table), score]
}

/// Returns the result as a sentence, or "The game is still in progress."
fn result<G: Game>(table: &Table<G>) -> Phrase {
    let last = table.history().last();
    match (table.status(), last) {
        (TableStatus::Playing, _) => "The game is still in progress.".into(),
        (TableStatus::Won(seat), Some(event))
            if event.resignation_text().is_some() && table.occupant(seat).is_none() =>
        {
            phrase![subject(table, seat.other()), " resigned. Nobody had joined yet."]
        }
        (TableStatus::Won(seat), Some(event)) if event.resignation_text().is_some() => {
            phrase![subject(table, seat.other()), " resigned. ", subject(table, seat), " won."]
        }
        (status, Some(Event { kind: EventKind::ImportedEnd { reason, .. }, .. })) => {
            imported_ending(table, status, *reason)
        }
        (TableStatus::Won(seat), Some(Event { kind: EventKind::Claim | EventKind::Flag, .. })) => {
            phrase![subject(table, seat), " won: ", player(table, seat.other()), " ran out of time."]
        }
        (TableStatus::Won(seat), _) => {
            phrase![subject(table, seat), " won", ending_reason(table), "."]
        }
        (TableStatus::Draw, Some(Event { kind: EventKind::OfferDraw, seat: Some(seat), .. })) => {
            phrase![player(table, *seat), " offered a draw, and the computer accepted."]
        }
        (TableStatus::Draw, Some(Event { kind: EventKind::AcceptDraw, .. })) => "The players agreed to a draw.".into(),
        (TableStatus::Draw, Some(Event { kind: EventKind::ClaimDraw, seat: Some(seat), .. })) => {
            let reason = table.game().claimable_draw().map(Cow::into_owned);
            phrase![subject(table, *seat), " claimed a draw: ", reason, "."]
        }
        (TableStatus::Draw, Some(Event { kind: EventKind::Claim | EventKind::Flag, .. })) => {
            let late = table.player_to_move();
            let [loser, winner] = [late, late.other()].map(|seat| player(table, seat));
            phrase![loser, " ran out of time, but ", winner, " has no way left to checkmate. The game is a draw."]
        }
        (TableStatus::Draw, _) => phrase!["The game ended in a draw", ending_reason(table), "."],
        (TableStatus::Moved(to), _) => format!("The game continues in issue #{to}.").into(),
        (TableStatus::Aborted, Some(Event { kind: EventKind::Decline, seat: Some(seat), .. })) => {
            let whose = table.occupant(seat.other()).map_or("the".into(), |inviter| possessive(&inviter.login));
            phrase![subject(table, *seat), " declined ", whose, " invitation. The game ended without a result."]
        }
        (TableStatus::Aborted, Some(Event { kind: EventKind::IssueGone, .. })) => {
            "The issue of this game is gone, so the game ended without a result.".into()
        }
        // A maintainer can end an open game, and so can anyone once its record is full.
        (TableStatus::Aborted, _) if table.terms().open.is_some() => "The game ended without a result.".into(),
        (TableStatus::Aborted, _) => {
            let who = table.history().last().and_then(|event| event.seat).map(|seat| player(table, seat));
            phrase![who.unwrap_or("A maintainer".into()), " ended the game without a result."]
        }
    }
}

/// Returns the result of an imported game that its moves don't show.
fn imported_ending<G: Game>(table: &Table<G>, status: TableStatus, reason: Option<ImportedReason>) -> Phrase {
    match (status, reason) {
        (TableStatus::Won(seat), Some(ImportedReason::Time)) => {
            phrase![subject(table, seat), " won: ", player(table, seat.other()), " ran out of time."]
        }
        (TableStatus::Won(seat), Some(ImportedReason::Abandoned)) => {
            phrase![subject(table, seat), " won: ", player(table, seat.other()), " abandoned the game."]
        }
        (TableStatus::Won(seat), None) => {
            phrase![subject(table, seat), " won. The record doesn't say how."]
        }
        (TableStatus::Draw, _) => "The game was a draw. The record doesn't say why.".into(),
        _ => "The game was abandoned without a result.".into(),
    }
}

/// Returns the player with their side: "alice (X)"; the side alone if the seat is empty.
pub fn player<G: Game>(table: &Table<G>, seat: Seat) -> Phrase {
    let side = G::INFO.side_name(seat);
    match table.occupant(seat) {
        None => side.into(),
        Some(Occupant { computer: Some(_), .. }) => phrase!["the computer (", side, ")"],
        Some(Occupant { login, .. }) => phrase![Span::Person(login.clone()), side_after(login, &side)],
    }
}

/// Returns the player with their side for the start of a sentence: "The computer (X)".
pub fn subject<G: Game>(table: &Table<G>, seat: Seat) -> Phrase {
    match table.occupants().computer_at(seat) {
        Some(_) => phrase!["The computer (", G::INFO.side_name(seat), ")"],
        None => player(table, seat),
    }
}

/// Returns why the game ended on the board, after a colon; `None` if it didn't.
pub fn ending_reason<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let reason = table.game().ending()?.reason?;
    Some(phrase![": ", reason.into_owned()])
}

/// Returns a sentence about the dice of a replayed table, whose rolls have been verified; `None` without rolls.
pub fn dice_proof<G: Game>(table: &Table<G>) -> Option<String> {
    let roll_count = table.state().dice().roll_count();
    let is_key_published = table.history().last().is_some_and(|event| event.key.is_some());
    let verification = match (table.state().dice().commitment(), is_key_published) {
        _ if roll_count == 0 => return None,
        (Some(_), true) => "each verified with the key",
        (Some(_), false) if table.status() == TableStatus::Playing => "verifiable when the round ends",
        (Some(_), false) => "NOT verified: the round ended without its key",
        (None, _) => "recorded without a proof",
    };
    let noun = if roll_count == 1 { "dice roll" } else { "dice rolls" };
    Some(format!("{roll_count} {noun}, {verification}."))
}

/// Returns how the result changed the ratings, with a leading space; `None` if it changed none.
pub(super) fn rating_changes<G: Game>(table: &Table<G>) -> Option<Phrase> {
    let changes = table.rating_changes()?;
    let changes = Seat::BOTH.into_iter().zip(changes).filter_map(|(seat, change)| {
        let [before, after] = [change.before, change.after].map(f64::round);
        let sign = match after - before {
            gain if gain > 0.0 => "+",
            loss if loss < 0.0 => "−",
            _ => "±",
        };
        let provisional = if change.is_provisional() { ", provisional" } else { "" };
        let change = format!(" {after} ({sign}{}{provisional})", (after - before).abs());
        Some(phrase![Span::Person(table.occupant(seat)?.login.clone()), change])
    });
    Some(phrase![" New ratings: ", Phrase::join(changes, ", "), "."])
}

/// Returns the game's commentary on the last move, with a leading space; `None` if there is none.
pub fn commentary<G: Game>(table: &Table<G>) -> Option<Phrase> {
    table.game().commentary().map(|commentary| phrase![" ", commentary])
}

// People in sentences. The only person at a terminal is addressed as "you".

/// Returns words after a person's name, which can differ after "you".
pub(super) fn after_name(login: &str, if_you: impl Into<Phrase>, otherwise: impl Into<Phrase>) -> Phrase {
    // A GitHub user may be called "You", so the other words are only for a terminal.
    if login == YOU { by_place(if_you, otherwise) } else { otherwise.into() }
}

/// Returns a person's side after their name: " (X)". You know your own side.
pub(super) fn side_after(login: &str, side: &str) -> Phrase {
    after_name(login, "", format!(" ({side})"))
}

/// Returns the possessive of a name: "alice's", or "your".
pub(super) fn possessive(login: &str) -> Phrase {
    let theirs = phrase![Span::Person(login.to_owned()), "'s"];
    if login == YOU { by_place("your", theirs) } else { theirs }
}

/// Returns whose turn it is, without a period: "It's alice's turn (X)".
pub(super) fn turn_of(login: &str, side: &str) -> Phrase {
    phrase!["It's ", possessive(login), " turn", side_after(login, side)]
}

/// Returns "Black is reserved for bob", without a period. A terminal has no invitations, so there it's "bob plays Black".
pub(super) fn reserved_for(side: &str, person: Span) -> Phrase {
    let at_terminal = phrase![person.clone(), format!(" plays {side}")];
    by_place(at_terminal, phrase![side.to_owned(), " is reserved for ", person])
}

// Formats durations.

/// Returns a duration in its two largest nonzero units, rounded up to minutes: "6 days 23 hours".
pub fn format_duration(duration: Duration) -> String {
    let minutes = duration.as_millis().div_ceil(60_000);
    let parts = [(minutes / 1440, "day"), (minutes / 60 % 24, "hour"), (minutes % 60, "minute")];
    let shown = parts.iter().skip_while(|(count, _)| *count == 0).take(2).filter(|(count, _)| *count > 0);
    let shown: Vec<String> =
        shown.map(|(count, unit)| format!("{count} {unit}{}", if *count == 1 { "" } else { "s" })).collect();
    if shown.is_empty() { "no time".to_owned() } else { shown.join(" ") }
}

/// Returns how long something has lasted, in its largest unit, rounded down: "6 days", or "just now" below a minute. The space
/// doesn't break, for narrow tables.
pub fn format_age(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let units = [(minutes / 1440, "day"), (minutes / 60, "hour"), (minutes, "minute")];
    units.into_iter().find(|(count, _)| *count > 0).map_or("just\u{a0}now".to_owned(), |(count, unit)| {
        format!("{count}\u{a0}{unit}{}", if count == 1 { "" } else { "s" })
    })
}

// Numbers of moves as players of the game write them.

/// The number of a ply in a list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveNumber {
    /// The number, from 1.
    pub number: usize,
    /// Whether it is the second move with this number, as Black's in chess.
    pub is_second: bool,
}

impl MoveNumber {
    /// Returns the number of a ply, which is counted from 1.
    pub fn of_ply<G: Game>(table: &Table<G>, ply: usize) -> MoveNumber {
        let start = table.timeline().start_position();
        let Some(first) = start.first_move_number() else { return MoveNumber { number: ply, is_second: false } };
        let earlier = ply.saturating_sub(1) + start.side_to_move().index();
        MoveNumber { number: first + earlier / 2, is_second: earlier % 2 == Seat::Second.index() }
    }
}

/// Returns a ply with its number, as players of the game write it: `13... Rh3#`. The ply is counted from 1; `None` if the
/// game doesn't have it.
pub fn numbered_ply<G: Game>(table: &Table<G>, ply: usize) -> Option<String> {
    let entry = table.timeline().ply_at(ply.checked_sub(1)?)?.move_list_entry();
    Some(format!("{} {entry}", MoveNumber::of_ply(table, ply)))
}

/// Writes `13.`, or `13...` for the second move with this number.
impl std::fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.number, if self.is_second { "..." } else { "." })
    }
}
