//! The page of each kind of game: open seats, games in progress, the leaderboard, and results.

use answers::commit_message::placeholder;
use games::{GameKind, GameVariant};
use maud::{Markup, html};
use standings::RecountedStandings;

use crate::home::{game_cards, rated_leaders, waiting_section};
use crate::learn::Guide;
use crate::lists::{filter_link, results_list};
use crate::{PageHead, PagedList, RoundSummary, Site, game};

/// The maximum number of games in progress on a page.
const MAX_CARDS: usize = 24;
/// The maximum number of results on a page. More results get pages of their own.
const MAX_RESULTS: usize = 30;
/// The number of players shown from the leaderboard.
const TOP_PLAYERS: usize = 10;

/// Returns the pages of a game: its own, and the list of its results. `playing` is sorted by turn, newest first, and
/// `ended` by end, oldest first; both contain games of every kind.
pub fn pages(
    site: &Site,
    kind: GameKind,
    playing: &[&RoundSummary],
    ended: &[&RoundSummary],
    standings: &RecountedStandings,
) -> Vec<(String, String)> {
    let info = kind.info();
    let playing = playing.iter().copied().filter(|round| round.kind == kind);
    let ended: Vec<&RoundSummary> = ended.iter().copied().filter(|round| round.kind == kind).collect();
    let (waiting, running): (Vec<&RoundSummary>, Vec<&RoundSummary>) = playing.partition(|round| round.has_open_seat());
    let guide = Guide::read(kind);
    let body = html! {
        h1 { (info.title) }
        p.facts { (info.summary) }
        p.start {
            (start_links(site, kind).unwrap_or_default())
            @if guide.is_some() { a.button href="#learn" { "How to play" } }
        }
        (waiting_section(site, &waiting, "../").unwrap_or_default())
        @if !running.is_empty() {
            section {
                h2 { "Games in progress" }
                (game_cards(site, running.iter().take(MAX_CARDS).copied(), "../"))
                @if running.len() > MAX_CARDS { p { (running.len() - MAX_CARDS) " more games with older moves." } }
            }
        }
        @if let Some(guide) = &guide { (guide.summary()) }
        (leaderboards(kind, standings).unwrap_or_default())
        section {
            h2 { "Results" }
            (game::shares(kind, &ended).unwrap_or_default())
            @if ended.is_empty() { p.none { "No finished games yet." } } @else { (results_list(ended.iter().rev().take(MAX_RESULTS).copied(), "../")) }
            @if ended.len() > MAX_RESULTS { p { a href="results.html" { "All " (ended.len()) " results" } } }
        }
    };
    let path = format!("{}/index.html", info.name);
    let count = waiting.len() + running.len();
    let noun = if count == 1 { "game" } else { "games" };
    let description = format!("{}: {count} {noun} in progress, {} finished.", info.title, ended.len());
    let picture = waiting
        .iter()
        .chain(&running)
        .chain(&ended)
        .max_by_key(|round| round.last_event_at)
        .map(|round| round.picture_path());
    let head = PageHead { path: &path, title: info.title, description: &description, picture: picture.as_deref() };
    let mut pages = vec![(path.clone(), site.page(head, &body))];
    pages.extend(guide.iter().flat_map(|guide| guide.files(site)));
    if ended.len() > MAX_RESULTS {
        let title = format!("Results of {}", info.title.to_lowercase());
        pages.extend(PagedList { folder: info.name, prefix: "", newest: "results.html", title: &title }.pages(
            site,
            &ended,
            &filter_link(&format!("game={}", info.name)),
        ));
    }
    pages
}

/// Returns the first players of each leaderboard; `None` without any.
fn leaderboards(kind: GameKind, standings: &RecountedStandings) -> Option<Markup> {
    let games = GameVariant::all().filter(|game| game.kind == kind);
    let rankings: Vec<_> = games.filter_map(|game| Some((game, standings.rated(game.name())?))).collect();
    if rankings.is_empty() {
        return None;
    }
    Some(html! {
        section.leaders {
            @for (game, ranking) in rankings {
                div {
                    h2 { "Leaderboard" @if game.variant.is_some() { ": " (game.title()) } }
                    (rated_leaders(&ranking.top, TOP_PLAYERS, "../"))
                    p { a href={ "../standings/" (game.name()) ".html" } { "Whole leaderboard" } }
                }
            }
        }
    })
}

/// Returns links that start a game with a person or the computer.
fn start_links(site: &Site, kind: GameKind) -> Option<Markup> {
    let (links, info) = (site.links()?, kind.info());
    let link = |opponent: &str| {
        links.new_issue(&placeholder(&info.title.to_lowercase()), &format!("/new {}{opponent}", info.name))
    };
    Some(html! {
        a.button.main href=(link("")) { "Find an opponent" } " "
        a.button.main href=(link(" computer")) { "Play the computer" } " "
    })
}
