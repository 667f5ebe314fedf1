//! The people whom the invitations in an issue mention: at most three, and each of them once. People who have come back
//! don't count, so they can be mentioned again.

use game::contract::Game;
use game::seat::Seat;

use crate::history::{Event, EventKind, Occupant};
use crate::table::Table;

/// The maximum number of people whom the invitations in one issue mention.
const MAX_MENTIONED: usize = 3;

/// Whether the invitation to a table mentions the opponent.
pub fn mentions_opponent<G: Game>(table: &Table<G>) -> bool {
    let Some((opponent, mentioned)) = invitation(table) else { return false };
    mentioned.len() < MAX_MENTIONED && !mentioned.iter().any(|login| login.eq_ignore_ascii_case(&opponent.login))
}

/// Returns the usernames that the invitations in an issue have mentioned up to this table, without people who have come back
/// since.
pub(super) fn mentioned_so_far<G: Game>(table: &Table<G>) -> Vec<String> {
    let Some(Event { kind: EventKind::New { opponent, mentioned, .. }, .. }) = table.history().first() else {
        return Vec::new();
    };
    let newest = opponent.iter().filter(|_| mentions_opponent(table)).map(|opponent| opponent.login.to_lowercase());
    mentioned.iter().cloned().chain(newest).filter(|login| !has_come(table, login)).collect()
}

/// Returns the person that a table's first event invites, and the people mentioned before; `None` without an invitation.
fn invitation<G: Game>(table: &Table<G>) -> Option<(&Occupant, &[String])> {
    match &table.history().first()?.kind {
        EventKind::New { opponent: Some(opponent), mentioned, .. } if opponent.is_reserved() => {
            Some((opponent, mentioned))
        }
        _ => None,
    }
}

/// Whether a person has done anything at this table except decline.
fn has_come<G: Game>(table: &Table<G>, login: &str) -> bool {
    let names = table.occupants().names();
    let seat = Seat::BOTH.into_iter().find(|seat| names[seat.index()].eq_ignore_ascii_case(login));
    let id = seat.and_then(|seat| table.occupant(seat)).and_then(|occupant| occupant.id);
    id.is_some_and(|id| table.history().iter().any(|event| event.author == id && event.kind != EventKind::Decline))
}
