//! The index of players, and the file that its search reads.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use maud::html;

use crate::page::{PageHead, Site};
use crate::people::{Person, person_link};
use crate::wording::count;
use table::ids::UserId;

/// The maximum number of people on the page. The search finds everyone.
const MAX_PEOPLE: usize = 400;

/// Returns the index and the search file.
pub fn files(site: &Site, people: &BTreeMap<UserId, Person>) -> Vec<(String, String)> {
    let mut all: Vec<(&UserId, &Person)> = people.iter().collect();
    all.sort_by_key(|(id, player)| (Reverse(player.last_event_at), **id));
    let hidden = all.len().saturating_sub(MAX_PEOPLE);
    let body = html! {
        h1 { "Players" }
        @if all.is_empty() {
            p.none { "Nobody has played yet." }
        } @else {
            div.search role="search" {
                label for="search" { "Find a player" }
                input id="search" name="q" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="39";
            }
            p id="said" role="status" {}
            ul.people id="found" {}
            button id="more" type="button" hidden { "Show more" }
            div id="all" {
                p.facts { (count(all.len(), "player")) ", most recently active first." }
                ul.people {
                    @for (id, player) in all.iter().take(MAX_PEOPLE) {
                        li { (person_link(**id, &player.login, "../")) " " small { (count(player.rounds.len(), "game")) } }
                    }
                }
                @if hidden > 0 { p { (count(hidden, "more player")) " played earlier. The search finds everyone." } }
            }
        }
    };
    let description = format!("{} on this site.", count(all.len(), "player"));
    let head = PageHead { path: "players/index.html", title: "Players", description: &description, picture: None };
    let names: Vec<(UserId, &str, usize)> =
        all.iter().map(|(id, player)| (**id, player.login.as_str(), player.rounds.len())).collect();
    vec![
        (head.path.to_owned(), site.page(head, &body)),
        ("players/search.json".to_owned(), serde_json::json!(names).to_string()),
    ]
}
