//! Lists of finished games, which may span several pages.
//!
//! The oldest games are on page 1, so that a full page changes only once more: when the next page is full.

use game::Seat;
use maud::{Markup, html};
use table::TableStatus;

use crate::page::{count, event_day};
use crate::people::player_link;
use crate::results_index::{filter, years};
use crate::{PageHead, RoundSummary, Site, results_index};

/// The number of rows on a full page. The newest page has up to twice as many, which stays below 60 KB.
pub const ROWS_PER_PAGE: usize = 50;

/// The number of pages before and after the current one that have links.
const NEAR_PAGES: usize = 2;

/// Returns finished games as a list with small boards. `top` is the relative path to the site's root.
pub(crate) fn results_list<'a>(rounds: impl Iterator<Item = &'a RoundSummary>, top: &str) -> Markup {
    html! {
        ul.rows {
            @for round in rounds {
                li.row {
                    img src={ (top) (round.board_path()) } alt="" width="56" height="56" loading="lazy";
                    p { a.cover href={ (top) (round.page_path()) } { (round.game.title()) } " " small { (count(round.plies, "move")) } }
                    p.who {
                        @if round.movers.is_some() { "Open table " (round.short_name()) }
                        @else { (result_player(round, Seat::First, top)) " – " (result_player(round, Seat::Second, top)) }
                    }
                    p.score { (round.score()) }
                    p.when { (event_day(round, round.last_event_at)) }
                }
            }
        }
    }
}

/// Returns a player of a finished game, in bold if they won.
pub(crate) fn result_player(round: &RoundSummary, seat: Seat, top: &str) -> Markup {
    html! {
        @if round.status == TableStatus::Won(seat) { strong { (player_link(round, seat, top)) } } @else { (player_link(round, seat, top)) }
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
    /// Returns the path and HTML of all pages. `all` is oldest first, and `above` comes before the list on the newest page.
    ///
    /// Each full page has a number. The newest page repeats the last full one, followed by the newer games.
    pub fn pages(&self, site: &Site, all: &[&RoundSummary], above: &Markup) -> Vec<(String, String)> {
        let full_pages = all.len() / ROWS_PER_PAGE;
        let numbered = all.chunks_exact(ROWS_PER_PAGE).enumerate().map(|(index, chunk)| {
            let path = format!("{}/{}{}.html", self.folder, self.prefix, index + 1);
            let title = format!("{}, page {}", self.title, index + 1);
            let body = self.body(&title, &html! {}, chunk, Some(index + 1), full_pages);
            (path.clone(), page(site, &path, &title, chunk.len(), &body))
        });
        let newest = &all[full_pages.saturating_sub(1) * ROWS_PER_PAGE..];
        let path = format!("{}/{}", self.folder, self.newest);
        let body = self.body(self.title, above, newest, None, full_pages);
        let newest_page = (path.clone(), page(site, &path, self.title, newest.len(), &body));
        numbered.chain([newest_page]).collect()
    }

    fn body(
        &self,
        title: &str,
        above: &Markup,
        chunk: &[&RoundSummary],
        number: Option<usize>,
        full_pages: usize,
    ) -> Markup {
        html! {
            h1 { (title) }
            (above)
            div id="all" {
                @if chunk.is_empty() {
                    p.none { "No finished games yet." }
                } @else {
                    p.facts { "Newest first, by the day the game ended." }
                    (results_list(chunk.iter().rev().copied(), "../"))
                }
                (self.page_links(number, full_pages))
            }
        }
    }

    /// Returns links to the neighboring pages, newest first. The newest page is also the last full one.
    fn page_links(&self, number: Option<usize>, full_pages: usize) -> Markup {
        if full_pages < 2 && number.is_none() {
            return html! {};
        }
        let at = number.unwrap_or(full_pages);
        html! {
            nav.pages aria-label="Pages" {
                @if at + 1 < full_pages { a rel="next" href={ (self.prefix) (at + 1) ".html" } { "‹ Newer" } }
                a href=(self.newest) aria-current=[number.is_none().then_some("page")] { "Newest" }
                @for page in near_pages(number, full_pages) {
                    @match page {
                        Some(page) => a href={ (self.prefix) (page) ".html" } aria-current=[(Some(page) == number).then_some("page")] { (page) },
                        None => span { "…" },
                    }
                }
                @if at > 1 { a rel="prev" href={ (self.prefix) (at - 1) ".html" } { "Older ›" } }
            }
        }
    }
}

/// Returns the numbers of pages near a page, and of the first one, highest first. `None` is a gap.
fn near_pages(number: Option<usize>, full_pages: usize) -> Vec<Option<usize>> {
    let at = number.unwrap_or(full_pages);
    let is_shown =
        |page: &usize| (page.abs_diff(at) <= NEAR_PAGES || *page == 1) && (*page < full_pages || number == Some(*page));
    let (mut pages, mut last) = (Vec::new(), full_pages);
    for page in (1..=full_pages).rev().filter(is_shown) {
        if last - page > 1 {
            pages.push(None);
        }
        pages.push(Some(page));
        last = page;
    }
    pages
}

fn page(site: &Site, path: &str, title: &str, games: usize, body: &Markup) -> String {
    let description = format!("Finished games: {games}.");
    site.page(PageHead { path, title, description: &description, picture: None }, body)
}

/// Returns the pages of all results: the list, a list for each year, and the files of the filter. `all` is oldest first.
pub fn result_pages(site: &Site, all: &[&RoundSummary]) -> Vec<(String, String)> {
    let years = years(all);
    let above = html! {
        @if !all.is_empty() { (filter(all)) }
        @if years.len() > 1 { p.by { "By year:" @for year in &years { a href={ (year) ".html" } { (year) } } } }
    };
    let list = PagedList { folder: "results", prefix: "", newest: "index.html", title: "Results" };
    let mut pages = list.pages(site, all, &above);
    for year in years.iter().filter(|_| years.len() > 1) {
        let of_year: Vec<&RoundSummary> =
            all.iter().copied().filter(|round| round.end_year().as_ref() == Some(year)).collect();
        let (prefix, newest, title) = (format!("{year}-"), format!("{year}.html"), format!("Results of {year}"));
        let list = PagedList { folder: "results", prefix: &prefix, newest: &newest, title: &title };
        pages.extend(list.pages(site, &of_year, &filter_link(&format!("year={year}"))));
    }
    pages.extend(results_index::files(all));
    pages
}

/// Returns a link to the filter of all results, with a query such as `game=chess`.
pub(crate) fn filter_link(query: &str) -> Markup {
    html! { p { a href={ "../results/index.html?" (query) "#found" } { "Filter these results" } } }
}
