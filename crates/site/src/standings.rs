//! Leaderboard pages.

use answers::pages::ranking_table::WHAT_COUNTS;
use games::registry::GameKind;
use maud::{Markup, html};
use standings::files::{ComputerRow, OpenRow, RatedRow};
use standings::recount::RecountedStandings;
use standings::result::{COMPUTER_KIND, OPEN_KIND};

use crate::page::{PageHead, Site};
use crate::people::person_link;

/// Returns a page for each leaderboard with players, and the index.
pub fn pages(site: &Site, recounted: &RecountedStandings) -> Vec<(String, String)> {
    let games = GameKind::ALL.iter().map(|kind| kind.info());
    let rated = games.filter_map(|info| {
        let ranking = recounted.rated(info.name)?;
        Some((info.name, info.title, ranking.counted, ranking.players, rated_table(&ranking.top)))
    });
    let open = recounted
        .open()
        .map(|ranking| (OPEN_KIND, "Open tables", ranking.counted, ranking.players, open_games_table(&ranking.top)));
    let computer = recounted.computer();
    let computer = computer.map(|ranking| {
        (COMPUTER_KIND, "Wins against the computer", ranking.counted, ranking.players, computer_table(&ranking.top))
    });
    let all: Vec<_> = rated.chain(open).chain(computer).collect();
    let index = html! {
        h1 { "Standings" }
        @if all.is_empty() { p { "No standings yet. " (WHAT_COUNTS) } }
        ul { @for (name, title, counted, players, _) in &all { li { a href={ (name) ".html" } { (title) } ": " (players) " people, " (counted) " results" } } }
    };
    let mut pages = vec![(
        "standings/index.html".to_owned(),
        site.page(
            PageHead {
                path: "standings/index.html",
                title: "Standings",
                description: "The rankings of all games.",
                picture: None,
            },
            &index,
        ),
    )];
    for (name, title, counted, players, rows) in all {
        let body = html! {
            h1 { (title) }
            p.facts { (counted) " results of " (players) " people" @if players > 100 { ", the first hundred listed here" } "." }
            div.wide tabindex="0" role="region" aria-label="Ranking" { (rows) }
            @if GameKind::from_name(name).is_some() {
                p { "Ratings are Glicko-2, ± two deviations, ordered by their lower end." }
            }
        };
        let (path, description) =
            (format!("standings/{name}.html"), format!("The standings: {title}, {counted} results."));
        pages.push((
            path.clone(),
            site.page(PageHead { path: &path, title, description: &description, picture: None }, &body),
        ));
    }
    pages
}

fn rated_table(rows: &[RatedRow]) -> Markup {
    html! {
        table {
            thead { tr { th.number { "Place" } th { "Player" } th.number { "Games" } th.number { "Wins" } th.number { "Draws" } th.number { "Losses" } th.number { "Rating" } } }
            tbody {
                @for (index, row) in rows.iter().enumerate() {
                    tr {
                        td.number { (index + 1) } td { (person_link(row.id, &row.login, "../")) }
                        td.number { (row.games) } td.number { (row.wins) } td.number { (row.draws) } td.number { (row.losses) }
                        td.number { (format!("{:.0} ± {:.0}", row.rating, 2.0 * row.deviation)) }
                    }
                }
            }
        }
    }
}

fn open_games_table(rows: &[OpenRow]) -> Markup {
    html! {
        table {
            thead { tr { th.number { "Place" } th { "Player" } th.number { "Moves" } th.number { "Games" } } }
            tbody {
                @for (index, row) in rows.iter().enumerate() {
                    tr { td.number { (index + 1) } td { (person_link(row.id, &row.login, "../")) } td.number { (row.moves) } td.number { (row.games) } }
                }
            }
        }
    }
}

fn computer_table(rows: &[ComputerRow]) -> Markup {
    let title = |game: &str| GameKind::from_name(game).map_or("", |kind| kind.info().title);
    html! {
        table {
            thead { tr { th.number { "Place" } th { "Player" } th { "Highest level" } th.number { "Wins" } } }
            tbody {
                @for (index, row) in rows.iter().enumerate() {
                    tr {
                        td.number { (index + 1) } td { (person_link(row.id, &row.login, "../")) }
                        td { @for (at, (game, level)) in row.beaten.iter().enumerate() { @if at > 0 { ", " } (title(game)) " " (level.number()) } }
                        td.number { (row.wins) }
                    }
                }
            }
        }
    }
}
