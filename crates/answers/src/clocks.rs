//! Describes clocks: the time that each player has left, their deadlines, and their days away.

use std::time::Duration;

use game::contract::Game;
use game::phrase::{Phrase, Span, code, phrase};
use table::absence::{AwayFile, AwayRefusal, MAX_DAYS};
use table::calendar::format_deadline;
use table::table::Table;
use table::timestamp::Timestamp;
use table::turn_clock::TurnClock;

use crate::duration::format_duration;
use crate::sentences;

/// Returns the clock of the player to move; `None` without a limit, or if nobody has taken the seat.
pub(super) fn running_clock<G: Game>(table: &Table<G>) -> Option<TurnClock> {
    let is_occupied = table.occupants().is_occupied(table.player_to_move());
    table.state().turn_clock().filter(|_| is_occupied)
}

/// Returns the time that the player to move has left. The sentence continues after their name; with `to_player`, it
/// addresses them.
pub(super) fn time_left<G: Game>(table: &Table<G>, clock: &TurnClock, to_player: bool, at: Timestamp) -> Phrase {
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
