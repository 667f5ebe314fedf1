//! Cards for games in progress, with live boards.

use std::collections::BTreeMap;

use game::seat::Seat;
use maud::{Markup, html};
use table::ids::UserId;

use crate::entry::{Entry, SeatOccupant};
use crate::page::{Site, time_ago, time_element};
use crate::people::player_link;
use crate::wording::count;

/// Returns cards of games in progress. `top` is the relative path to the site's root.
pub fn game_cards<'a>(site: &Site, entries: impl Iterator<Item = &'a Entry>, top: &str) -> Markup {
    html! { ul.cards { @for entry in entries { li { (game_card(site, entry, top)) } } } }
}

/// Returns up to `max` games. If somebody has more than `max_each` games, the rest of them come last.
pub fn spread<'a>(entries: &[&'a Entry], max: usize, max_each: usize) -> Vec<&'a Entry> {
    let mut counts: BTreeMap<UserId, usize> = BTreeMap::new();
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for entry in entries.iter().copied() {
        let people = entry.seats.iter().filter_map(|holder| match holder {
            SeatOccupant::Person(id, _) => Some(*id),
            _ => None,
        });
        let people: Vec<UserId> = people.collect();
        if people.iter().any(|id| counts.get(id).is_some_and(|count| *count >= max_each)) {
            later.push(entry);
            continue;
        }
        first.push(entry);
        for id in people {
            *counts.entry(id).or_default() += 1;
        }
    }
    first.extend(later);
    first.truncate(max);
    first
}

fn game_card(site: &Site, entry: &Entry, top: &str) -> Markup {
    html! {
        article.card {
            img src={ (top) (entry.board_path()) } alt="" width="240" height="240" loading="lazy";
            h3 { a.cover href={ (top) (entry.page_path()) } { (entry.game.title()) } " " small { (entry.short_name()) } }
            @if let Some(movers) = &entry.movers {
                p { "Anyone can move · " (count(movers.len(), "player")) " so far" }
                p.turn { (entry.side_name(entry.player_to_move)) " to move · " (time_ago(entry.turn_started_at)) }
            } @else {
                @for seat in Seat::BOTH { (side_line(entry, seat, top)) }
            }
            @if let Some(issue) = issue_link(site, entry) { p.issue { (issue) } }
        }
    }
}

/// Returns a player and, if it's their turn, since when.
fn side_line(entry: &Entry, seat: Seat, top: &str) -> Markup {
    html! {
        @if seat == entry.player_to_move {
            p.side { strong { (player_link(entry, seat, top)) } " " span.turn { "to move · " (time_ago(entry.turn_started_at)) @if let Some(deadline) = entry.deadline { " · until " (time_element(deadline)) } } }
        } @else {
            p.side { (player_link(entry, seat, top)) }
        }
    }
}

/// Returns a link to the issue where the game is played; `None` in the demonstration.
fn issue_link(site: &Site, entry: &Entry) -> Option<Markup> {
    let links = site.links()?;
    if entry.is_demonstration() {
        return None;
    }
    let url = links.issue(entry.issue);
    Some(html! {
        @if entry.movers.is_some() {
            a.button href=(url) { "Make a move" }
        } @else if entry.has_open_seat() {
            a.button href=(url) { "Take the open seat" }
        } @else {
            a href=(url) { "Open the issue" }
        }
    })
}
