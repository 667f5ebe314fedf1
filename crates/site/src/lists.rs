//! Lists of games, on pages that hold so many each. The oldest fill the first page, so that a page that
//! is full changes once more, when the next one is.

use game::seat::Seat;
use maud::{Markup, html};
use table::game_state::TableStatus;

use crate::entry::Entry;
use crate::page::{PageHead, Site, event_time};
use crate::people::player_link;

/// The rows of one page; the page of the newest has up to twice as many, which is within 60 KB.
pub const ROWS_PER_PAGE: usize = 75;

/// Returns a table of finished games. `top` leads to the top of the site.
pub fn results_table<'a>(entries: impl Iterator<Item = &'a Entry>, top: &str) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Results" {
            table {
                thead { tr { th { "Game" } th { "First" } th { "Second" } th { "Result" } th.number { "Moves" } th { "Ended" } } }
                tbody {
                    @for entry in entries {
                        tr {
                            td { a href={ (top) (entry.page_path()) } { (entry.kind.info().title) " #" (entry.issue) @if entry.round > 1 { "." (entry.round) } } }
                            td { (side(entry, Seat::First, top)) }
                            td { (side(entry, Seat::Second, top)) }
                            td { (entry.score()) }
                            td.number { (entry.plies) }
                            td { (event_time(entry, entry.last_event_at)) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns a player of a finished game; the winner is set in bold, which the result says, too.
fn side(entry: &Entry, seat: Seat, top: &str) -> Markup {
    html! {
        @if entry.status == TableStatus::Won(seat) { strong { (player_link(entry, seat, top)) } } @else { (player_link(entry, seat, top)) }
    }
}

/// Returns a table of games that are being played.
pub fn running_table<'a>(site: &Site, entries: impl Iterator<Item = &'a Entry>, top: &str) -> Markup {
    let links = site.links();
    html! {
        div.wide tabindex="0" role="region" aria-label="Games in progress" {
            table {
                thead { tr { th { "Game" } th { "First" } th { "Second" } th { "To move" } th { "Since" } th { "Play" } } }
                tbody {
                    @for entry in entries {
                        tr {
                            td { a href={ (top) (entry.page_path()) } { (entry.kind.info().title) " #" (entry.issue) } }
                            td { (player_link(entry, Seat::First, top)) }
                            td { (player_link(entry, Seat::Second, top)) }
                            td { (entry.player_name(entry.player_to_move)) " (" (entry.side_name(entry.player_to_move)) ")" }
                            td { (event_time(entry, entry.turn_started_at)) }
                            td { @if let Some(links) = links { a href=(links.issue(entry.issue)) { "Issue #" (entry.issue) } } }
                        }
                    }
                }
            }
        }
    }
}

/// A list that takes several pages.
#[derive(Clone, Copy, Debug)]
pub struct PagedList<'a> {
    /// The folder of its pages: `results`.
    pub folder: &'a str,
    /// The beginning of their names, before the number: empty, or `1234-`.
    pub prefix: &'a str,
    /// The name of the page that shows the newest: `index.html`.
    pub newest: &'a str,
    /// The heading.
    pub title: &'a str,
}

impl PagedList<'_> {
    /// Returns all pages of a list of finished games, which comes oldest first: each full page under its number, what is newer
    /// than them on the page of the newest, together with the last full one.
    pub fn pages(&self, site: &Site, all: &[&Entry]) -> Vec<(String, String)> {
        let full = all.len() / ROWS_PER_PAGE;
        let numbered = all.chunks_exact(ROWS_PER_PAGE).enumerate().map(|(at, chunk)| {
            let path = format!("{}/{}{}.html", self.folder, self.prefix, at + 1);
            let title = format!("{}, page {}", self.title, at + 1);
            (path.clone(), self.page(site, &path, &title, chunk, at, full))
        });
        let newest = &all[full.saturating_sub(1) * ROWS_PER_PAGE..];
        let path = format!("{}/{}", self.folder, self.newest);
        let first = (path.clone(), self.page(site, &path, self.title, newest, full.saturating_sub(1), full));
        numbered.chain([first]).collect()
    }

    fn page(&self, site: &Site, path: &str, title: &str, chunk: &[&Entry], older: usize, full: usize) -> String {
        let is_newest = path.ends_with(self.newest);
        let at = older + 1;
        let body = html! {
            h1 { (title) }
            @if chunk.is_empty() {
                p { "No finished games yet." }
            } @else {
                (results_table(chunk.iter().rev().copied(), "../"))
            }
            nav aria-label="Pages" {
                @if older > 0 { a rel="prev" href={ (self.prefix) (older) ".html" } { "Older games" } }
                @if !is_newest {
                    @if at < full { a rel="next" href={ (self.prefix) (at + 1) ".html" } { "Newer games" } }
                    a href=(self.newest) { "Newest games" }
                }
            }
        };
        let description = format!("Finished games: {}.", chunk.len());
        site.page(PageHead { path, title, description: &description, picture: None }, &body)
    }
}
