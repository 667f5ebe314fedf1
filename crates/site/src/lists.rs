//! Lists of finished games, which may span several pages.
//!
//! The oldest games are on page 1, so that a full page changes only once more: when the next page is full.

use game::seat::Seat;
use maud::{Markup, html};
use table::game_state::TableStatus;

use crate::entry::Entry;
use crate::page::{PageHead, Site, event_day};
use crate::people::player_link;
use crate::wording::count;

/// The number of rows on a full page. The newest page has up to twice as many, which stays below 60 KB.
pub const ROWS_PER_PAGE: usize = 50;

/// Returns finished games as a list with small boards. `top` is the relative path to the site's root.
pub fn results_list<'a>(entries: impl Iterator<Item = &'a Entry>, top: &str) -> Markup {
    html! {
        ul.rows {
            @for entry in entries {
                li.row {
                    img src={ (top) (entry.board_path()) } alt="" width="56" height="56" loading="lazy";
                    p { a.cover href={ (top) (entry.page_path()) } { (entry.game.title()) } " " small { (count(entry.plies, "move")) } }
                    p.who {
                        @if entry.movers.is_some() { "Open table " (entry.short_name()) }
                        @else { (result_player(entry, Seat::First, top)) " – " (result_player(entry, Seat::Second, top)) }
                    }
                    p.score { (entry.score()) }
                    p.when { (event_day(entry, entry.last_event_at)) }
                }
            }
        }
    }
}

/// Returns a player of a finished game, in bold if they won.
pub fn result_player(entry: &Entry, seat: Seat, top: &str) -> Markup {
    html! {
        @if entry.status == TableStatus::Won(seat) { strong { (player_link(entry, seat, top)) } } @else { (player_link(entry, seat, top)) }
    }
}

/// A list of finished games that spans several pages.
#[derive(Clone, Copy, Debug)]
pub struct PagedList<'a> {
    /// The directory of its pages: `results`.
    pub folder: &'a str,
    /// The prefix of their file names, before the number: empty, or `1234-`.
    pub prefix: &'a str,
    /// The file name of the newest page: `index.html`.
    pub newest: &'a str,
    /// The heading.
    pub title: &'a str,
}

impl PagedList<'_> {
    /// Returns the path and HTML of all pages. `all` is oldest first.
    ///
    /// Each full page has a number. The newest page repeats the last full one, followed by the newer games.
    pub fn pages(&self, site: &Site, all: &[&Entry]) -> Vec<(String, String)> {
        let full_pages = all.len() / ROWS_PER_PAGE;
        let numbered = all.chunks_exact(ROWS_PER_PAGE).enumerate().map(|(index, chunk)| {
            let path = format!("{}/{}{}.html", self.folder, self.prefix, index + 1);
            let title = format!("{}, page {}", self.title, index + 1);
            (path.clone(), self.page(site, &path, &title, chunk, index, full_pages))
        });
        let newest = &all[full_pages.saturating_sub(1) * ROWS_PER_PAGE..];
        let path = format!("{}/{}", self.folder, self.newest);
        let newest_page =
            (path.clone(), self.page(site, &path, self.title, newest, full_pages.saturating_sub(1), full_pages));
        numbered.chain([newest_page]).collect()
    }

    fn page(
        &self,
        site: &Site,
        path: &str,
        title: &str,
        chunk: &[&Entry],
        older_pages: usize,
        full_pages: usize,
    ) -> String {
        let is_newest = path.ends_with(self.newest);
        let number = older_pages + 1;
        let body = html! {
            h1 { (title) }
            @if chunk.is_empty() {
                p.none { "No finished games yet." }
            } @else {
                (results_list(chunk.iter().rev().copied(), "../"))
            }
            nav.pages aria-label="Pages" {
                @if older_pages > 0 { a rel="prev" href={ (self.prefix) (older_pages) ".html" } { "Older games" } }
                @if !is_newest {
                    @if number < full_pages { a rel="next" href={ (self.prefix) (number + 1) ".html" } { "Newer games" } }
                    a href=(self.newest) { "Newest games" }
                }
            }
        };
        let description = format!("Finished games: {}.", chunk.len());
        site.page(PageHead { path, title, description: &description, picture: None }, &body)
    }
}
