//! Player pages, and the index of players.

use std::collections::BTreeMap;

use game::seat::Seat;
use games::registry::GameKind;
use maud::{Markup, html};
use standings::files::PlayerFile;
use standings::recount::RatingStep;
use table::calendar::format_to_minute;
use table::game_state::TableStatus;

use crate::cards::game_cards;
use crate::entry::{Entry, SeatHolder};
use crate::lists::{PagedList, results_list};
use crate::page::{PageHead, Site};
use crate::people::{Person, person_link};
use crate::plot::{Point, rating_plot};

/// The maximum number of opponents on a page.
const MAX_OPPONENTS: usize = 30;
/// The maximum number of games on a player's page. More games get pages of their own.
const MAX_GAMES: usize = 40;
/// The maximum number of people in the index.
const MAX_PEOPLE: usize = 400;

/// Wins, draws, and losses.
type WinDrawLoss = [u32; 3];
/// Indices into [`WinDrawLoss`].
const WIN: usize = 0;
const DRAW: usize = 1;
const LOSS: usize = 2;

/// Returns the pages of a player: their own, and lists of games if they have many.
pub fn pages(
    site: &Site,
    id: u64,
    player: &Person,
    file: Option<&PlayerFile>,
    entries: &[Entry],
) -> Vec<(String, String)> {
    let rounds: Vec<&Entry> = player.rounds.iter().map(|index| &entries[*index]).collect();
    let playing: Vec<&Entry> =
        rounds.iter().rev().copied().filter(|entry| entry.status == TableStatus::Playing).collect();
    let ended: Vec<&Entry> = rounds.iter().copied().filter(|entry| entry.status != TableStatus::Playing).collect();
    let results: Vec<PlayerResult> = rounds.iter().filter_map(|entry| result_for(entry, id)).collect();
    let body = html! {
        h1 { (player.login) }
        (rated_results(file).unwrap_or_default())
        (streaks(&results).unwrap_or_default())
        @for (game, steps) in &player.ratings { (rating_section(game, steps).unwrap_or_default()) }
        (head_to_head(&results, &logins_by_id(&rounds)).unwrap_or_default())
        @if !playing.is_empty() { section { h2 { "Games in progress" } (game_cards(site, playing.iter().take(MAX_GAMES).copied(), "../")) } }
        section {
            h2 { "Games" }
            @if ended.is_empty() { p { "No finished games yet." } } @else { (results_list(ended.iter().rev().take(MAX_GAMES).copied(), "../")) }
            @if ended.len() > MAX_GAMES { p { a href={ (id) "-games.html" } { "All " (ended.len()) " games" } } }
        }
    };
    let path = format!("players/{id}.html");
    let description = format!("The games of {}: {}.", player.login, rounds.len());
    let page =
        site.page(PageHead { path: &path, title: &player.login, description: &description, picture: None }, &body);
    let mut pages = vec![(path, page)];
    if ended.len() > MAX_GAMES {
        let (prefix, newest) = (format!("{id}-"), format!("{id}-games.html"));
        let title = format!("Games of {}", player.login);
        pages.extend(
            PagedList { folder: "players", prefix: &prefix, newest: &newest, title: &title }.pages(site, &ended),
        );
    }
    pages
}

/// A finished game from a player's point of view.
struct PlayerResult {
    /// The opponent's user id; `None` for the computer.
    opponent: Option<u64>,
    /// [`WIN`], [`DRAW`], or [`LOSS`].
    outcome: usize,
}

/// Returns a game's result for a player; `None` without one, or in an open game.
fn result_for(entry: &Entry, id: u64) -> Option<PlayerResult> {
    let seat = Seat::BOTH
        .into_iter()
        .find(|seat| matches!(&entry.seats[seat.index()], SeatHolder::Person(holder, _) if *holder == id))?;
    let opponent = match &entry.seats[seat.other().index()] {
        SeatHolder::Person(opponent, _) => Some(*opponent),
        SeatHolder::Computer(_) => None,
        _ => return None,
    };
    let outcome = match entry.status {
        TableStatus::Won(winner) if winner == seat => WIN,
        TableStatus::Won(_) => LOSS,
        TableStatus::Draw => DRAW,
        _ => return None,
    };
    Some(PlayerResult { opponent, outcome })
}

/// Returns the results and ratings by game.
fn rated_results(file: Option<&PlayerFile>) -> Option<Markup> {
    let file = file?;
    let title = |game: &str| GameKind::from_name(game).map_or("", |kind| kind.info().title);
    Some(html! {
        section {
            h2 { "Rated results" }
            @if !file.games.is_empty() {
                div.wide tabindex="0" role="region" aria-label="Results by game" {
                    table {
                        thead { tr { th { "Game" } th.number { "Games" } th.number { "Wins" } th.number { "Draws" } th.number { "Losses" } th.number { "Rating" } } }
                        tbody {
                            @for (game, score) in &file.games {
                                tr {
                                    td { a href={ "../standings/" (game) ".html" } { (title(game)) } }
                                    td.number { (score.games) } td.number { (score.wins) } td.number { (score.draws) } td.number { (score.losses) }
                                    td.number { (format!("{:.0} ± {:.0}", score.rating, 2.0 * score.deviation)) }
                                }
                            }
                        }
                    }
                }
            }
            ul {
                @if let Some(open) = &file.open { li { "At open tables: " (open.moves) " moves in " (open.games) " games." } }
                @if let Some(computer) = &file.computer {
                    @for (game, level) in &computer.beaten { li { (title(game)) ": beat the computer at level " (level.number()) "." } }
                }
            }
        }
    })
}

/// Returns the longest and the current winning streak.
fn streaks(results: &[PlayerResult]) -> Option<Markup> {
    let longest = results.split(|result| result.outcome != WIN).map(<[_]>::len).max().unwrap_or_default();
    let current = results.iter().rev().take_while(|result| result.outcome == WIN).count();
    if longest < 2 {
        return None;
    }
    Some(html! {
        p.facts {
            "Longest winning streak: " (longest) "."
            @if current > 1 { " Current streak: " (current) "." }
        }
    })
}

/// Returns the plot of a rating over time.
fn rating_section(game: &str, steps: &[RatingStep]) -> Option<Markup> {
    let title = GameKind::from_name(game)?.info().title;
    let (first, last) = (steps.first()?, steps.last()?);
    let span = last.ended_at.saturating_sub(first.ended_at).max(1) as f64;
    let points: Vec<Point> = steps
        .iter()
        .map(|step| ((step.ended_at.saturating_sub(first.ended_at)) as f64 / span, step.rating, 2.0 * step.deviation))
        .collect();
    if points.len() < 2 {
        return None;
    }
    let label = format!(
        "Rating in {title} after each of {} games, plus or minus two deviations: from {:.0} to {:.0} ± {:.0}.",
        steps.len(),
        first.rating,
        last.rating,
        2.0 * last.deviation
    );
    let days = [first.ended_at, last.ended_at]
        .map(|at| format_to_minute(at).unwrap_or_default().split(' ').next().unwrap_or_default().to_owned());
    Some(html! {
        section {
            h2 { "Rating: " (title) }
            figure { (rating_plot(&label, &points, [&days[0], &days[1]])) figcaption { (label) } }
        }
    })
}

/// Returns the newest logins of everyone in these rounds, by id.
fn logins_by_id<'a>(rounds: &[&'a Entry]) -> BTreeMap<u64, &'a str> {
    let people = rounds.iter().flat_map(|entry| &entry.seats).filter_map(|holder| match holder {
        SeatHolder::Person(id, login) => Some((*id, login.as_str())),
        _ => None,
    });
    people.collect()
}

/// Returns the results against each opponent.
fn head_to_head(results: &[PlayerResult], logins: &BTreeMap<u64, &str>) -> Option<Markup> {
    let mut opponents: BTreeMap<Option<u64>, WinDrawLoss> = BTreeMap::new();
    for result in results {
        opponents.entry(result.opponent).or_default()[result.outcome] += 1;
    }
    let mut rows: Vec<(Option<u64>, WinDrawLoss)> = opponents.into_iter().collect();
    rows.sort_by_key(|(opponent, counts)| (std::cmp::Reverse(counts.iter().sum::<u32>()), *opponent));
    let hidden = rows.len().saturating_sub(MAX_OPPONENTS);
    if rows.is_empty() {
        return None;
    }
    Some(html! {
        section {
            h2 { "Head to head" }
            div.wide tabindex="0" role="region" aria-label="Head to head" {
                table {
                    thead { tr { th { "Against" } th.number { "Games" } th.number { "Wins" } th.number { "Draws" } th.number { "Losses" } } }
                    tbody {
                        @for (opponent, counts) in rows.iter().take(MAX_OPPONENTS) {
                            tr {
                                td {
                                    @match opponent {
                                        Some(id) => (person_link(*id, logins.get(id).copied().unwrap_or("?"), "../")),
                                        None => "the computer",
                                    }
                                }
                                td.number { (counts.iter().sum::<u32>()) }
                                @for count in counts { td.number { (count) } }
                            }
                        }
                    }
                }
            }
            @if hidden > 0 { p { "And " (hidden) " more." } }
        }
    })
}

/// Returns the index of players, most recently active first.
pub fn players_index(site: &Site, people: &BTreeMap<u64, Person>) -> String {
    let mut all: Vec<(&u64, &Person)> = people.iter().collect();
    all.sort_by_key(|(id, player)| (std::cmp::Reverse(player.last_event_at), **id));
    let body = html! {
        h1 { "Players" }
        @if all.is_empty() { p { "No players yet." } }
        ul.people { @for (id, player) in all.iter().take(MAX_PEOPLE) { li { (person_link(**id, &player.login, "../")) " " small { (player.rounds.len()) } } } }
        @if all.len() > MAX_PEOPLE { p { (all.len() - MAX_PEOPLE) " more players, last seen earlier." } }
    };
    let description = format!("{} people have played.", all.len());
    site.page(
        PageHead { path: "players/index.html", title: "Players", description: &description, picture: None },
        &body,
    )
}
