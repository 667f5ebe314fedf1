//! The whole bot as one pure function: a table, a comment and the house rules in; a decision out.
//!
//! No clock, no IO, no randomness. What an accepted command changes is one event, and [`Record::then`] is the judge of
//! what a history allows; here is judged what depends on the person and the comment.

use crate::decisions::append::{apply, own_seat, with_event};
use crate::decisions::decision::{Decision, Show};
use crate::decisions::house::HouseRules;
use crate::decisions::setup;
use crate::game::contract::Game;
use crate::game::rule::Unread;
use crate::game::seat::Seat;
use crate::games::registry::Kind;
use crate::tables::any::{AnyTable, with_table};
use crate::tables::history::What;
use crate::tables::refusal::Refusal;
use crate::tables::table::{SILENCE, Table, TableStatus};
use crate::talk::command::{Command, Reading};
use crate::talk::utterance::Utterance;

/// Decides about a comment for the table it is meant for: the one in `issue`, if there is one.
#[must_use]
pub fn decide(table: Option<&AnyTable>, issue: u64, said: &Utterance, house: &HouseRules) -> Decision {
    let decision = match (&said.reading, table) {
        (Reading::Nothing, _) | (Reading::Bare(_), None) => Ok(Decision::Chat),
        (Reading::Unclear(Refusal::Slip(..), None), None) => Ok(Decision::Chat),
        (Reading::Unclear(Refusal::TwoCommands(first, _), None), None) if !counts_anywhere(first) => Ok(Decision::Chat),
        (Reading::Unclear(refusal, _), _) => Err(refusal.clone()),
        (Reading::Command(Command::Help(game), _), _) => help(game.as_deref(), table, house),
        (Reading::Command(Command::New(words), _), _) => setup::open(table, issue, words, said, house),
        (Reading::Command(_, Some(named)), None) => Err(Refusal::NoTable(*named)),
        // Other people's commands: without a table they are none of ours.
        (Reading::Command(_, None), None) => Ok(Decision::Chat),
        (Reading::Bare(text), Some(table)) => with_table!(table, record => bare(record, text, said, house)),
        (Reading::Command(command, _), Some(table)) => with_table!(table, record => take(record, command, said, house)),
    };
    decision.unwrap_or_else(Decision::Refuse)
}

pub(crate) type Decided = Result<Decision, Refusal>;

/// Whether a command is meant for us even where there is no table.
fn counts_anywhere(word: &str) -> bool {
    matches!(word, "/new" | "/help")
}

fn help(game: Option<&str>, table: Option<&AnyTable>, house: &HouseRules) -> Decided {
    let Some(name) = game else { return Ok(Decision::Show(Show::Help(table.map(AnyTable::kind)))) };
    match Kind::meant(name) {
        Some(kind) => Ok(Decision::Show(Show::Help(Some(kind)))),
        None => Err(setup::unknown_game(name, house)),
    }
}

/// A comment that is nothing but a move, by somebody who has a seat. Anything else is chat.
fn bare<G: Game>(record: &Table<G>, text: &str, said: &Utterance, house: &HouseRules) -> Decided
where
    AnyTable: From<Table<G>>,
{
    let reads = !matches!(record.game().read(text), Err(Unread::Strange));
    if reads && own_seat(record, &said.author).is_some() { play(record, text, said, house) } else { Ok(Decision::Chat) }
}

fn take<G: Game>(record: &Table<G>, command: &Command, said: &Utterance, house: &HouseRules) -> Decided
where
    AnyTable: From<Table<G>>,
{
    match command {
        Command::Board => Ok(Decision::Show(Show::Board)),
        Command::Moves => Ok(Decision::Show(Show::Moves)),
        Command::History => Ok(Decision::Show(Show::History)),
        Command::Continue => relocate(record, said, house),
        Command::Rematch => rematch(record, said, house),
        _ if record.status != TableStatus::Playing => Err(over(record)),
        Command::Join(seat) => join(record, seat.as_deref(), said, house),
        Command::Move(notation) => play(record, notation, said, house),
        Command::Double => play(record, "double", said, house),
        Command::Take => play(record, "take", said, house),
        Command::Drop => play(record, "drop", said, house),
        Command::Roll => play(record, "roll", said, house),
        Command::Abort => abort(record, said, house),
        _ => by_word(record, command, said, house),
    }
}

fn join<G: Game>(record: &Table<G>, wanted: Option<&str>, said: &Utterance, house: &HouseRules) -> Decided
where
    AnyTable: From<Table<G>>,
{
    let free = |seat: &Seat| !record.is_seated(*seat);
    let seat = match wanted {
        Some(name) => setup::seat::<G>(name)?,
        None => own_seat(record, &said.author)
            .or_else(|| Seat::BOTH.into_iter().find(free))
            .ok_or_else(|| Refusal::Full(record.seating()))?,
    };
    apply(record, What::Join, Some(seat), said, house)
}

fn play<G: Game>(record: &Table<G>, text: &str, said: &Utterance, house: &HouseRules) -> Decided
where
    AnyTable: From<Table<G>>,
{
    if record.status != TableStatus::Playing {
        return Err(over(record));
    }
    // A move is always for the seat on turn; whoever has the other one is not on turn, whoever has none may take it.
    let seat = record.to_move();
    match own_seat(record, &said.author) {
        Some(own) if own != seat => return Err(Refusal::not_your_turn(record)),
        None if record.is_seated(seat) => return Err(Refusal::NotSeated(record.seating())),
        _ => {}
    }
    if text.trim().is_empty() {
        return Err(Refusal::WhichMove(G::INFO.moves));
    }
    let game = record.game();
    let mv = game.read(text).map_err(|unread| match unread {
        Unread::Strange => Refusal::Unread(text.to_owned(), G::INFO.moves, nearest_move(game, text)),
        Unread::OffBoard((_, sentence)) => Refusal::OffBoard(text.to_owned(), sentence),
        Unread::Ambiguous(moves) => Refusal::Ambiguous(text.to_owned(), moves),
    })?;
    // The notation of an illegal move is never looked at: the rules refuse it first.
    let legal = game.objection(&mv).is_none();
    let notation = if legal { game.notation(&mv) } else { String::new() };
    apply(record, What::Move { notation, mv }, Some(seat), said, house)
}

/// The one legal move that is a single slip away, if there is just one.
fn nearest_move<G: Game>(game: &G, text: &str) -> Option<String> {
    let wanted: String = text.trim().to_lowercase().chars().take(40).collect();
    let has_event_from = game.legal_moves().into_iter().map(|mv| game.notation(&mv));
    let mut near = has_event_from.filter(|name| strsim::damerau_levenshtein(&name.to_lowercase(), &wanted) == 1);
    near.next().filter(|name| near.next().is_none() && name.len() > 1)
}

fn abort<G: Game>(record: &Table<G>, said: &Utterance, house: &HouseRules) -> Decided
where
    AnyTable: From<Table<G>>,
{
    let seat = own_seat(record, &said.author);
    if said.maintainer {
        return apply(record, What::Abort, seat, said, house);
    }
    if record.terms.open.is_some() {
        return Err(Refusal::OpenTable);
    }
    let seat = seat.ok_or_else(|| Refusal::OnlyPlayers(record.seating()))?;
    let last = record.history.last().map_or(0, |event| event.timestamp);
    let silent = said.time.saturating_sub(last);
    let both_moved = Seat::BOTH.into_iter().all(|seat| record.has_moved(seat));
    match record.terms.per_move {
        _ if !both_moved => {}
        None if silent >= SILENCE => {}
        None => return Err(Refusal::TooLateToAbort(Some(SILENCE - silent))),
        Some(_) => return Err(Refusal::TooLateToAbort(None)),
    }
    apply(record, What::Abort, Some(seat), said, house)
}

/// What the players settle between them by word.
fn by_word<G: Game>(record: &Table<G>, command: &Command, said: &Utterance, house: &HouseRules) -> Decided
where
    AnyTable: From<Table<G>>,
{
    if record.terms.open.is_some() {
        return take_back(record, command, said, house);
    }
    let seat = own_seat(record, &said.author).ok_or_else(|| Refusal::NotSeated(record.seating()))?;
    let asked = |by: Option<Seat>| by == Some(seat.other());
    let (draw, undo) = (asked(record.draw.by), asked(record.undo.by));
    let grant = || record.undo_plies(seat.other()).map(|plies| What::Undo { plies }).ok_or(Refusal::NothingToUndo);
    let what = match command {
        Command::Resign => What::Resign,
        Command::Claim => What::Claim,
        Command::Decline => What::Decline,
        Command::Draw if draw => What::AcceptDraw,
        Command::Draw if !record.is_seated(seat.other()) => return Err(Refusal::NobodyOpposite),
        Command::Draw => What::OfferDraw,
        Command::Undo if undo => grant()?,
        // Nobody has sat down opposite, so there is nobody to ask.
        Command::Undo if !record.is_seated(seat.other()) => {
            What::Undo { plies: record.undo_plies(seat).ok_or(Refusal::NothingToUndo)? }
        }
        Command::Undo => What::AskUndo,
        _ => match (draw, undo) {
            (true, true) => return Err(Refusal::AcceptWhich),
            (true, false) => What::AcceptDraw,
            (false, true) => grant()?,
            (false, false) => return Err(Refusal::NothingToAccept),
        },
    };
    apply(record, what, Some(seat), said, house)
}

/// At an open table there is nobody to ask: whoever made the last move may take it back before the next one.
fn take_back<G: Game>(record: &Table<G>, command: &Command, said: &Utterance, house: &HouseRules) -> Decided
where
    AnyTable: From<Table<G>>,
{
    if *command != Command::Undo {
        return Err(Refusal::OpenTable);
    }
    let seat = record.plies().next_back().and_then(|(_, event, _)| event.seat).ok_or(Refusal::NothingToUndo)?;
    apply(record, What::Undo { plies: 1 }, Some(seat.0), said, house)
}

fn rematch<G: Game>(record: &Table<G>, said: &Utterance, house: &HouseRules) -> Decided
where
    AnyTable: From<Table<G>>,
{
    if let TableStatus::Moved(to) = record.status {
        return Err(Refusal::Moved(to));
    }
    let seat = match record.terms.open {
        Some(_) => None,
        None => Some(own_seat(record, &said.author).ok_or_else(|| Refusal::OnlyPlayers(record.seating()))?),
    };
    if record.status == TableStatus::Playing {
        // Both ask for a rematch at once: the second one sees the table that the first one got.
        let fresh = record.round > 1 && record.history.len() == 1;
        return if fresh { Ok(Decision::Show(Show::Board)) } else { Err(Refusal::NotOver) };
    }
    let next = Table::<G>::set_up(record.issue, record.round.saturating_add(1), record.config.clone(), record.terms)?;
    let opponent = seat.and_then(|seat| record.sitter(seat.other()).cloned());
    let what = What::New { opponent, commitment: None };
    let table = with_event(next, record.settled_through, what, seat.map(Seat::other), said, house)?;
    Ok(Decision::Apply { table: Box::new(table.into()), finished: Some(Box::new(record.clone().into())) })
}

/// Nothing more can be done at this table.
fn over<G: Game>(record: &Table<G>) -> Refusal {
    match record.status {
        TableStatus::Moved(to) => Refusal::Moved(to),
        _ => Refusal::GameOver(record.ending()),
    }
}

/// The table goes on in the issue that the comment stands in: one record ends, the other has all of its history.
fn relocate<G: Game>(record: &Table<G>, said: &Utterance, house: &HouseRules) -> Decided
where
    AnyTable: From<Table<G>>,
{
    if record.status != TableStatus::Playing {
        return Err(over(record));
    }
    let seat = own_seat(record, &said.author);
    // At an open table those have a say who have opened it or played there.
    let opener = record.history.first().is_some_and(|event| event.by == said.author.id);
    let involved = seat.is_some() || opener || record.login_of(said.author.id).is_some();
    if !involved && !said.maintainer {
        return Err(Refusal::OnlyPlayers(record.seating()));
    }
    if said.source.issue == record.issue {
        return Err(Refusal::ContinueWhere(record.issue));
    }
    if said.at_table {
        return Err(Refusal::IssueTaken(record.issue));
    }
    let (from, to) = (record.issue, said.source.issue);
    let old = with_event(record.clone(), record.settled_through, What::MovedAway { to }, seat, said, house)?;
    let mut new = record.clone();
    new.issue = to;
    let new = with_event(new, 0, What::MovedHere { from }, seat, said, house)?;
    Ok(Decision::Apply { table: Box::new(new.into()), finished: Some(Box::new(old.into())) })
}
