//! Pages for two players: their score, and the games they finished against each other.

use std::collections::BTreeMap;

use ::game::Seat;
use answers::percent_encode;
use maud::html;
use table::{Player, TableStatus, UserId, is_login};

use crate::lists::{filter_link, results_list};
use crate::page::count;
use crate::people::person_link;
use crate::{PageHead, Person, RoundSummary, Site};

/// The number of games from which two players have a page. With fewer, the game's own page says it all.
pub(crate) const MIN_GAMES: usize = 2;
/// The maximum number of games on a page. The filter finds the others.
const MAX_GAMES: usize = 50;

/// Two people, or a person and the computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    first: UserId,
    /// The other player; `None` for the computer.
    second: Option<UserId>,
}

impl Pair {
    /// Returns the pair of a person and an opponent, in any order. `None` is the computer.
    pub(crate) fn new(id: UserId, opponent: Option<UserId>) -> Pair {
        match opponent {
            Some(other) if other < id => Pair { first: other, second: Some(id) },
            second => Pair { first: id, second },
        }
    }

    /// Returns the players who finished a round; `None` without a result, or if it wasn't between two known players.
    fn of_round(round: &RoundSummary) -> Option<Pair> {
        let id = |seat: Seat| match &round.seats[seat.index()] {
            Some(Player::Person(person)) => Some(Some(person.id)),
            Some(Player::Computer(_)) => Some(None),
            _ => None,
        };
        match (id(Seat::First)?, id(Seat::Second)?) {
            (Some(id), opponent) | (opponent, Some(id)) if round.has_result() => Some(Pair::new(id, opponent)),
            _ => None,
        }
    }

    /// Returns the path of the pair's page: `players/versus-1-2.html`.
    pub(crate) fn path(self) -> String {
        let second = self.second.map_or("computer".to_owned(), |id| id.to_string());
        format!("players/versus-{}-{second}.html", self.first)
    }
}

/// Returns the pages of all pairs with several results. `ended` is oldest first.
pub fn pages(site: &Site, people: &BTreeMap<UserId, Person>, ended: &[&RoundSummary]) -> Vec<(String, String)> {
    let mut pairs: BTreeMap<Pair, Vec<&RoundSummary>> = BTreeMap::new();
    for round in ended {
        if let Some(pair) = Pair::of_round(round) {
            pairs.entry(pair).or_default().push(round);
        }
    }
    let several = pairs.iter().filter(|(_, rounds)| rounds.len() >= MIN_GAMES);
    several.filter_map(|(pair, rounds)| Some((pair.path(), pair_page(site, *pair, people, rounds)?))).collect()
}

/// Returns the page of a pair; `None` if a player has no page.
fn pair_page(site: &Site, pair: Pair, people: &BTreeMap<UserId, Person>, rounds: &[&RoundSummary]) -> Option<String> {
    let login = |id: UserId| people.get(&id).map(|person| person.login.as_str()).filter(|login| is_login(login));
    let first = login(pair.first)?;
    let second = pair.second.map_or(Some("computer"), login)?;
    let wins = |id: Option<UserId>| rounds.iter().filter(|round| winner(round) == Some(id)).count();
    let [won, lost] = [Some(pair.first), pair.second].map(wins);
    let drawn = rounds.iter().filter(|round| round.status == TableStatus::Draw).count();
    let title = format!("{first} – {second}");
    let draws = if drawn > 0 { format!(", {drawn} drawn") } else { String::new() };
    let score = format!("{first} won {won}, {second} won {lost}{draws}");
    let query = format!("player={}&against={}", percent_encode(first), percent_encode(second));
    let body = html! {
        h1 {
            (person_link(pair.first, first, "../")) " – "
            @match pair.second { Some(id) => (person_link(id, second, "../")), None => (second) }
        }
        p.facts { (count(rounds.len(), "game")) " · " (score) }
        (results_list(rounds.iter().rev().take(MAX_GAMES).copied(), "../"))
        (filter_link(&query))
    };
    let head = PageHead { path: &pair.path(), title: &title, description: &format!("{score}."), picture: None };
    Some(site.page(head, &body))
}

/// Returns the winner of a round between two known players: `None` for a draw, and an inner `None` for the computer.
fn winner(round: &RoundSummary) -> Option<Option<UserId>> {
    let TableStatus::Won(seat) = round.status else { return None };
    Some(round.seats[seat.index()].as_ref().and_then(Player::id))
}
