//! The home page, the not-found page, and the sitemap.

use std::collections::{BTreeMap, BTreeSet};

use game::Seat;
use games::{GameKind, GameVariant};
use maud::{Markup, html};
use standings::{RatedRow, RecountedStandings};
use table::{TableStatus, UserId};

use crate::lists::results_list;
use crate::page::{NOT_FOUND, count, event_day, is_provisional, rating_parts, time_ago, time_left};
use crate::people::{person_link, player_link};
use crate::{PageHead, RoundSummary, Site};

/// The maximum number of boards on the page.
const MAX_CARDS: usize = 12;
/// The number of boards that one person gets before other people's games come first.
const MAX_EACH: usize = 3;
/// The maximum number of results on the page.
const MAX_RESULTS: usize = 12;
/// The number of newest results that the featured game is chosen from.
const FEATURED_AMONG: usize = 60;
/// The minimum number of moves of a featured game.
const MIN_FEATURED_PLIES: usize = 12;

/// Returns the home page. `playing` is sorted by turn and `ended` by end, both newest first.
pub fn home_page(
    site: &Site,
    playing: &[&RoundSummary],
    ended: &[&RoundSummary],
    standings: &RecountedStandings,
) -> String {
    let (waiting, running): (Vec<&RoundSummary>, Vec<&RoundSummary>) =
        playing.iter().copied().partition(|round| round.has_open_seat());
    let shown = spread(&running, MAX_CARDS, MAX_EACH);
    // Leave out invitations that were declined.
    let newest: Vec<&RoundSummary> =
        ended.iter().copied().filter(|round| round.was_played()).take(MAX_RESULTS).collect();
    let body = html! {
        h1 { "Games of " (breakable(&site.name)) }
        p.about { (about(site)) }
        @if !running.is_empty() {
            section.now {
                h2 { "Games in progress" }
                (game_cards(site, shown.iter().copied(), ""))
                @if running.len() > shown.len() { p { "The pages of each game have " (count(running.len() - shown.len(), "more game")) "." } }
            }
        }
        (waiting_section(site, &waiting, "").unwrap_or_default())
        div.hero {
            @if let Some(round) = featured(ended) { (featured_section(round)) }
            (games_section())
        }
        @if running.is_empty() { section { h2 { "Games in progress" } p.none { "No games in progress." } } }
        section {
            h2 { "Newest results" }
            @if newest.is_empty() { p.none { "No finished games yet." } } @else { (results_list(newest.into_iter(), "")) p { a href="results/index.html" { "All results" } } }
        }
        (leaders_section(standings).unwrap_or_default())
    };
    let description = format!("{} in progress, {} finished.", count(playing.len(), "game"), ended.len());
    // Preview the board with the newest event.
    let picture = playing.iter().chain(ended).max_by_key(|round| round.last_event_at).map(|round| round.picture_path());
    let title = format!("Games of {}", site.name);
    site.page(
        PageHead { path: "index.html", title: &title, description: &description, picture: picture.as_deref() },
        &body,
    )
}

/// Returns what the site is, and how to follow its games.
fn about(site: &Site) -> Markup {
    html! {
        "People play these games in comments on GitHub issues, and each move is a commit. To follow one, subscribe to its issue."
        @if site.url.is_some() { " A " a href="feed.xml" { "feed" } " has the results." }
    }
}

/// Returns a repository's name, which may break after its owner.
fn breakable(name: &str) -> Markup {
    match name.split_once('/') {
        Some((owner, name)) => html! { span { (owner) "/" } wbr; span { (name) } },
        None => html! { (name) },
    }
}

/// Returns the games that wait for an opponent.
pub fn waiting_section(site: &Site, waiting: &[&RoundSummary], top: &str) -> Option<Markup> {
    if waiting.is_empty() {
        return None;
    }
    Some(html! {
        section.now {
            h2 { "Looking for an opponent" }
            (game_cards(site, spread(waiting, MAX_CARDS, MAX_EACH).into_iter(), top))
        }
    })
}

/// Chooses a finished game that is worth watching: decisive, preferably between two people, and not too short.
fn featured<'a>(ended: &[&'a RoundSummary]) -> Option<&'a RoundSummary> {
    let appeal = |round: &RoundSummary| {
        let is_decisive = matches!(round.status, TableStatus::Won(_));
        (is_decisive && round.plies >= MIN_FEATURED_PLIES, round.people().count() == 2)
    };
    // If several are equal, `max_by_key` returns the last one, so the newest has to come last.
    let candidates =
        ended.iter().take(FEATURED_AMONG).rev().copied().filter(|round| round.has_result() && round.plies > 0);
    candidates.max_by_key(|round| appeal(round))
}

/// Returns the featured game. It plays only when somebody starts it.
fn featured_section(round: &RoundSummary) -> Markup {
    let page = round.page_path();
    html! {
        section.featured {
            a.picture href=(page) data-replay={ (page.trim_end_matches("html")) "svg" } { img src=(round.board_path()) alt={ "The last board: " (round.title()) } width="480" height="480" fetchpriority="high"; }
            div {
                h2 { "Replay" }
                p.names { (player_link(round, Seat::First, "")) " – " (player_link(round, Seat::Second, "")) }
                p { (round.game.title()) " · " (count(round.plies, "move")) " · " (event_day(round, round.last_event_at)) }
                p { (round.ending) }
                p.start { button.button data-play type="button" { "Play" } a.button href=(page) { "Watch move by move" } }
            }
        }
    }
}

/// Returns links to the pages of all kinds of games, where people start a game.
fn games_section() -> Markup {
    html! {
        section.begin id="play" {
            h2 { "Play" }
            p { "Choose a game to find an opponent or play the computer." }
            ul.chips { @for kind in GameKind::ALL { li { a href={ (kind.info().name) "/index.html" } { (kind.info().title) } } } }
        }
    }
}

/// Returns the best players of each game.
fn leaders_section(standings: &RecountedStandings) -> Option<Markup> {
    let leaders = leaders_by_game(standings, "")?;
    Some(html! { section { h2 { "Leaderboards" } (leaders) } })
}

/// Returns the not-found page.
pub fn not_found_page(site: &Site) -> String {
    let body = html! {
        h1 { "Page not found" }
        p {
            "Games have addresses such as " code { "games/42-1.html" } ": issue 42, first game. "
            a href={ (site.root_path()) "index.html" } { "The home page" } " lists the games in progress."
        }
    };
    site.page(
        PageHead { path: NOT_FOUND, title: "Page not found", description: "Page not found.", picture: None },
        &body,
    )
}

/// Returns the sitemap of all pages. `changed` has the day of the last event on the pages of games.
pub fn sitemap(site_url: &str, pages: &BTreeSet<String>, changed: &BTreeMap<String, String>) -> String {
    let markup = html! {
        (maud::PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" {
            @for page in pages { url { loc { (site_url) (page) } @if let Some(day) = changed.get(page) { lastmod { (day) } } } (maud::PreEscaped("\n")) }
        }
    };
    markup.into_string() + "\n"
}

// The best players of each game in short lists.

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

// Cards for games in progress, with live boards.

/// The number of boards that load at once, because they may be on the first screen.
const EAGER_CARDS: usize = 4;

/// Returns cards of games in progress. `top` is the relative path to the site's root.
pub fn game_cards<'a>(site: &Site, rounds: impl Iterator<Item = &'a RoundSummary>, top: &str) -> Markup {
    html! { ul.cards { @for (index, round) in rounds.enumerate() { li { (game_card(site, round, top, index >= EAGER_CARDS)) } } } }
}

/// Returns up to `max` games. If somebody has more than `max_each` games, the rest of them come last.
pub fn spread<'a>(rounds: &[&'a RoundSummary], max: usize, max_each: usize) -> Vec<&'a RoundSummary> {
    let mut counts: BTreeMap<UserId, usize> = BTreeMap::new();
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for round in rounds.iter().copied() {
        let people: Vec<UserId> = round.people().map(|person| person.id).collect();
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

fn game_card(site: &Site, round: &RoundSummary, top: &str, is_lazy: bool) -> Markup {
    html! {
        article.card {
            img src={ (top) (round.board_path()) } alt="" width="240" height="240" loading=[is_lazy.then_some("lazy")];
            h3 { a.cover href={ (top) (round.page_path()) } { (round.game.title()) } " " small { (round.short_name()) } }
            @if let Some(movers) = &round.movers {
                p { "Anyone can move · " (count(movers.len(), "player")) " so far" }
                (turn_lines(round, &format!("{} ", round.side_name(round.player_to_move))))
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
            p.side.on-turn { strong { (player_link(round, seat, top)) } }
            (turn_lines(round, ""))
        } @else {
            p.side { (player_link(round, seat, top)) }
        }
    }
}

/// Returns when the current turn began, and how much time is left. Each is a line of its own, because the script
/// replaces both.
fn turn_lines(round: &RoundSummary, who: &str) -> Markup {
    html! {
        p.turn { (who) "to move, " (time_ago(round.turn_started_at)) }
        @if let Some(deadline) = round.deadline { p.turn { (time_left(deadline)) } }
    }
}

/// Returns a link to the issue where the game is played; `None` in the demonstration.
fn issue_link(site: &Site, round: &RoundSummary) -> Option<Markup> {
    let links = site.links()?;
    if !round.has_issue() {
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
