//! The page of a person, and the list of everybody.

use std::collections::BTreeMap;

use game::seat::Seat;
use games::registry::GameKind;
use maud::{Markup, html};
use standings::files::PlayerFile;
use standings::recount::RatingStep;
use table::calendar::format_to_minute;
use table::game_state::TableStatus;

use crate::entry::{Entry, SeatHolder};
use crate::lists::{PagedList, results_table, running_table};
use crate::page::{PageHead, Site};
use crate::people::{Person, person_link};
use crate::plot::{Point, rating_plot};

/// The most opponents that are listed.
const OPPONENTS: usize = 30;
/// The most games that are listed here; all are on pages of their own.
const GAMES: usize = 40;
/// The most people of a list.
const PEOPLE: usize = 400;

/// Wins, draws and losses.
type Results = [u32; 3];

/// Returns the pages of a person: their own, and as many as their games take if they are too many for it.
pub fn pages(
    site: &Site,
    id: u64,
    who: &Person,
    file: Option<&PlayerFile>,
    entries: &[Entry],
) -> Vec<(String, String)> {
    let rounds: Vec<&Entry> = who.rounds.iter().map(|at| &entries[*at]).collect();
    let playing: Vec<&Entry> =
        rounds.iter().rev().copied().filter(|entry| entry.status == TableStatus::Playing).collect();
    let ended: Vec<&Entry> = rounds.iter().copied().filter(|entry| entry.status != TableStatus::Playing).collect();
    let own: Vec<(Option<u64>, Option<usize>)> = rounds.iter().filter_map(|entry| result(entry, id)).collect();
    let body = html! {
        h1 { (who.login) }
        (scores(file).unwrap_or_default())
        (streaks(&own).unwrap_or_default())
        @for (game, steps) in &who.ratings { (rating(game, steps).unwrap_or_default()) }
        (against(&own, &names(&rounds)).unwrap_or_default())
        @if !playing.is_empty() { section { h2 { "Games in progress" } (running_table(site, playing.iter().take(GAMES).copied(), "../")) } }
        section {
            h2 { "Games" }
            @if ended.is_empty() { p { "No finished games yet." } } @else { (results_table(ended.iter().rev().take(GAMES).copied(), "../")) }
            @if ended.len() > GAMES { p { a href={ (id) "-games.html" } { "All " (ended.len()) " games" } } }
        }
    };
    let path = format!("players/{id}.html");
    let description = format!("The games of {}: {}.", who.login, rounds.len());
    let page = site.page(PageHead { path: &path, title: &who.login, description: &description, picture: None }, &body);
    let mut pages = vec![(path, page)];
    if ended.len() > GAMES {
        let (prefix, newest) = (format!("{id}-"), format!("{id}-games.html"));
        let title = format!("Games of {}", who.login);
        pages.extend(
            PagedList { folder: "players", prefix: &prefix, newest: &newest, title: &title }.pages(site, &ended),
        );
    }
    pages
}

/// Returns a result between seats from the side of a person: the opponent, `None` for the computer, and whether it was won (0),
/// drawn (1) or lost (2); `None` where there is no such result.
fn result(entry: &Entry, id: u64) -> Option<(Option<u64>, Option<usize>)> {
    let seat = Seat::BOTH
        .into_iter()
        .find(|seat| matches!(&entry.seats[seat.index()], SeatHolder::Person(own, _) if *own == id))?;
    let other = match &entry.seats[seat.other().index()] {
        SeatHolder::Person(other, _) => Some(*other),
        SeatHolder::Computer(_) => None,
        _ => return None,
    };
    let came = match entry.status {
        TableStatus::Won(winner) => {
            if winner == seat {
                0
            } else {
                2
            }
        }
        TableStatus::Draw => 1,
        _ => return None,
    };
    Some((other, Some(came)))
}

/// The table of results, by game.
fn scores(file: Option<&PlayerFile>) -> Option<Markup> {
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

/// The longest row of wins, and the one that lasts.
fn streaks(own: &[(Option<u64>, Option<usize>)]) -> Option<Markup> {
    let mut rows = own.split(|(_, came)| *came != Some(0)).map(<[_]>::len);
    let now = own.iter().rev().take_while(|(_, came)| *came == Some(0)).count();
    let longest = rows.by_ref().max().unwrap_or_default();
    (longest > 1).then(|| {
        html! {
            p.facts {
                "Longest winning streak: " (longest) "."
                @if now > 1 { " Current streak: " (now) "." }
            }
        }
    })
}

/// The rating in a game over time.
fn rating(game: &str, steps: &[RatingStep]) -> Option<Markup> {
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

/// Returns the newest logins of everybody at these tables, by id.
fn names<'a>(rounds: &[&'a Entry]) -> BTreeMap<u64, &'a str> {
    let seated = rounds.iter().flat_map(|entry| &entry.seats).filter_map(|sitting| match sitting {
        SeatHolder::Person(id, login) => Some((*id, login.as_str())),
        _ => None,
    });
    seated.collect()
}

/// The results against each opponent.
fn against(own: &[(Option<u64>, Option<usize>)], names: &BTreeMap<u64, &str>) -> Option<Markup> {
    let mut opponents: BTreeMap<Option<u64>, Results> = BTreeMap::new();
    for (other, came) in own {
        if let Some(came) = came {
            opponents.entry(*other).or_default()[*came] += 1;
        }
    }
    let mut rows: Vec<(Option<u64>, Results)> = opponents.into_iter().collect();
    rows.sort_by_key(|(other, results)| (std::cmp::Reverse(results.iter().sum::<u32>()), *other));
    let more = rows.len().saturating_sub(OPPONENTS);
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
                        @for (other, results) in rows.iter().take(OPPONENTS) {
                            tr {
                                td {
                                    @match other {
                                        Some(id) => (person_link(*id, names.get(id).copied().unwrap_or("?"), "../")),
                                        None => "the computer",
                                    }
                                }
                                td.number { (results.iter().sum::<u32>()) }
                                @for count in results { td.number { (count) } }
                            }
                        }
                    }
                }
            }
            @if more > 0 { p { "And " (more) " more." } }
        }
    })
}

/// Returns the list of everybody, those who were there last first.
pub fn players_index(site: &Site, people: &BTreeMap<u64, Person>) -> String {
    let mut all: Vec<(&u64, &Person)> = people.iter().collect();
    all.sort_by_key(|(id, who)| (std::cmp::Reverse(who.last_event_at), **id));
    let body = html! {
        h1 { "Players" }
        @if all.is_empty() { p { "No players yet." } }
        ul.people { @for (id, who) in all.iter().take(PEOPLE) { li { (person_link(**id, &who.login, "../")) " " small { (who.rounds.len()) } } } }
        @if all.len() > PEOPLE { p { (all.len() - PEOPLE) " more players, last seen earlier." } }
    };
    let description = format!("{} people have played.", all.len());
    site.page(
        PageHead { path: "players/index.html", title: "Players", description: &description, picture: None },
        &body,
    )
}
