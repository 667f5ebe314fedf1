//! One more event at a table: its author, its place and time, and the key that its dice come from.

use game::contract::Game;
use game::seat::Seat;

use crate::decisions::house::HouseRules;
use crate::dice::{Key, Occasion};
use crate::history::{Event, EventKind};
use crate::refusal::TableRefusal;
use crate::table::Table;
use crate::talk::utterance::Utterance;

/// Returns a table that has begun one more event, and the key that finishes it. If the comment is in the table's own thread,
/// the thread is settled up to there.
///
/// # Errors
/// Returns an error if a rule of the game or of the table forbids the event.
pub(super) fn begin<G: Game>(
    table: Table<G>,
    mut kind: EventKind<G::Move>,
    seat: Option<Seat>,
    said: &Utterance,
    house: &HouseRules,
) -> Result<(Table<G>, Option<Key>), TableRefusal> {
    let is_own_thread = said.source.issue == table.issue();
    let table = if is_own_thread { table.settled_to(said.settles_through) } else { table };
    let key = key(&table, said, house);
    if let EventKind::New { commitment, .. } = &mut kind {
        let provable = house.dice.is_some() && G::DICE;
        *commitment = key.as_ref().filter(|_| provable).map(Key::commitment);
    }
    let event = Event {
        kind,
        then: Vec::new(),
        key: None,
        seat,
        by: said.author.id,
        source: said.source,
        timestamp: said.time,
    };
    Ok((table.begin(event, &said.author.login)?, key))
}

/// Returns the key that dice are thrown with: the one of the round if it can be proved, else one that is made up here and
/// now. `None` if the secret that the round began with is gone.
fn key<G: Game>(table: &Table<G>, said: &Utterance, house: &HouseRules) -> Option<Key> {
    let opening = table.history().first();
    if opening.is_some() && table.state().dice().commitment().is_none() || opening.is_none() && house.dice.is_none() {
        return Some(Key::fresh(said.luck));
    }
    let (by, comment, time) = match opening {
        Some(event) => (event.by, event.source.comment, event.timestamp),
        None => (said.author.id, said.source.comment, said.time),
    };
    let occasion = Occasion { issue: table.first_issue(), round: table.round(), by, comment, time };
    house.dice.as_ref().map(|secret| Key::of_round(secret, &occasion))
}
