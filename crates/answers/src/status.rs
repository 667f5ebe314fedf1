//! The status of a table: whose turn it is, open offers, legal moves, the move history, hints, reminders and ballots.

use std::time::Duration;

use game::{Level, Phrase, Seat, by_person, by_place, list_code, mention, person, say, without_prompt};
use table::dice::public_seed;
use table::timestamp::{format_deadline, format_duration};
use table::{
    AwayFile, Ballot, CommentRef, EventKind, IssueNumber, Offer, Person, Player, Table, TableStatus, Timestamp,
    TurnClock, engine,
};

use crate::sentences::turn_of;
use crate::{NoticeKind, OutputFormat, announce, board, sentences};

/// The moves that the bot prefers as examples: chess openings, and `b2` on boards with cells.
const ORDINARY_MOVES: [&str; 9] = ["e4", "e5", "d4", "d5", "Nf3", "Nf6", "Nc3", "Nc6", "b2"];

/// Returns the status line and the open offers.
pub(super) fn full_status(table: &Table, at: Timestamp) -> Phrase {
    let open = if table.status() == TableStatus::Playing { open_offers(table) } else { None };
    say!("{status}{open}", status = status_line(table, false, at))
}

/// Returns whose turn it is, their time left, and what they have to do, or the result.
///
/// `mentions` notifies the player to move. `at` is the time of the answered command.
pub(super) fn status_line(table: &Table, mentions: bool, at: Timestamp) -> Phrase {
    if table.status() != TableStatus::Playing {
        return say!("{ending}{hint}", ending = sentences::ending(table), hint = rematch_hint(table));
    }
    let seat = table.player_to_move();
    let name = table.info().side_name(seat);
    let mentions = mentions && table.players().has_person(seat);
    let clock = running_clock(table);
    let turn = match table.player(seat) {
        Some(Player::Person(Person { login, .. })) if mentions => Some(say!("{login:mention}, it's your turn.")),
        // The sentence about the time left says whose turn it is.
        Some(_) if clock.as_ref().is_some_and(|clock| !clock.left(at).is_zero()) => None,
        Some(player @ (Player::Computer(_) | Player::Crowd)) => {
            Some(say!("It's {player}'s turn ({name}).", player = player.name().to_owned()))
        }
        Some(player) => Some(turn_of(player.name(), &name)),
        None if table.terms().open.is_some() => {
            let example = example_move(table);
            Some(say!("It's {name}'s turn: write a move, such as `{example}`."))
        }
        None => {
            let example = example_move(table);
            Some(say!("It's {name}'s turn, and the seat is open: write a move, such as `{example}`, to take it."))
        }
    };
    let limit = clock.map(|clock| time_left(table, &clock, mentions, at));
    let claim = if table.terms().open.is_none() { table.game().why_claimable() } else { None };
    let claim = claim.map(|fact| say!("{fact}, so either player can claim a draw with `/draw`."));
    let hint = table.game().turn_hint().map(|hint| sentences::with_names(table, &hint));
    let turn = Phrase::join([turn, limit, hint, claim].into_iter().flatten(), " ");
    let standing = table.game().standing().map(|standing| sentences::score_with_names(table, &standing));
    Phrase::join(standing.into_iter().chain([turn]), sentences::separator(table))
}

/// Returns how much time each player has, or the result.
pub(super) fn both_clocks(table: &Table, at: Timestamp) -> Phrase {
    let turn = status_line(table, false, at);
    if !table.is_playing() {
        return turn;
    }
    let terms = table.terms();
    let Some(limit) = terms.per_move.map(format_duration) else {
        let since = table.history().last().map_or(Duration::ZERO, |event| at.since(event.timestamp));
        return say!(
            "{turn} The last move or command was {since} ago. There's no time limit in this game.",
            since = format_duration(since),
        );
    };
    let with_bank = |bank: Duration| match (terms.bank, bank) {
        (None, _) => String::new(),
        (Some(_), Duration::ZERO) => ", and nothing in the bank".to_owned(),
        (Some(_), bank) => format!(", and {} in the bank", format_duration(bank)),
    };
    let full_bank = with_bank(terms.bank.unwrap_or_default());
    if !table.players().is_occupied(table.player_to_move()) {
        return say!("{turn} The clock, {limit} per move{full_bank}, starts when the seat is taken.");
    }
    let waiting = table.player_to_move().other();
    match table.player(waiting) {
        Some(Player::Person(Person { login, .. })) => {
            let (bank, away) = (with_bank(table.state().bank(waiting)), away(table, waiting, at));
            say!("{turn} After that, {login:person} gets {limit}{bank}.{away}")
        }
        _ => say!("{turn} Each player has {limit} for a move{full_bank}."),
    }
}

/// Returns the date when a player comes back, as a sentence with a leading space; `None` if they aren't away.
fn away(table: &Table, seat: Seat, at: Timestamp) -> Option<Phrase> {
    let until = table.state().away_until(seat, at).and_then(format_deadline)?;
    let login = table.player(seat)?.login()?;
    Some(say!(" {login:person} is away until {until}."))
}

/// Returns a legal move as a newcomer writes it. A move of one character needs `/move`.
///
/// It's an ordinary move if one is legal, otherwise an arbitrary one, so that it isn't advice.
fn example_move(table: &Table) -> String {
    let game = table.game();
    let legal: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    let ordinary = ORDINARY_MOVES.iter().find(|name| legal.iter().any(|mv| mv == *name));
    let hash =
        legal.iter().flat_map(|name| name.bytes()).fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
    let arbitrary = legal.get(hash as usize % legal.len().max(1));
    let name = ordinary.map_or_else(|| arbitrary.cloned().unwrap_or_default(), |name| (*name).to_owned());
    if name.chars().count() > 1 { name } else { format!("/move {name}") }
}

/// Returns an offer as a sentence: "alice (X) offered a draw." `login` is the person who made it.
pub(super) fn offer_sentence(offer: Offer, who: &Phrase, login: &str) -> Phrase {
    match offer {
        Offer::Draw => say!("{who} offers a draw."),
        Offer::Takeback => by_person(
            login,
            say!("{who} asked to take back your last move."),
            say!("{who} asked to take back their last move."),
        ),
        Offer::Resignation => say!("{who} offers to concede this game as a single."),
    }
}

/// Returns the open offers, and how to answer them, with a leading space; `None` without offers.
pub(super) fn open_offers(table: &Table) -> Option<Phrase> {
    let offers = [Offer::Draw, Offer::Takeback, Offer::Resignation].into_iter().filter_map(|offer| {
        let seat = table.state().offers().offered_by(offer)?;
        let login = table.player(seat).and_then(Player::login).unwrap_or_default();
        Some((seat, offer_sentence(offer, &sentences::player(table, seat), login)))
    });
    let (seats, offers): (Vec<Seat>, Vec<Phrase>) = offers.unzip();
    let opponent = sentences::subject(table, seats.first()?.other());
    Some(say!(" {offers} {answers}", offers = Phrase::join(offers, " "), answers = how_to_answer(&opponent)))
}

/// Returns how a player answers an offer.
pub(super) fn how_to_answer(player: &Phrase) -> Phrase {
    say!("{player}: `/accept`, `/decline`, or just move.")
}

/// Returns how to play again; `None` while the game is in progress.
pub(super) fn rematch_hint(table: &Table) -> Option<Phrase> {
    if !table.is_over() {
        return None;
    }
    let is_declined = table.history().last().is_some_and(|event| event.kind == EventKind::Decline);
    if is_declined && table.status() == TableStatus::Aborted {
        let game = table.variant().name();
        return Some(say!(" To invite someone else, write `/new {game} @username`."));
    }
    let sides = if table.terms().open.is_some() { "" } else { " with sides swapped" };
    let has_review = table.has_result() && table.plies().len() > 0;
    let review = has_review.then(|| say!(" `/review` shows the turning points."));
    Some(without_prompt(say!(" To play again{sides}, write `/rematch`.{review}")))
}

/// Returns which level of the computer a player has just beaten, and how to play the next one, with a leading space; `None` if
/// the game doesn't count as a win against the computer.
pub(super) fn beaten_level(table: &Table) -> Option<Phrase> {
    let (level, game) = (standings::beaten_level(table)?, table.variant().name());
    let number = level.number();
    let Some(next) = level.next().map(Level::number) else {
        return Some(say!(" You beat level {number}, the highest."));
    };
    let command = by_place(say!("`new {game} level={next}`"), say!("`/new {game} computer level={next}`"));
    Some(if level == Level::LEARNING {
        say!(" You beat level {number}, which is for practice. To try level {next}, write {command}.")
    } else {
        say!(" You beat level {number}. To try level {next}, write {command}.")
    })
}

/// Returns the move that the computer would play.
///
/// Its seed differs from those of real moves, so that a hint doesn't predict the computer's reply.
pub(super) fn hint(table: &Table, level: Level) -> Phrase {
    let seed = public_seed(table.round(), 0, CommentRef::body_of(IssueNumber::default()));
    // Level 0 plays too many random moves to help anybody.
    let level = if level == Level::LEARNING { Level::MEDIUM } else { level };
    let game = table.game();
    match engine::search(game, level, seed) {
        Some(chosen) => say!("The computer would play `{mv}`.", mv = game.notation(&chosen.mv)),
        None => sentences::ending(table),
    }
}

/// Returns the first hint of a round against the computer, with a note that a win won't count. At level 0, no win counts.
pub(super) fn first_hint(table: &Table) -> Phrase {
    let level = table.players().computer().map_or(Level::MEDIUM, |(_, level)| level);
    let hint = hint(table, level);
    if level == Level::LEARNING {
        return hint;
    }
    say!("{hint} You took a hint, so a win won't count as beating level {level}.", level = level.number())
}

/// Returns the legal moves, or the result.
pub(super) fn legal_move_list(table: &Table, at: Timestamp) -> Phrase {
    if table.status() != TableStatus::Playing {
        return sentences::ending(table);
    }
    let game = table.game();
    let moves: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    let status = full_status(table, at);
    match moves.as_slice() {
        [only] => say!("{status} One legal move: `{only}`."),
        moves => say!("{status} {count} legal moves: {moves:list_code}.", count = moves.len()),
    }
}

/// Returns the moves, two per line, without those taken back, and the number of takebacks.
pub(super) fn move_history(table: &Table, at: Timestamp) -> Phrase {
    let played = table.plies().map(|ply| {
        let (side, entry) = (table.info().side_name(ply.seat), ply.move_list_entry());
        if ply.played.is_some() { say!("{side} `{entry}`") } else { say!("{side} {entry}") }
    });
    let played: Vec<Phrase> = played.collect();
    if played.is_empty() {
        return say!("No moves yet. {status}", status = full_status(table, at));
    }
    let turns = played.chunks(2).enumerate();
    let turns = turns
        .map(|(at, turn)| say!("{number}. {turn}", number = at + 1, turn = Phrase::join(turn.iter().cloned(), ", ")));
    let undone = table.history().iter().filter(|event| matches!(event.kind, EventKind::Undo { .. })).count();
    let (turns, status) = (Phrase::join(turns, "\n"), full_status(table, at));
    match undone {
        0 => say!("{turns}\n\n{status}"),
        undone => say!("{turns}\n\nTakebacks so far: {undone}.\n\n{status}"),
    }
}

// Describes clocks: the time that each player has left, their deadlines, and their days away.

/// Returns the clock of the player to move; `None` without a limit, or if nobody has taken the seat.
fn running_clock(table: &Table) -> Option<TurnClock> {
    let is_occupied = table.players().is_occupied(table.player_to_move());
    table.state().turn_clock().filter(|_| is_occupied)
}

/// Returns the time that the player to move has left. With `to_player`, the sentence addresses them.
fn time_left(table: &Table, clock: &TurnClock, to_player: bool, at: Timestamp) -> Phrase {
    let seat = table.player_to_move();
    let (left, bank) = (clock.left(at), clock.bank_left(at));
    if left.is_zero() {
        let their = if to_player { "Your" } else { "Their" };
        if !table.has_ever_moved(seat) {
            return say!("{their} time has run out.");
        }
        // The late player may be reading this, so name the player who can claim.
        let opponent = sentences::player(table, seat.other());
        return say!("{their} time has run out: {opponent} can `/claim` the win.");
    }
    let who = sentences::subject(table, seat);
    if let Some(back) = clock.away_until(at) {
        let until = format_deadline(back).map(|back| format!(" until {back}"));
        let left = format_duration(left);
        return if to_player {
            say!("You're away{until}, and your clock has stopped at {left}.")
        } else {
            say!("{who} is away{until}, and their clock has stopped at {left}.")
        };
    }
    let has = if to_player { say!("You have") } else { say!("{who} has") };
    let until = |time: Timestamp| format_deadline(time).map(|until| format!(", until {until}"));
    let (for_move, deadline) = (left.saturating_sub(bank), until(clock.deadline()));
    let rest = if clock.per_move == for_move { "" } else { " left" };
    match (for_move, bank) {
        (_, Duration::ZERO) => say!("{has} {left}{rest}{deadline}.", left = format_duration(left)),
        (Duration::ZERO, bank) => say!("{has} {bank} left in the bank{deadline}.", bank = format_duration(bank)),
        (for_move, bank) => {
            let ([for_move, bank], until) = ([for_move, bank].map(format_duration), until(clock.bank_starts_at()));
            say!("{has} {for_move}{rest}{until}, and then {bank} in the bank.")
        }
    }
}

/// Returns the answer to an accepted `/away`.
pub fn time_away(file: &AwayFile, at: Timestamp) -> Phrase {
    let (login, left) = (&file.login, file.days_left(file.away_until(at).unwrap_or(at)));
    let days = match left {
        1 => "1 more day".to_owned(),
        left => format!("{left} more days"),
    };
    match file.away_until(at).map(|until| format_deadline(until).unwrap_or_default()) {
        Some(until) => say!(
            "{login:person} is away until {until}, and their clocks here have stopped. To come back, write `/away off`. \
             They can be away {days} in the next 12 months. This is public, and stays in the repository's history."
        ),
        None => say!(
            "{login:person} is here, and their clocks run. They can be away {days} in the next 12 months. To stop their \
             clocks, write `/away 14d`."
        ),
    }
}

/// Returns the answer to `/away` from a person without a game here.
pub fn away_without_games(login: &str) -> Phrase {
    say!("{login:person}: You have no game in progress here, so there are no clocks to stop.")
}

/// Returns the reminder for the player to move; `None` if nobody has taken their seat.
pub fn reminder(table: &Table, kind: NoticeKind, at: Timestamp) -> Option<Phrase> {
    let seat = table.player_to_move();
    let login = table.player(seat)?.login()?;
    if kind != NoticeKind::Silence {
        let left = time_left(table, &running_clock(table)?, true, at);
        return Some(say!("{login:mention}, it's your turn. {left}"));
    }
    let since = format_duration(at.since(table.turn_started_at()));
    let waiting = table.player(seat.other())?.login()?;
    Some(say!(
        "{login:mention}, it's been your turn for {since}. {waiting:person} can write `/nudge` to remind you, once a day. After 30 \
         silent days, either of you can `/abort` the game, and {waiting:person} can play on with `/computer`."
    ))
}

/// Returns a ballot: what happened before, the board, the candidates, and how to vote. `now` is when the bot posts it.
pub fn ballot(table: &Table, ballot: &Ballot, now: Timestamp, format: OutputFormat<'_>) -> String {
    let news = table.history().last().filter(|event| event.has_votes()).map(|_| announce::sentence(table));
    let side = table.info().side_name(table.player_to_move());
    let end = table.clone().announced_at(now).votes_end().and_then(format_deadline).unwrap_or_default();
    let candidates = ballot.candidates.iter().map(|candidate| {
        let (emoji, notation) = (candidate.reaction.emoji(), &candidate.notation);
        say!("{emoji} `{notation}`")
    });
    let candidates = Phrase::join(candidates, " · ");
    let rule = table.terms().crowd;
    let time = rule.map(|rule| format_duration(rule.voting_time)).unwrap_or_default();
    let quorum = rule.map(|rule| rule.quorum).filter(|quorum| *quorum > 1);
    let quorum = quorum.map(|quorum| say!(", if at least {quorum} people have voted"));
    let how = say!(
        "**Vote for {side}'s move** for {time}, until {end}. Then the move with the most votes is played{quorum}.\n\nTap one of \
         these emoji at the bottom of this comment:\n\n{candidates}\n\nTo vote for another move, comment with just that move. \
         👀 shows that your vote is in. You have one vote: if you tap several, the first one in this list counts, and a move \
         that you write replaces them."
    );
    let news = news.map_or(String::new(), |news| format!("{}\n\n", format.render(&news)));
    format!("{news}{}\n{}", board::render_board(table, format), format.render(&how))
}

/// Returns the notice that a game waits because nobody has voted.
pub fn no_votes(table: &Table) -> Phrase {
    let side = table.info().side_name(table.player_to_move());
    say!(
        "Nobody has voted for {side}'s move for a week, so the game waits. The next vote on the ballot above continues it."
    )
}
