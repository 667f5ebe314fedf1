//! One more event at a table: its author, its place and time, and the key that its dice come from.

use game::contract::Game;
use game::seat::Seat;

use crate::decisions::host_policy::HostPolicy;
use crate::dice::{Key, RoundContext};
use crate::history::{Event, EventKind};
use crate::refusal::TableRefusal;
use crate::table::Table;
use crate::talk::context::CommentContext;

/// Returns a table that has begun one more event, and the key that finishes it. If the comment is in the table's own thread,
/// the thread is settled up to there.
///
/// # Errors
/// Returns an error if a rule of the game or of the table forbids the event.
pub(super) fn begin_event<G: Game>(
    table: Table<G>,
    mut kind: EventKind<G::Move>,
    seat: Option<Seat>,
    said: &CommentContext,
    house: &HostPolicy,
) -> Result<(Table<G>, Option<Key>), TableRefusal> {
    let is_own_thread = said.source.issue == table.issue();
    let table = if is_own_thread { table.with_settled_through(said.settles_through) } else { table };
    let key = round_key(&table, said, house);
    if let EventKind::New { commitment, .. } = &mut kind {
        let provable = house.dice_secret.is_some() && G::HAS_DICE;
        *commitment = key.as_ref().filter(|_| provable).map(Key::commitment);
    }
    let event = Event {
        kind,
        consequences: Vec::new(),
        key: None,
        seat,
        by: said.author.id,
        source: said.source,
        timestamp: said.updated_at,
    };
    Ok((table.begin_event(event, &said.author.login)?, key))
}

/// Returns the key that dice are thrown with: the one of the round if it can be proved, else one that is made up here and
/// now. `None` if the secret that the round began with is gone.
fn round_key<G: Game>(table: &Table<G>, said: &CommentContext, house: &HostPolicy) -> Option<Key> {
    let opening = table.history().first();
    if opening.is_some() && table.state().dice().commitment().is_none()
        || opening.is_none() && house.dice_secret.is_none()
    {
        return Some(Key::from_entropy(said.entropy));
    }
    let (by, comment, time) = match opening {
        Some(event) => (event.by, event.source.comment, event.timestamp),
        None => (said.author.id, said.source.comment, said.updated_at),
    };
    let occasion = RoundContext { issue: table.first_issue(), round: table.round(), by, comment, time };
    house.dice_secret.as_ref().map(|secret| Key::derive(secret, &occasion))
}
