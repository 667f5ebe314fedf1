//! The files with which the script filters the results, and the fields that it reads.

use std::collections::{BTreeMap, BTreeSet};

use game::Seat;
use games::GameVariant;
use maud::{Markup, html};
use serde_json::{Value, json};
use table::{Player, TableStatus, UserId};

use crate::RoundSummary;

/// The number of results in a full file. A full file never changes.
const ROWS_PER_FILE: usize = 2_000;

/// Returns the files of all results, which are oldest first: `results/games-1.json` and so on.
///
/// `games` has the name, title and kind of each game, and `people` the id and username of each person. Each row has the
/// base name of the game's files, an index into `games`, the winner (0 or 1, 2 for a draw, 3 without a result), the
/// date, the number of moves, and both seats: an index into `people`, or a name. An open table has its players as a
/// list of any length but two.
pub(crate) fn files(ended: &[&RoundSummary]) -> Vec<(String, String)> {
    let files = ended.chunks(ROWS_PER_FILE).enumerate();
    files.map(|(index, rounds)| (format!("results/games-{}.json", index + 1), file(rounds))).collect()
}

fn file(rounds: &[&RoundSummary]) -> String {
    let mut games: Vec<GameVariant> = Vec::new();
    let mut people: Vec<(UserId, &str)> = Vec::new();
    let mut people_by_name: BTreeMap<(UserId, &str), usize> = BTreeMap::new();
    let mut person = |id: UserId, login| {
        *people_by_name.entry((id, login)).or_insert_with(|| {
            people.push((id, login));
            people.len() - 1
        })
    };
    let mut rows: Vec<Value> = Vec::new();
    for round in rounds {
        let game = games.iter().position(|game| *game == round.game).unwrap_or_else(|| {
            games.push(round.game);
            games.len() - 1
        });
        let winner = match round.status {
            TableStatus::Won(seat) => seat.index(),
            TableStatus::Draw => 2,
            _ => 3,
        };
        let date = round.end_date().unwrap_or_default();
        let mut row = vec![json!(round.file_stem()), json!(game), json!(winner), json!(date), json!(round.plies)];
        match &round.movers {
            // A list of two would look like the seats.
            Some(movers) => {
                row.extend(movers.iter().map(|mover| json!(person(mover.id, &mover.login))));
                row.extend((movers.is_empty() || movers.len() == 2).then(|| json!("")));
            }
            None => row.extend(Seat::BOTH.map(|seat| match &round.seats[seat.index()] {
                Some(Player::Person(seated)) => json!(person(seated.id, &seated.login)),
                _ => json!(round.player_name(seat)),
            })),
        }
        rows.push(Value::Array(row));
    }
    let games: Vec<[&str; 3]> = games.iter().map(|game| [game.name(), game.title(), game.kind.info().name]).collect();
    json!({ "games": games, "people": people, "rows": rows }).to_string()
}

/// Returns the fields of the filter. Only a reader with scripts sees them.
pub(crate) fn filter(ended: &[&RoundSummary]) -> Markup {
    let games: Vec<GameVariant> =
        GameVariant::all().filter(|game| ended.iter().any(|round| round.game == *game)).collect();
    html! {
        div.filter role="search" aria-label="Filter the results" data-files=(ended.len().div_ceil(ROWS_PER_FILE)) {
            label { "Game" select name="game" { option value="" { "Any" } @for game in games { option value=(game.name()) { (game.title()) } } } }
            label { "Year" select name="year" { option value="" { "Any" } @for year in years(ended) { option { (year) } } } }
            label { "Player" input name="player" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="39"; }
            label { "Opponent" input name="against" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="39"; }
            label {
                "Result"
                select name="result" {
                    @for (value, title) in [("", "Any"), ("won", "Player won"), ("lost", "Player lost"), ("2", "Draw"), ("0", "1 – 0"), ("1", "0 – 1"), ("3", "No result")] {
                        option value=(value) { (title) }
                    }
                }
            }
            button type="button" { "Clear" }
        }
        p id="said" role="status" {}
        ul.rows id="found" {}
        button id="more" type="button" hidden { "Show more" }
    }
}

/// Returns the years in which games ended, newest first.
pub(crate) fn years(ended: &[&RoundSummary]) -> Vec<String> {
    let years: BTreeSet<String> = ended.iter().filter_map(|round| round.end_year()).collect();
    years.into_iter().rev().collect()
}
