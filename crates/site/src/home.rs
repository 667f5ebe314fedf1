//! The home page, the not-found page, and the sitemap.

use std::collections::BTreeSet;

use games::registry::GameKind;
use maud::{Markup, html};

use crate::entry::Entry;
use crate::lists::{results_table, running_table};
use crate::page::{NOT_FOUND, PageHead, Site};

/// The maximum number of rows in a list.
const MAX_ROWS: usize = 40;

/// Returns the home page. `playing` is sorted by turn and `ended` by end, both newest first.
pub fn home_page(site: &Site, playing: &[&Entry], ended: &[&Entry]) -> String {
    let body = html! {
        h1 { "Games of " (site.name) }
        (start_section(site).unwrap_or_default())
        section {
            h2 { "Games in progress" }
            @if playing.is_empty() { p { "No games in progress." } } @else { (running_table(site, playing.iter().take(MAX_ROWS).copied(), "")) }
            @if playing.len() > MAX_ROWS { p { (playing.len() - MAX_ROWS) " more games with older moves." } }
        }
        section {
            h2 { "Newest results" }
            @if ended.is_empty() { p { "No finished games yet." } } @else { (results_table(ended.iter().take(MAX_ROWS).copied(), "")) p { a href="results/index.html" { "All results" } } }
        }
    };
    let description = format!("{} games in progress, {} finished.", playing.len(), ended.len());
    // Preview the board with the newest event.
    let picture = playing.iter().chain(ended).max_by_key(|entry| entry.last_event_at).map(|entry| entry.picture_path());
    let head =
        PageHead { path: "index.html", title: &site.name, description: &description, picture: picture.as_deref() };
    site.page(head, &body)
}

/// Returns links that start each game.
fn start_section(site: &Site) -> Option<Markup> {
    let links = site.links()?;
    let link = |kind: &GameKind| {
        let info = kind.info();
        links.new_issue(&format!("A game of {}", info.title.to_lowercase()), &format!("/new {} computer", info.name))
    };
    Some(html! {
        section.begin {
            h2 { "Play" }
            p { "An issue is the board and every comment can be a move. Each link starts a game against the computer. To challenge a person, replace " code { "computer" } " with @username." }
            ul.games { @for kind in GameKind::ALL { li { a href=(link(kind)) { (kind.info().title) } } } }
        }
    })
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

/// Returns the sitemap of all pages.
pub fn sitemap(site_url: &str, pages: &BTreeSet<String>) -> String {
    let markup = html! {
        (maud::PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" {
            @for page in pages { url { loc { (site_url) (page) } } (maud::PreEscaped("\n")) }
        }
    };
    markup.into_string() + "\n"
}
