//! Leaderboard pages.

use std::collections::BTreeMap;

use answers::ranking_table::WHAT_COUNTS;
use game::Level;
use games::GameVariant;
use maud::{Markup, html};
use standings::{COMPUTER_KIND, ComputerRow, OPEN_KIND, OpenRow, Ranking, RatedRow, RecountedStandings};
use table::UserId;

use crate::home::{in_order, leader_list, leaders_by_game};
use crate::page::{count, rating_text};
use crate::people::person_link;
use crate::{PageHead, Site};

/// The number of people that the index shows from each leaderboard.
const TOP_PLAYERS: usize = 3;

/// Returns a page for each leaderboard with players, and the index.
pub fn pages(site: &Site, recounted: &RecountedStandings) -> Vec<(String, String)> {
    let mut pages = vec![index(site, recounted)];
    for game in GameVariant::all() {
        let folder = game.kind.info().name;
        pages.extend(recounted.rated(game.name()).map(|ranking| {
            let size = Size::from(ranking);
            let body = html! {
                (facts(size))
                (how_ratings_work())
                (rated_table(&ranking.top))
                p { a href={ "../" (folder) "/index.html" } { "All games of " (GameVariant::from(game.kind).noun()) } }
            };
            page(site, game.name(), game.title(), size, &body)
        }));
    }
    pages.extend(recounted.open().map(|ranking| {
        let size = Size::from(ranking);
        let body = html! {
            p.facts { "Anyone can move for either side at an open table. The players are in order of their moves in finished games." }
            (facts(size))
            (open_games_table(&ranking.top))
        };
        page(site, OPEN_KIND, "Open tables", size, &body)
    }));
    pages.extend(recounted.computer().map(|ranking| {
        let size = Size::from(ranking);
        let body = html! {
            p.facts { "The players are in order of the highest level they have beaten, then of their wins." }
            (facts(size))
            (computer_table(&ranking.top))
            (beaten_by_level(&ranking.top))
        };
        page(site, COMPUTER_KIND, "Wins against the computer", size, &body)
    }));
    pages
}

/// The counts of a leaderboard: results, people, and the people that it lists.
#[derive(Clone, Copy)]
struct Size {
    results: u64,
    players: u64,
    shown: usize,
}

impl<T> From<&Ranking<T>> for Size {
    fn from(ranking: &Ranking<T>) -> Size {
        Size { results: ranking.counted, players: ranking.players, shown: ranking.top.len() }
    }
}

fn facts(size: Size) -> Markup {
    let results = count(usize::try_from(size.results).unwrap_or(usize::MAX), "result");
    let players = count(usize::try_from(size.players).unwrap_or(usize::MAX), "player");
    html! { p.facts { (results) " of " (players) @if size.players > size.shown as u64 { ". These are the first " (size.shown) } "." } }
}

fn page(site: &Site, name: &str, title: &str, size: Size, body: &Markup) -> (String, String) {
    let (path, heading) = (format!("standings/{name}.html"), format!("Standings: {title}"));
    let body = html! { h1 { (title) } (body) };
    let description = format!("The best players: {title}, {} results.", size.results);
    let head = PageHead { path: &path, title: &heading, description: &description, picture: None };
    (path.clone(), site.page(head, &body))
}

/// Returns the index: the first people of each leaderboard.
fn index(site: &Site, recounted: &RecountedStandings) -> (String, String) {
    let unrated: Vec<GameVariant> =
        GameVariant::all().filter(|game| game.variant.is_none() && recounted.rated(game.name()).is_none()).collect();
    let rated = leaders_by_game(recounted, "../");
    let is_empty = rated.is_none() && recounted.open().is_none() && recounted.computer().is_none();
    let body = html! {
        h1 { "Standings" }
        @if is_empty { p { "No standings yet. " (WHAT_COUNTS) } }
        @if let Some(rated) = rated {
            section {
                h2 { "Ratings" }
                (how_ratings_work())
                (rated)
            }
            @if !unrated.is_empty() {
                p {
                    "No results yet in "
                    @for (index, game) in unrated.iter().enumerate() {
                        @if index > 0 { ", " }
                        a href={ "../" (game.name()) "/index.html" } { (game.noun()) }
                    }
                    ". " (WHAT_COUNTS)
                }
            }
        }
        @if recounted.open().is_some() || recounted.computer().is_some() {
            section {
                h2 { "Without a rating" }
                div.leaders {
                    @if let Some(ranking) = recounted.computer() {
                        div {
                            h3 { a href={ (COMPUTER_KIND) ".html" } { "Wins against the computer" } }
                            (leader_list(ranking.top.iter().take(TOP_PLAYERS).map(|row| (row.id, row.login.as_str(), highest_level(row))), "../"))
                        }
                    }
                    @if let Some(ranking) = recounted.open() {
                        div {
                            h3 { a href={ (OPEN_KIND) ".html" } { "Open tables" } }
                            (leader_list(ranking.top.iter().take(TOP_PLAYERS).map(|row| (row.id, row.login.as_str(), html! { (row.moves) small { " moves" } })), "../"))
                        }
                    }
                }
            }
        }
    };
    let head = PageHead {
        path: "standings/index.html",
        title: "Standings",
        description: "The best players of each game.",
        picture: None,
    };
    (head.path.to_owned(), site.page(head, &body))
}

/// Returns the highest level that someone has beaten: `level 4`.
fn highest_level(row: &ComputerRow) -> Markup {
    html! { @if let Some(level) = row.beaten.values().max() { small { "level " } (level.number()) } }
}

fn how_ratings_work() -> Markup {
    html! {
        p.facts.note {
            "Ratings are Glicko-2: 1500 ± 100 is 95% likely to be between 1400 and 1600. Players are sorted by the lower end. "
            "A question mark means too few games for a reliable rating, so it comes last."
        }
    }
}

/// Returns a player's cell, with the place before it.
fn player_cells(index: usize, id: UserId, login: &str) -> Markup {
    html! { td.place { (index + 1) } th.name scope="row" { (person_link(id, login, "../")) } }
}

fn rated_table(rows: &[RatedRow]) -> Markup {
    html! {
        table.ranking {
            thead { tr { th.place { "Place" } th.name { "Player" } th.main.rating { "Rating" } th { "Games" } th { "Won" } th { "Drawn" } th { "Lost" } } }
            tbody {
                @for (index, row) in in_order(rows).enumerate() {
                    tr {
                        (player_cells(index, row.id, &row.login))
                        td.main.rating { (rating_text(row.rating, row.deviation)) }
                        td data-unit=(unit(row.games, "game")) { (row.games) }
                        td data-unit="won" { (row.wins) } td data-unit="drawn" { (row.draws) } td data-unit="lost" { (row.losses) }
                    }
                }
            }
        }
    }
}

fn open_games_table(rows: &[OpenRow]) -> Markup {
    html! {
        table.ranking {
            thead { tr { th.place { "Place" } th.name { "Player" } th.main { "Moves" } th { "Games" } } }
            tbody {
                @for (index, row) in rows.iter().enumerate() {
                    tr {
                        (player_cells(index, row.id, &row.login))
                        td.main data-unit=(unit(row.moves, "move")) { (row.moves) }
                        td data-unit=(unit(row.games, "game")) { (row.games) }
                    }
                }
            }
        }
    }
}

fn computer_table(rows: &[ComputerRow]) -> Markup {
    html! {
        table.ranking {
            thead { tr { th.place { "Place" } th.name { "Player" } th.main { "Wins" } th.beaten { "Highest level beaten" } } }
            tbody {
                @for (index, row) in rows.iter().enumerate() {
                    tr {
                        (player_cells(index, row.id, &row.login))
                        td.main data-unit=(unit(row.wins, "win")) { (row.wins) }
                        td.beaten { (beaten_levels(&row.beaten)) }
                    }
                }
            }
        }
    }
}

/// The number of people named for each level.
const NAMES_PER_LEVEL: usize = 5;

/// Returns a list of levels for each game, highest first, with the people for whom it's the highest level they have beaten.
fn beaten_by_level(rows: &[ComputerRow]) -> Markup {
    html! {
        section {
            h2 { "Levels beaten" }
            p.facts { "Level 0, for a first game, counts for nobody." }
            div.leaders {
                @for game in GameVariant::all().filter(|game| rows.iter().any(|row| row.beaten.contains_key(game.name()))) {
                    div {
                        h3 { (game.title()) }
                        ol { @for (level, people) in people_by_level(rows, game.name()).iter().rev() { li { (level_line(*level, people)) } } }
                    }
                }
            }
        }
    }
}

/// Returns the people by the highest level that they have beaten in a game.
fn people_by_level<'a>(rows: &'a [ComputerRow], game: &str) -> BTreeMap<Level, Vec<&'a ComputerRow>> {
    let mut levels: BTreeMap<Level, Vec<&ComputerRow>> = BTreeMap::new();
    for row in rows {
        if let Some(level) = row.beaten.get(game) {
            levels.entry(*level).or_default().push(row);
        }
    }
    levels
}

fn level_line(level: Level, people: &[&ComputerRow]) -> Markup {
    let more = people.len().saturating_sub(NAMES_PER_LEVEL);
    html! {
        span.level { "Level " (level.number()) }
        span.who {
            @for (index, row) in people.iter().take(NAMES_PER_LEVEL).enumerate() {
                @if index > 0 { ", " }
                (person_link(row.id, &row.login, "../"))
            }
            @if more > 0 { " and " (more) " more" }
        }
    }
}

/// Returns the highest level beaten in each game: `chess 4, hex 2`.
pub fn beaten_levels(beaten: &BTreeMap<String, Level>) -> String {
    let title = |game: &str| GameVariant::from_name(game).map_or(String::new(), GameVariant::noun);
    let levels: Vec<String> =
        beaten.iter().map(|(game, level)| format!("{} {}", title(game), level.number())).collect();
    levels.join(", ")
}

/// Returns a noun in singular or plural. Phones show it after the number, because they leave out the header.
fn unit(count: u64, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}
