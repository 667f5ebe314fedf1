//! TODO page.

use crate::decisions::decide::Decided;
use crate::decisions::decision::Decision;
use crate::decisions::house::HouseRules;
use crate::game::contract::Game;
use crate::game::seat::Seat;
use crate::tables::any::AnyTable;
use crate::tables::dice::{Key, Occasion};
use crate::tables::history::{Event, Sitter, What, seat_name};
use crate::tables::refusal::Refusal;
use crate::tables::state_file::{self, FULL_BYTES, MAX_EVENTS};
use crate::tables::table::{Table, ThrowSource};
use crate::talk::comment::Author;
use crate::talk::utterance::Utterance;

/// The seat that is this person's: they sit there, or it is kept for them and they speak for the first time.
pub(crate) fn own_seat<G: Game>(record: &Table<G>, author: &Author) -> Option<Seat> {
    let kept = |seat: &Seat| {
        let name = record.sitter(*seat).filter(|sitter| sitter.id.is_none());
        name.is_some_and(|sitter| sitter.login.eq_ignore_ascii_case(&author.login))
    };
    record.seat_of(author.id).or_else(|| Seat::BOTH.into_iter().find(kept))
}

/// One more event at a table that goes on.
pub(crate) fn apply<G: Game>(
    record: &Table<G>,
    what: What<G>,
    seat: Option<Seat>,
    said: &Utterance,
    house: &HouseRules,
) -> Decided
where
    AnyTable: From<Table<G>>,
{
    if let Some(seat) = seat {
        let stranger = own_seat(record, &said.author).is_none();
        if let Some(Sitter { id: None, login }) = record.sitter(seat).filter(|_| stranger) {
            return Err(Refusal::SeatKept(seat_name::<G>(seat), login.clone()));
        }
    }
    let table = with_event(record.clone(), record.settled_through, what, seat, said, house)?;
    let table = Box::new(AnyTable::from(table));
    let going_on = table.is_playing();
    if going_on && (record.history.len() + 2 >= MAX_EVENTS || state_file::write(&table).len() > FULL_BYTES) {
        return Err(Refusal::RecordFull);
    }
    Ok(Decision::Apply { table, finished: None })
}

/// A record with one more event, its floor raised if the comment stands in its own thread.
pub(crate) fn with_event<G: Game>(
    mut record: Table<G>,
    settled_through: u64,
    mut what: What<G>,
    seat: Option<Seat>,
    said: &Utterance,
    house: &HouseRules,
) -> Result<Table<G>, Refusal> {
    let own_thread = said.source.issue == record.issue;
    record.settled_through = if own_thread { settled_through.max(said.settles_through) } else { settled_through };
    record.rename(said.author.id, &said.author.login);
    let key = key(&record, said, house);
    if let What::New { commitment, .. } = &mut what {
        let provable = house.dice.is_some() && G::DICE;
        *commitment = key.as_ref().filter(|_| provable).map(Key::commitment);
    }
    let event = Event {
        what,
        then: Vec::new(),
        key: None,
        seat: seat.map(Into::into),
        by: said.author.id,
        source: said.source,
        timestamp: said.time,
    };
    record.then(event, &said.author.login, ThrowSource::Key(key.as_ref()))
}

/// The key that dice are thrown with: the one of the round if it can be proved, else one that is made up here and now.
/// Nothing where the secret that the round began with is gone.
fn key<G: Game>(record: &Table<G>, said: &Utterance, house: &HouseRules) -> Option<Key> {
    let opening = record.history.first();
    if opening.is_some() && record.commitment.is_none() || opening.is_none() && house.dice.is_none() {
        return Some(Key::fresh(said.luck));
    }
    let (by, comment, time) = match opening {
        Some(event) => (event.by, event.source.comment, event.timestamp),
        None => (said.author.id, said.source.comment, said.time),
    };
    let occasion = Occasion { issue: record.first_issue(), round: record.round, by, comment, time };
    house.dice.as_ref().map(|secret| Key::of_round(secret, &occasion))
}
