//! Cards for games in progress, with live boards.

use std::collections::BTreeMap;

use game::seat::Seat;
use maud::{Markup, html};
use table::ids::UserId;

use crate::page::{Site, time_ago, time_element};
use crate::people::player_link;
use crate::round_summary::{RoundSummary, SeatOccupant};
use crate::wording::count;

/// Returns cards of games in progress. `top` is the relative path to the site's root.
pub fn game_cards<'a>(site: &Site, rounds: impl Iterator<Item = &'a RoundSummary>, top: &str) -> Markup {
    html! { ul.cards { @for round in rounds { li { (game_card(site, round, top)) } } } }
}

/// Returns up to `max` games. If somebody has more than `max_each` games, the rest of them come last.
pub fn spread<'a>(rounds: &[&'a RoundSummary], max: usize, max_each: usize) -> Vec<&'a RoundSummary> {
    let mut counts: BTreeMap<UserId, usize> = BTreeMap::new();
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for round in rounds.iter().copied() {
        let people = round.seats.iter().filter_map(|holder| match holder {
            SeatOccupant::Person(id, _) => Some(*id),
            _ => None,
        });
        let people: Vec<UserId> = people.collect();
        if people.iter().any(|id| counts.get(id).is_some_and(|count| *count >= max_each)) {
            later.push(round);
            continue;
        }
        first.push(round);
        for id in people {
            *counts.entry(id).or_default() += 1;
        }
    }
    first.extend(later);
    first.truncate(max);
    first
}

fn game_card(site: &Site, round: &RoundSummary, top: &str) -> Markup {
    html! {
        article.card {
            img src={ (top) (round.board_path()) } alt="" width="240" height="240" loading="lazy";
            h3 { a.cover href={ (top) (round.page_path()) } { (round.game.title()) } " " small { (round.short_name()) } }
            @if let Some(movers) = &round.movers {
                p { "Anyone can move · " (count(movers.len(), "player")) " so far" }
                p.turn { (round.side_name(round.player_to_move)) " to move · " (time_ago(round.turn_started_at)) }
            } @else {
                @for seat in Seat::BOTH { (side_line(round, seat, top)) }
            }
            @if let Some(issue) = issue_link(site, round) { p.issue { (issue) } }
        }
    }
}

/// Returns a player and, if it's their turn, since when.
fn side_line(round: &RoundSummary, seat: Seat, top: &str) -> Markup {
    html! {
        @if seat == round.player_to_move {
            p.side { strong { (player_link(round, seat, top)) } " " span.turn { "to move · " (time_ago(round.turn_started_at)) @if let Some(deadline) = round.deadline { " · until " (time_element(deadline)) } } }
        } @else {
            p.side { (player_link(round, seat, top)) }
        }
    }
}

/// Returns a link to the issue where the game is played; `None` in the demonstration.
fn issue_link(site: &Site, round: &RoundSummary) -> Option<Markup> {
    let links = site.links()?;
    if round.is_demonstration() {
        return None;
    }
    let url = links.issue(round.issue);
    Some(html! {
        @if round.movers.is_some() {
            a.button href=(url) { "Make a move" }
        } @else if round.has_open_seat() {
            a.button href=(url) { "Take the open seat" }
        } @else {
            a href=(url) { "Open the issue" }
        }
    })
}
