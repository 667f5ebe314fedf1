//! Games in progress as cards with their live boards.

use game::seat::Seat;
use maud::{Markup, html};

use crate::entry::{Entry, SeatHolder};
use crate::page::{Site, time_ago};
use crate::people::player_link;

/// Returns cards of games in progress. `top` is the relative path to the site's root.
pub fn game_cards<'a>(site: &Site, entries: impl Iterator<Item = &'a Entry>, top: &str) -> Markup {
    html! { ul.cards { @for entry in entries { li { (game_card(site, entry, top)) } } } }
}

fn game_card(site: &Site, entry: &Entry, top: &str) -> Markup {
    html! {
        article.card {
            img src={ (top) (entry.board_path()) } alt="" width="240" height="240" loading="lazy";
            h3 { a.cover href={ (top) (entry.page_path()) } { (entry.kind.info().title) } " " small { (entry.short_name()) } }
            @if let Some(movers) = &entry.movers {
                p { "Anyone can move · " (movers.len()) @if movers.len() == 1 { " player" } @else { " players" } " so far" }
            } @else {
                p { (player_link(entry, Seat::First, top)) " – " (player_link(entry, Seat::Second, top)) }
            }
            p.turn { (turn(entry)) " · " (time_ago(entry.turn_started_at)) }
            @if let Some(issue) = issue_link(site, entry) { p { (issue) } }
        }
    }
}

/// Returns whose turn it is: "alice to move", "White to move".
fn turn(entry: &Entry) -> String {
    let seat = entry.player_to_move;
    let is_anyone = entry.seats[seat.index()] == SeatHolder::Empty;
    let name = if is_anyone { entry.side_name(seat) } else { entry.player_name(seat) };
    format!("{name} to move")
}

/// Returns a link to the issue where the game is played; `None` in the demonstration.
fn issue_link(site: &Site, entry: &Entry) -> Option<Markup> {
    let links = site.links()?;
    if entry.is_demonstration() {
        return None;
    }
    let text = if entry.movers.is_some() {
        "Make a move"
    } else if entry.has_open_seat() {
        "Take the open seat"
    } else {
        "Open the issue"
    };
    Some(html! { a.button href=(links.issue(entry.issue)) { (text) } })
}
