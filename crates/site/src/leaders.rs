//! The best players of each game in short lists.

use games::registry::GameVariant;
use maud::{Markup, html};
use standings::files::RatedRow;
use standings::recount::RecountedStandings;
use table::ids::UserId;

use crate::people::person_link;
use crate::wording::{is_provisional, rating_parts};

/// The number of players shown from each leaderboard.
const TOP_PLAYERS: usize = 3;

/// Returns the best players of each game; `None` if no game has a ranking.
pub fn leaders_by_game(standings: &RecountedStandings, top: &str) -> Option<Markup> {
    let rankings: Vec<_> = GameVariant::all().filter_map(|game| Some((game, standings.rated(game.name())?))).collect();
    if rankings.is_empty() {
        return None;
    }
    Some(html! {
        div.leaders {
            @for (game, ranking) in rankings {
                div {
                    h3 { a href={ (top) "standings/" (game.name()) ".html" } { (game.title()) } }
                    (rated_leaders(&ranking.top, TOP_PLAYERS, top))
                }
            }
        }
    })
}

/// Returns the first players of a ranking with their ratings.
pub fn rated_leaders(rows: &[RatedRow], size: usize, top: &str) -> Markup {
    let value = |row: &RatedRow| {
        let [rating, deviation] = rating_parts(row.rating, row.deviation);
        html! { (rating) small { " " (deviation) } }
    };
    leader_list(in_order(rows).take(size).map(|row| (row.id, row.login.as_str(), value(row))), top)
}

/// Returns the rows of a ranking with the provisional ratings last, otherwise in its own order.
pub fn in_order(rows: &[RatedRow]) -> impl Iterator<Item = &RatedRow> {
    let provisional = |row: &&RatedRow| is_provisional(row.deviation);
    rows.iter().filter(move |row| !provisional(row)).chain(rows.iter().filter(provisional))
}

/// Returns a list of people, each with a value such as a rating.
pub fn leader_list<'a>(people: impl Iterator<Item = (UserId, &'a str, Markup)>, top: &str) -> Markup {
    html! { ol { @for (id, login, value) in people { li { (person_link(id, login, top)) " " span.number { (value) } } } } }
}
