//! Sentences about a table's players and result.

use std::borrow::Cow;

use game::{Phrase, Seat, Span, by_person, by_place, person, plain, say};
use games::AnyPosition;
use table::{Event, EventKind, ImportedReason, Person, Player, Table, TableStatus, reserved_for, total_votes};

/// Returns the players and their sides as sentences.
pub fn seating(table: &Table) -> Phrase {
    seating_with(table, Span::Person)
}

/// Returns the players and their sides as sentences. `invited_span` formats players who haven't commented in this round.
pub fn seating_with(table: &Table, invited_span: fn(String) -> Span) -> Phrase {
    match table.terms().open.map(|open| open.gap) {
        None => Phrase::join(Seat::BOTH.map(|seat| seat_sentence(table, seat, invited_span)), " "),
        Some(0) => say!("Anyone can move for either side, as often as they like."),
        Some(1) => say!("Anyone can move for either side, just not twice in a row."),
        Some(gap) => say!("Anyone can move for either side, but not again until {gap} other people have moved."),
    }
}

/// Returns the player of a side as a sentence: "alice plays White."
pub fn seat_sentence(table: &Table, seat: Seat, invited_span: fn(String) -> Span) -> Phrase {
    let side = table.info().side_name(seat);
    match table.player(seat) {
        None => say!("{side} is open: write `/join` to take it."),
        Some(Player::Computer(level)) => {
            say!("The computer (level {level}) plays {side}.", level = level.number())
        }
        Some(Player::Crowd) => say!("Everybody can vote for {side}."),
        Some(Player::Returning(Person { login, .. }) | Player::Invited(login)) => {
            reserved_for(&side, &invited(login, invited_span))
        }
        Some(Player::Person(Person { login, .. })) => {
            let side = &plain(side);
            by_person(login, say!("{login:person} play {side}."), say!("{login:person} plays {side}."))
        }
    }
}

/// Returns the name of an invited player. A mention may look like a commit, `@deadbeef`, but not like emphasis, `@_name_`.
fn invited(login: &str, invited_span: fn(String) -> Span) -> Span {
    let login = login.to_owned();
    if login.starts_with('_') || login.ends_with('_') { Span::Person(login) } else { invited_span(login) }
}

/// Returns the sentence that starts a game with an invitation, and how to answer it; `None` without an invitation. `started`
/// says who started which game.
pub fn invitation(table: &Table, started: &Phrase, seat: Seat, invited_span: fn(String) -> Span) -> Option<Phrase> {
    let login = table.player(seat).filter(|player| player.is_reserved())?.login()?;
    let (person, side) = (invited(login, invited_span), table.info().side_name(seat));
    Some(if table.player_to_move() == seat {
        say!("{started} and invites {person} to play {side}: write `/join`, a move, or `/decline`.")
    } else {
        say!("{started} and invites {person} to play {side}: write `/join` or `/decline`.")
    })
}

/// Returns the result and the final score as sentences, or "The game is still in progress."
pub fn ending(table: &Table) -> Phrase {
    say!("{result}{score}", result = result(table), score = final_score(table))
}

/// Returns the final score as a sentence with a leading space; `None` if there is none.
pub(super) fn final_score(table: &Table) -> Option<Phrase> {
    let score = with_names(table, &table.game().final_score()?);
    Some(say!(" {score}"))
}

/// Returns the result as a sentence, or "The game is still in progress."
fn result(table: &Table) -> Phrase {
    let subject = |seat: Seat| subject(table, seat);
    let player = |seat: Seat| player(table, seat);
    let reason = ending_reason(table);
    match (table.status(), table.history().last()) {
        (TableStatus::Playing, _) => say!("The game is still in progress."),
        (TableStatus::Won(seat), Some(event)) if event.resignation_text().is_some() => {
            let loser = subject(seat.other());
            match table.player(seat) {
                Some(_) => say!("{loser} resigned. {seat:subject} won."),
                None => say!("{loser} resigned. Nobody had joined yet."),
            }
        }
        (status, Some(Event { kind: EventKind::ImportedEnd { reason, .. }, .. })) => {
            imported_ending(table, status, *reason)
        }
        (TableStatus::Won(seat), Some(Event { kind: EventKind::Claim | EventKind::Flag, .. })) => {
            say!("{seat:subject} won: {loser} ran out of time.", loser = player(seat.other()))
        }
        (TableStatus::Won(seat), _) => say!("{seat:subject} won{reason}."),
        (TableStatus::Draw, Some(Event { kind: EventKind::OfferDraw, seat: Some(seat), .. })) => {
            say!("{player} offered a draw, and the computer accepted.", player = player(*seat))
        }
        (TableStatus::Draw, Some(Event { kind: EventKind::AcceptDraw, .. })) => {
            say!("The players agreed to a draw.")
        }
        (TableStatus::Draw, Some(Event { kind: EventKind::ClaimDraw, seat: Some(seat), .. })) => {
            let reason = table.game().claimable_draw().map(Cow::into_owned);
            say!("{player} claimed a draw: {reason}.", player = subject(*seat))
        }
        (TableStatus::Draw, Some(Event { kind: EventKind::Claim | EventKind::Flag, .. })) => {
            let late = table.player_to_move();
            let winner = player(late.other());
            say!("{late:player} ran out of time, but {winner} has no way left to checkmate. The game is a draw.")
        }
        (TableStatus::Draw, _) => say!("The game ended in a draw{reason}."),
        (TableStatus::Moved(to), _) => say!("The game continues in issue #{to}.", to = &to),
        (TableStatus::Aborted, Some(Event { kind: EventKind::Decline, seat: Some(seat), .. })) => {
            let player = subject(*seat);
            match table.player(seat.other()).and_then(Player::login).map(possessive) {
                Some(whose) => say!("{player} declined {whose} invitation. The game ended without a result."),
                None => say!("{player} declined the invitation. The game ended without a result."),
            }
        }
        (TableStatus::Aborted, Some(Event { kind: EventKind::IssueGone, .. })) => {
            say!("The issue of this game is gone, so the game ended without a result.")
        }
        // A maintainer can end an open game, and so can anyone once its record is full.
        (TableStatus::Aborted, _) if table.terms().open.is_some() => say!("The game ended without a result."),
        (TableStatus::Aborted, last) => match last.and_then(|event| event.seat) {
            Some(seat) => say!("{seat:player} ended the game without a result."),
            None => say!("A maintainer ended the game without a result."),
        },
    }
}

/// Returns the result of an imported game that its moves don't show.
fn imported_ending(table: &Table, status: TableStatus, reason: Option<ImportedReason>) -> Phrase {
    match (status, reason) {
        (TableStatus::Won(seat), reason) => {
            let (winner, loser) = (subject(table, seat), player(table, seat.other()));
            match reason {
                Some(ImportedReason::Time) => say!("{winner} won: {loser} ran out of time."),
                Some(ImportedReason::Abandoned) => say!("{winner} won: {loser} abandoned the game."),
                None => say!("{winner} won. The record doesn't say how."),
            }
        }
        (TableStatus::Draw, _) => say!("The game was a draw. The record doesn't say why."),
        _ => say!("The game was abandoned without a result."),
    }
}

/// Returns the player with their side: "alice (X)"; the side alone if the seat is empty.
pub fn player(table: &Table, seat: Seat) -> Phrase {
    let side = table.info().side_name(seat);
    match table.player(seat) {
        None => side.into(),
        Some(player @ (Player::Computer(_) | Player::Crowd)) => {
            say!("{name} ({side})", name = player.name().to_owned())
        }
        Some(player) => person_with_side(player.name(), &side, Span::Person),
    }
}

/// Returns the player with their side for the start of a sentence: "The computer (X)", "The crowd (O)".
pub fn subject(table: &Table, seat: Seat) -> Phrase {
    let side = table.info().side_name(seat);
    match table.player(seat) {
        Some(Player::Computer(_)) => say!("The computer ({side})"),
        Some(Player::Crowd) => say!("The crowd ({side})"),
        _ => player(table, seat),
    }
}

/// Returns why the game ended on the board, after a colon; `None` if it didn't.
pub fn ending_reason(table: &Table) -> Option<Phrase> {
    let reason = table.game().ending()?.reason?;
    Some(say!(": {reason}", reason = reason.into_owned()))
}

/// Returns a sentence about the dice of a replayed table, whose rolls have been verified; `None` without rolls.
pub fn dice_proof(table: &Table) -> Option<String> {
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
pub(super) fn rating_changes(table: &Table) -> Option<Phrase> {
    let changes = table.rating_changes()?;
    let changes = Seat::BOTH.into_iter().zip(changes).filter_map(|(seat, change)| {
        let [before, after] = [change.before, change.after].map(f64::round);
        let by = (after - before).abs();
        let by = match after - before {
            gain if gain > 0.0 => format!("+{by}"),
            loss if loss < 0.0 => format!("−{by}"),
            _ => "unchanged".to_owned(),
        };
        let provisional = if change.is_provisional() { ", provisional" } else { "" };
        let login = table.player(seat)?.login()?;
        let change = plain(format!("{after} ({by}{provisional})"));
        Some(say!("{login:person} {change}"))
    });
    Some(say!(" New ratings: {changes}.", changes = Phrase::join(changes, ", ")))
}

/// Returns a position's commentary on the move before it, after what separates it from that move; `None` if there is none.
pub(super) fn commentary(table: &Table, position: &AnyPosition) -> Option<Phrase> {
    let commentary = with_names(table, &position.commentary()?);
    Some(say!("{separator}{commentary}", separator = separator(table)))
}

/// Returns a note that the bot plays forced moves, with a leading space; `None` if it doesn't.
pub(super) fn autoplay_note(table: &Table) -> Option<&'static str> {
    table.terms().autoplay.then_some(" If a player has only one legal move, the bot plays it.")
}

/// Returns what separates the sentences about a move: in a game with dice, each has its own line.
pub(super) fn separator(table: &Table) -> &'static str {
    if table.game().has_dice() { "\n" } else { " " }
}

/// Returns a phrase of a table's game, with the players in place of its sides.
pub(super) fn with_names(table: &Table, phrase: &Phrase) -> Phrase {
    with_players(table, phrase, |login| person(login).into())
}

/// Returns a score with the players in place of the sides. [`Phrase::mention`] doesn't find them there.
pub(super) fn score_with_names(table: &Table, score: &Phrase) -> Phrase {
    with_players(table, score, |login| by_place(person(login), plain(crate::render::markdown(&person(login).into()))))
}

fn with_players(table: &Table, phrase: &Phrase, name: impl Fn(&str) -> Phrase) -> Phrase {
    phrase.name_sides(|seat, starts_sentence| match table.player(seat) {
        None => table.info().side_name(seat).into(),
        Some(Player::Computer(_)) if starts_sentence => say!("The computer"),
        Some(Player::Crowd) if starts_sentence => say!("The crowd"),
        Some(player @ (Player::Computer(_) | Player::Crowd)) => say!("{name}", name = player.name().to_owned()),
        Some(player) => name(player.name()),
    })
}

// People in sentences. The only person at a terminal is addressed as "you".

/// Returns a person with their side: "alice (X)". You know your own side.
pub(super) fn person_with_side(login: &str, side: &str, span: fn(String) -> Span) -> Phrase {
    let person = &span(login.to_owned());
    by_person(login, person, say!("{person} ({side:plain})"))
}

/// Returns the possessive of a name: "alice's", or "your".
pub(super) fn possessive(login: &str) -> Phrase {
    by_person(login, "your", say!("{login:person}'s"))
}

/// Returns whose turn it is: "It's alice's turn (X)."
pub(super) fn turn_of(login: &str, side: &str) -> Phrase {
    by_person(login, say!("It's your turn."), say!("It's {login:person}'s turn ({side:plain})."))
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
    pub fn of_ply(table: &Table, ply: usize) -> MoveNumber {
        let start = table.timeline().start_position();
        let Some(first) = start.first_move_number() else { return MoveNumber { number: ply, is_second: false } };
        let earlier = ply.saturating_sub(1) + start.side_to_move().index();
        MoveNumber { number: first + earlier / 2, is_second: earlier % 2 == Seat::Second.index() }
    }
}

/// Returns a ply with its number, as players of the game write it: `13... Rh3#`. The ply is counted from 1; `None` if the
/// game doesn't have it.
pub fn numbered_ply(table: &Table, ply: usize) -> Option<String> {
    let entry = table.timeline().ply_at(ply.checked_sub(1)?)?.move_list_entry();
    Some(format!("{} {entry}", MoveNumber::of_ply(table, ply)))
}

/// Writes `13.`, or `13...` for the second move with this number.
impl std::fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.number, if self.is_second { "..." } else { "." })
    }
}

/// Returns how a crowd chose its last move, after a space: "with 12 of 20 votes". `None` if a crowd didn't make the last move.
pub(super) fn votes_of_last_move(table: &Table) -> Option<String> {
    let event = table.history().last()?;
    let (votes, total) = (event.votes.first()?.votes, total_votes(&event.votes));
    Some(match total {
        1 => " with the only vote".to_owned(),
        total => format!(" with {votes} of {total} votes"),
    })
}
