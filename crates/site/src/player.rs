//! Player pages: games that wait for the player, ratings, opponents, and results.

use answers::percent_encode;
use maud::{Markup, html};
use standings::PlayerFile;
use table::{Player, TableStatus, UserId};

use crate::game::side_scores;
use crate::home::game_cards;
use crate::lists::filter_link;
use crate::page::count;
use crate::people::{Outcome, PlayerResult, first_month, head_to_head, player_rows, result_for};
use crate::ratings::{plots_section, ratings_section};
use crate::{FeedHead, PageHead, PagedList, Person, RoundSummary, Site, page};

/// The maximum number of games on a player's page. More games get pages of their own.
const MAX_GAMES: usize = 40;
/// The maximum number of games with boards in each section.
const MAX_CARDS: usize = 12;

/// The maximum number of games in a player's feed.
const MAX_FEED_GAMES: usize = 20;

/// Returns the pages of a player: their own, and lists of games if they have many.
pub fn pages(
    site: &Site,
    id: UserId,
    player: &Person,
    file: Option<&PlayerFile>,
    all: &[RoundSummary],
) -> Vec<(String, String)> {
    let rounds: Vec<&RoundSummary> = player.rounds.iter().map(|index| &all[*index]).collect();
    let ended: Vec<&RoundSummary> =
        rounds.iter().copied().filter(|round| round.status != TableStatus::Playing).collect();
    let (waiting, running) = games_in_progress(id, player, all);
    let results: Vec<PlayerResult> = ended.iter().filter_map(|round| result_for(round, id)).collect();
    let login = &player.login;
    let body = html! {
        h1 { (login) }
        (summary(&rounds, rounds.len() - ended.len(), &results))
        p {
            @if let Some(url) = profile_url(site, login, &rounds) { a href=(url) { "GitHub profile" } }
            @if site.url.is_some() { " · " a href={ (id) ".xml" } { "Feed of results" } }
        }
        (cards_section(site, &format!("Waiting for {login}"), &waiting))
        (cards_section(site, if waiting.is_empty() { "Games in progress" } else { "Other games in progress" }, &running))
        (ratings_section(file).unwrap_or_default())
        (plots_section(&player.ratings).unwrap_or_default())
        (side_scores(&ended, id).unwrap_or_default())
        (head_to_head(id, &results, &rounds).unwrap_or_default())
        section {
            h2 { "Results" }
            @if ended.is_empty() { p.none { "No finished games yet." } } @else { (player_rows(ended.iter().rev().take(MAX_GAMES).copied(), id)) }
            @if ended.len() > MAX_GAMES { p { a href={ (id) "-games.html" } { "All " (ended.len()) " results" } } }
        }
    };
    let path = format!("players/{id}.html");
    let description =
        format!("The games of {login}: {} in progress, {} finished.", rounds.len() - ended.len(), ended.len());
    let picture = rounds.last().map(|round| round.picture_path());
    let head = PageHead { path: &path, title: login, description: &description, picture: picture.as_deref() };
    let mut pages = vec![(path.clone(), site.page(head, &body))];
    let newest: Vec<&RoundSummary> = ended.iter().rev().take(MAX_FEED_GAMES).copied().collect();
    let feed_path = format!("players/{id}.xml");
    let feed = page::atom(site, FeedHead { path: &feed_path, page: &path, name: login }, &newest);
    pages.extend(feed.map(|feed| (feed_path.clone(), feed)));
    if ended.len() > MAX_GAMES {
        let (prefix, newest) = (format!("{id}-"), format!("{id}-games.html"));
        let title = format!("Results of {login}");
        pages.extend(PagedList { folder: "players", prefix: &prefix, newest: &newest, title: &title }.pages(
            site,
            &ended,
            &filter_link(&format!("player={}", percent_encode(login))),
        ));
    }
    pages
}

/// Returns the games in progress where it's the player's turn, longest wait first, and the others, newest first.
fn games_in_progress<'a>(
    id: UserId,
    player: &Person,
    rounds: &'a [RoundSummary],
) -> (Vec<&'a RoundSummary>, Vec<&'a RoundSummary>) {
    let own = player.rounds.iter().chain(&player.invitations).map(|index| &rounds[*index]);
    let mut playing: Vec<&RoundSummary> = own.filter(|round| round.status == TableStatus::Playing).collect();
    playing.sort_by_key(|round| (round.turn_started_at, round.issue, round.round));
    playing.dedup_by_key(|round| (round.issue, round.round));
    let is_turn = |round: &&RoundSummary| match &round.seats[round.player_to_move.index()] {
        Some(Player::Person(person)) => person.id == id,
        Some(reserved) => reserved.name().eq_ignore_ascii_case(&player.login),
        None => false,
    };
    let (waiting, mut running): (Vec<&RoundSummary>, Vec<&RoundSummary>) = playing.into_iter().partition(is_turn);
    running.reverse();
    (waiting, running)
}

fn cards_section(site: &Site, title: &str, games: &[&RoundSummary]) -> Markup {
    html! {
        @if !games.is_empty() {
            section {
                h2 { (title) }
                (game_cards(site, games.iter().take(MAX_CARDS).copied(), "../"))
                @if games.len() > MAX_CARDS { p { (count(games.len() - MAX_CARDS, "more game")) "." } }
            }
        }
    }
}

/// Returns one line about all games of a player.
fn summary(rounds: &[&RoundSummary], playing: usize, results: &[PlayerResult]) -> Markup {
    let number = |outcome| results.iter().filter(|result| result.outcome == outcome).count();
    let longest = results.split(|result| result.outcome != Outcome::Won).map(<[_]>::len).max().unwrap_or_default();
    let current = results.iter().rev().take_while(|result| result.outcome == Outcome::Won).count();
    let [won, drawn, lost] = [Outcome::Won, Outcome::Drawn, Outcome::Lost].map(number);
    html! {
        p.facts {
            (count(rounds.len(), "game"))
            @if !results.is_empty() { " · " (won) " won, " @if drawn > 0 { (drawn) " drawn, " } (lost) " lost" }
            @if playing > 0 { " · " (playing) " in progress" }
            @if let Some(month) = first_month(rounds) { " · first seen " (month) }
            @match (current, longest) {
                (_, ..=1) => {}
                (..=1, _) => { " · longest winning streak " (longest) }
                _ if current == longest => { " · winning streak " (current) ", the longest so far" }
                _ => { " · winning streak " (current) ", longest " (longest) }
            }
        }
    }
}

/// Returns the URL of a player's profile; `None` if they are only in the demonstration.
fn profile_url(site: &Site, login: &str, rounds: &[&RoundSummary]) -> Option<String> {
    let [server, _] = site.repository.as_ref()?;
    let is_real = rounds.iter().any(|round| !round.is_demonstration());
    if is_real { Some(format!("{}/{}", server.trim_end_matches('/'), percent_encode(login))) } else { None }
}
