//! The people who have played, with their rounds and ratings.

use std::collections::BTreeMap;

use game::seat::Seat;
use maud::{Markup, html};
use standings::recount::{RatingStep, RecountedStandings};
use table::comments::comment::is_login;
use table::game_state::TableStatus;
use table::ids::UserId;
use table::timestamp::Timestamp;

use crate::round_summary::{RoundSummary, SeatOccupant};

/// A person who has played.
#[derive(Clone, Debug, Default)]
pub struct Person {
    /// The newest username.
    pub login: String,
    /// The time of the last event in their rounds.
    pub last_event_at: Timestamp,
    /// Their rounds, as indices into those of the site, oldest first.
    pub rounds: Vec<usize>,
    /// The games in progress with a seat that is reserved for them, as indices into the rounds of the site.
    pub invitations: Vec<usize>,
    /// Their ratings by the game's name, oldest first.
    pub ratings: BTreeMap<&'static str, Vec<RatingStep>>,
}

/// Returns everyone who has played, by user id. `rounds` is in order of the last events.
pub fn people(rounds: &[RoundSummary], recounted: &RecountedStandings) -> BTreeMap<UserId, Person> {
    let mut people: BTreeMap<UserId, Person> = BTreeMap::new();
    for (index, round) in rounds.iter().enumerate() {
        let seated = round.seats.iter().filter_map(|holder| match holder {
            SeatOccupant::Person(id, login) => Some((*id, login)),
            _ => None,
        });
        let movers = round.movers.iter().flatten().map(|(id, login, _)| (*id, login));
        for (id, login) in seated.chain(movers).filter(|(_, login)| is_login(login)) {
            let person = people.entry(id).or_default();
            if person.rounds.last() != Some(&index) {
                person.rounds.push(index);
            }
            if (round.last_event_at, login) >= (person.last_event_at, &person.login) {
                person.last_event_at = round.last_event_at;
                person.login.clone_from(login);
            }
        }
    }
    for (login, index) in reserved_seats(rounds) {
        // A username can change hands, so take its newest owner.
        let holders = people.values_mut().filter(|person| person.login.eq_ignore_ascii_case(login));
        if let Some(person) = holders.max_by_key(|person| person.last_event_at) {
            person.invitations.push(index);
        }
    }
    for step in &recounted.rating_steps {
        if let Some(person) = people.get_mut(&step.id) {
            person.ratings.entry(step.game).or_default().push(*step);
        }
    }
    people
}

/// Returns the reserved seats of games in progress: the username, and the index of the game.
fn reserved_seats(rounds: &[RoundSummary]) -> impl Iterator<Item = (&str, usize)> {
    let playing = rounds.iter().enumerate().filter(|(_, round)| round.status == TableStatus::Playing);
    playing.flat_map(|(index, round)| {
        round.seats.iter().filter_map(move |holder| match holder {
            SeatOccupant::Reserved(login) => Some((login.as_str(), index)),
            _ => None,
        })
    })
}

/// Returns a seat's holder, with a link to their page. `top` is the relative path to the site's root.
pub fn player_link(round: &RoundSummary, seat: Seat, top: &str) -> Markup {
    html! {
        @match &round.seats[seat.index()] {
            SeatOccupant::Person(id, login) if is_login(login) => (person_link(*id, login, top)),
            _ => (round.player_name(seat)),
        }
    }
}

/// Returns a link to a person's page.
pub fn person_link(id: UserId, login: &str, top: &str) -> Markup {
    html! { a href={ (top) "players/" (id) ".html" } { (login) } }
}
