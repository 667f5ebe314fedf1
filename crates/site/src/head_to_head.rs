//! A player's score against each opponent.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use answers::pages::links::percent_encode;
use maud::{Markup, html};
use table::comments::comment::is_login;
use table::ids::UserId;

use crate::people::person_link;
use crate::player_results::{Outcome, PlayerResult};
use crate::round_summary::{RoundSummary, SeatOccupant};
use crate::wording::count;

/// The number of opponents that are visible at first.
const SHOWN_OPPONENTS: usize = 10;
/// The maximum number of opponents on a page.
const MAX_OPPONENTS: usize = 30;

/// The numbers of games by outcome.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    wins: usize,
    draws: usize,
    losses: usize,
}

impl Score {
    fn games(self) -> usize {
        self.wins + self.draws + self.losses
    }
}

/// Returns the score against each opponent, the most frequent one first; `None` if there are no results.
pub fn head_to_head(login: &str, results: &[PlayerResult], rounds: &[&RoundSummary]) -> Option<Markup> {
    // The key is an opponent's user id; `None` is the computer.
    let mut scores: BTreeMap<Option<UserId>, Score> = BTreeMap::new();
    for result in results {
        let opponent = match &result.opponent {
            SeatOccupant::Person(id, _) => Some(*id),
            SeatOccupant::Computer(_) => None,
            _ => continue,
        };
        let score = scores.entry(opponent).or_default();
        match result.outcome {
            Outcome::Won => score.wins += 1,
            Outcome::Drawn => score.draws += 1,
            Outcome::Lost => score.losses += 1,
        }
    }
    let mut rows: Vec<(Option<UserId>, Score)> = scores.into_iter().collect();
    rows.sort_by_key(|(opponent, score)| (Reverse(score.games()), *opponent));
    if rows.is_empty() {
        return None;
    }
    let logins = logins_by_id(rounds);
    let (shown, rest) = rows.split_at(rows.len().min(SHOWN_OPPONENTS));
    let (more, hidden) = rest.split_at(rest.len().min(MAX_OPPONENTS - SHOWN_OPPONENTS));
    Some(html! {
        section {
            h2 { "Head to head" }
            (score_list(login, shown, &logins))
            @if !more.is_empty() {
                details {
                    summary { (count(rest.len(), "more opponent")) }
                    (score_list(login, more, &logins))
                    @if !hidden.is_empty() { p { "And " (hidden.len()) " with fewer games." } }
                }
            }
        }
    })
}

fn score_list(login: &str, rows: &[(Option<UserId>, Score)], logins: &BTreeMap<UserId, &str>) -> Markup {
    html! {
        ul.versus {
            @for (opponent, score) in rows {
                li {
                    span.opponent { (opponent_link(*opponent, logins)) }
                    @let name = opponent.map_or("computer", |id| logins.get(&id).copied().unwrap_or("?"));
                    a.result href={ "../results/index.html?player=" (percent_encode(login)) "&against=" (percent_encode(name)) } {
                        @if score.draws > 0 { small { (count(score.draws, "draw")) } " " }
                        (score.wins) " – " (score.losses)
                    }
                }
            }
        }
    }
}

fn opponent_link(opponent: Option<UserId>, logins: &BTreeMap<UserId, &str>) -> Markup {
    let login = opponent.and_then(|id| logins.get(&id).copied());
    html! {
        @match (opponent, login) {
            (Some(id), Some(login)) if is_login(login) => (person_link(id, login, "../")),
            (None, _) => "computer",
            (_, login) => (login.unwrap_or("?")),
        }
    }
}

/// Returns the newest username of everyone in these rounds, which are oldest first.
fn logins_by_id<'a>(rounds: &[&'a RoundSummary]) -> BTreeMap<UserId, &'a str> {
    let people = rounds.iter().flat_map(|round| &round.seats).filter_map(|holder| match holder {
        SeatOccupant::Person(id, login) => Some((*id, login.as_str())),
        _ => None,
    });
    people.collect()
}
