//! The people who have played, with their rounds and ratings.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use game::Seat;
use maud::{Markup, html};
use standings::{RatingStep, RecountedStandings};
use table::timestamp::to_datetime;
use table::{Mover, Player, TableStatus, Timestamp, UserId, is_login};

use crate::page::{count, date_text, event_day};
use crate::pair::{MIN_GAMES, Pair};
use crate::{PageHead, RoundSummary, Site};

/// A person who has played.
#[derive(Clone, Debug, Default)]
pub struct Person {
    /// The newest username.
    pub login: String,
    /// The time of the last event in their rounds.
    pub last_event_at: Timestamp,
    /// Their rounds, as indices into those of the site, oldest first.
    pub rounds: Vec<usize>,
    /// The games in progress with a seat that is reserved for them, as indices into the rounds of the site.
    pub invitations: Vec<usize>,
    /// Their ratings by the game's name, oldest first.
    pub ratings: BTreeMap<&'static str, Vec<RatingStep>>,
}

/// Returns everyone who has played, by user id. `rounds` is in order of the last events.
pub fn people(rounds: &[RoundSummary], recounted: &RecountedStandings) -> BTreeMap<UserId, Person> {
    let mut people: BTreeMap<UserId, Person> = BTreeMap::new();
    for (index, round) in rounds.iter().enumerate() {
        let seated = round.people().map(|person| (person.id, &person.login));
        let movers = round.movers.iter().flatten().map(|mover| (mover.id, &mover.login));
        for (id, login) in seated.chain(movers).filter(|(_, login)| is_login(login)) {
            let person = people.entry(id).or_default();
            if person.rounds.last() != Some(&index) {
                person.rounds.push(index);
            }
            if (round.last_event_at, login) >= (person.last_event_at, &person.login) {
                person.last_event_at = round.last_event_at;
                person.login.clone_from(login);
            }
        }
    }
    for (login, index) in reserved_seats(rounds) {
        // A username can change hands, so take its newest owner.
        let holders = people.values_mut().filter(|person| person.login.eq_ignore_ascii_case(login));
        if let Some(person) = holders.max_by_key(|person| person.last_event_at) {
            person.invitations.push(index);
        }
    }
    for step in &recounted.rating_steps {
        if let Some(person) = people.get_mut(&step.id) {
            person.ratings.entry(step.game).or_default().push(*step);
        }
    }
    people
}

/// Returns the reserved seats of games in progress: the username, and the index of the game.
fn reserved_seats(rounds: &[RoundSummary]) -> impl Iterator<Item = (&str, usize)> {
    let playing = rounds.iter().enumerate().filter(|(_, round)| round.status == TableStatus::Playing);
    playing.flat_map(|(index, round)| {
        let reserved = round.seats.iter().flatten().filter(|player| player.is_reserved());
        reserved.filter_map(Player::login).map(move |login| (login, index))
    })
}

/// Returns a seat's player, with a link to their page. `top` is the relative path to the site's root.
pub fn player_link(round: &RoundSummary, seat: Seat, top: &str) -> Markup {
    html! {
        @match &round.seats[seat.index()] {
            Some(Player::Person(person)) if is_login(&person.login) => (person_link(person.id, &person.login, top)),
            _ => (round.player_name(seat)),
        }
    }
}

/// Returns a link to a person's page.
pub fn person_link(id: UserId, login: &str, top: &str) -> Markup {
    html! { a href={ (top) "players/" (id) ".html" } { (login) } }
}

// The index of players, and the file that its search reads.

/// The maximum number of people on the page. The search finds everyone.
const MAX_PEOPLE: usize = 400;

/// Returns the index and the search file.
pub fn files(site: &Site, people: &BTreeMap<UserId, Person>) -> Vec<(String, String)> {
    let mut all: Vec<(&UserId, &Person)> = people.iter().collect();
    all.sort_by_key(|(id, player)| (Reverse(player.last_event_at), **id));
    let hidden = all.len().saturating_sub(MAX_PEOPLE);
    let body = html! {
        h1 { "Players" }
        @if all.is_empty() {
            p.none { "Nobody has played yet." }
        } @else {
            div.search role="search" {
                label for="search" { "Find a player" }
                input id="search" name="q" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="39";
            }
            p id="said" role="status" {}
            ul.people id="found" {}
            button id="more" type="button" hidden { "Show more" }
            div id="all" {
                p.facts { (count(all.len(), "player")) ", most recently active first." }
                ul.people {
                    @for (id, player) in all.iter().take(MAX_PEOPLE) {
                        li { (person_link(**id, &player.login, "../")) " " small { (count(player.rounds.len(), "game")) } }
                    }
                }
                @if hidden > 0 { p { (count(hidden, "more player")) " played earlier. The search finds everyone." } }
            }
        }
    };
    let description = format!("{} on this site.", count(all.len(), "player"));
    let head = PageHead { path: "players/index.html", title: "Players", description: &description, picture: None };
    let names: Vec<(UserId, &str, usize)> =
        all.iter().map(|(id, player)| (**id, player.login.as_str(), player.rounds.len())).collect();
    vec![
        (head.path.to_owned(), site.page(head, &body)),
        ("players/search.json".to_owned(), serde_json::json!(names).to_string()),
    ]
}

// Results from a player's side.

/// How a game ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player won.
    Won,
    /// Nobody won.
    Drawn,
    /// The player lost.
    Lost,
}

/// A finished game from a player's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerResult {
    /// The opponent.
    pub opponent: Option<Player>,
    /// How the game ended.
    pub outcome: Outcome,
    /// The path of the game's page.
    pub page: String,
}

/// Returns a player's seat; `None` in an open game.
pub fn seat_of(round: &RoundSummary, id: UserId) -> Option<Seat> {
    let has = |seat: &Seat| matches!(&round.seats[seat.index()], Some(Player::Person(person)) if person.id == id);
    Seat::BOTH.into_iter().find(has)
}

/// Returns a game's result for a player; `None` without one, or in an open game.
pub fn result_for(round: &RoundSummary, id: UserId) -> Option<PlayerResult> {
    let seat = seat_of(round, id)?;
    let outcome = match round.status {
        TableStatus::Won(winner) if winner == seat => Outcome::Won,
        TableStatus::Won(_) => Outcome::Lost,
        TableStatus::Draw => Outcome::Drawn,
        _ => return None,
    };
    Some(PlayerResult { opponent: round.seats[seat.other().index()].clone(), outcome, page: round.page_path() })
}

/// Returns finished games as a list with small boards, each with its result for the player.
pub fn player_rows<'a>(rounds: impl Iterator<Item = &'a RoundSummary>, id: UserId) -> Markup {
    html! { ul.rows.own { @for round in rounds { li.row { (player_row(round, id)) } } } }
}

fn player_row(round: &RoundSummary, id: UserId) -> Markup {
    html! {
        img src={ "../" (round.board_path()) } alt="" width="56" height="56" loading="lazy";
        p { a.cover href={ "../" (round.page_path()) } { (round.game.title()) } " " small { (count(round.plies, "move")) } }
        p.who {
            @match (seat_of(round, id), &round.movers) {
                (Some(seat), _) => { "against " (player_link(round, seat.other(), "../")) }
                (None, Some(movers)) => { "Open table " (round.short_name()) ", " (own_moves(movers, id)) }
                (None, None) => (round.title()),
            }
        }
        @match result_for(round, id).map(|result| result.outcome) {
            Some(Outcome::Won) => p.score.won { "Won" },
            Some(Outcome::Drawn) => p.score { "Draw" },
            Some(Outcome::Lost) => p.score.lost { "Lost" },
            None => p.score { (round.score()) },
        }
        p.when { (event_day(round, round.last_event_at)) }
    }
}

/// Returns how many moves a player made in an open game: `made 5 moves`.
fn own_moves(movers: &[Mover], id: UserId) -> String {
    let moves = movers.iter().find(|mover| mover.id == id).map_or(0, |mover| mover.moves);
    format!("made {}", count(moves, "move"))
}

/// Returns the month of the first game, or only the year if that's all we know: `Mar 2025`, or `1851`.
pub fn first_month(rounds: &[&RoundSummary]) -> Option<String> {
    let start = |round: &&RoundSummary| match &round.imported_day {
        Some(day) => Some(day.clone()).filter(|day| !day.is_empty()),
        None => to_datetime(round.opened_at).map(|moment| moment.format("%Y-%m").to_string()),
    };
    let first = rounds.iter().filter_map(start).min()?;
    // The day doesn't matter.
    Some(date_text(first.get(..7).unwrap_or(&first)))
}

// A player's score against each opponent.

/// The number of opponents that are visible at first.
const SHOWN_OPPONENTS: usize = 10;
/// The maximum number of opponents on a page.
const MAX_OPPONENTS: usize = 30;

/// A player's score against an opponent.
#[derive(Clone, Copy, Debug, Default)]
struct Score<'a> {
    wins: usize,
    draws: usize,
    losses: usize,
    /// The path of the newest game's page.
    newest: &'a str,
}

impl Score<'_> {
    fn games(self) -> usize {
        self.wins + self.draws + self.losses
    }
}

/// Returns the score against each opponent, the most frequent one first; `None` if there are no results. The results are oldest
/// first.
pub fn head_to_head(id: UserId, results: &[PlayerResult], rounds: &[&RoundSummary]) -> Option<Markup> {
    // The key is an opponent's user id; `None` is the computer.
    let mut scores: BTreeMap<Option<UserId>, Score> = BTreeMap::new();
    for result in results {
        let opponent = match &result.opponent {
            Some(Player::Person(person)) => Some(person.id),
            Some(Player::Computer(_)) => None,
            _ => continue,
        };
        let score = scores.entry(opponent).or_default();
        match result.outcome {
            Outcome::Won => score.wins += 1,
            Outcome::Drawn => score.draws += 1,
            Outcome::Lost => score.losses += 1,
        }
        score.newest = &result.page;
    }
    let mut rows: Vec<(Option<UserId>, Score)> = scores.into_iter().collect();
    rows.sort_by_key(|(opponent, score)| (Reverse(score.games()), *opponent));
    if rows.is_empty() {
        return None;
    }
    let logins = logins_by_id(rounds);
    let (shown, rest) = rows.split_at(rows.len().min(SHOWN_OPPONENTS));
    let (more, hidden) = rest.split_at(rest.len().min(MAX_OPPONENTS - SHOWN_OPPONENTS));
    Some(html! {
        section {
            h2 { "Head to head" }
            (score_list(id, shown, &logins))
            @if !more.is_empty() {
                details {
                    summary { (count(rest.len(), "more opponent")) }
                    (score_list(id, more, &logins))
                    @if !hidden.is_empty() { p { "And " (hidden.len()) " with fewer games." } }
                }
            }
        }
    })
}

fn score_list(id: UserId, rows: &[(Option<UserId>, Score)], logins: &BTreeMap<UserId, &str>) -> Markup {
    html! {
        ul.versus {
            @for (opponent, score) in rows {
                li {
                    span.opponent { (opponent_link(*opponent, logins)) }
                    @let page = if score.games() < MIN_GAMES { score.newest.to_owned() } else { Pair::new(id, *opponent).path() };
                    a.result href={ "../" (page) } {
                        @if score.draws > 0 { small { (count(score.draws, "draw")) } " " }
                        (score.wins) " – " (score.losses)
                    }
                }
            }
        }
    }
}

fn opponent_link(opponent: Option<UserId>, logins: &BTreeMap<UserId, &str>) -> Markup {
    let login = opponent.and_then(|id| logins.get(&id).copied());
    html! {
        @match (opponent, login) {
            (Some(id), Some(login)) if is_login(login) => (person_link(id, login, "../")),
            (None, _) => "computer",
            (_, login) => (login.unwrap_or("?")),
        }
    }
}

/// Returns the newest username of everyone in these rounds, which are oldest first.
fn logins_by_id<'a>(rounds: &[&'a RoundSummary]) -> BTreeMap<UserId, &'a str> {
    rounds.iter().flat_map(|round| round.people()).map(|person| (person.id, person.login.as_str())).collect()
}
