//! The audit of the standings: counts all records again and compares the result with the files.

use std::collections::BTreeMap;

use game::Seat;
use games::GameVariant;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use table::{InvalidFile, ResultNumber, StatePath, Table, Timestamp, UserId, json};

use crate::counting::Standings;
use crate::result::TableResult;
use crate::{
    COMPUTER_KIND, ComputerRow, OPEN_KIND, OpenRow, Participants, PlayerFile, Ranking, RatedRow, files, result_of,
};

/// The maximum number of differences that the audit lists for one file.
const MAX_DIFFERENCES: usize = 8;

/// The outcome of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StandingsAudit {
    /// The number of counted results.
    pub results: usize,
    /// The number of people who have one.
    pub people: usize,
    /// The faults, one sentence each: first wrong result numbers, then wrong files.
    pub faults: Vec<String>,
    /// The finished games that were never counted, one sentence each. They aren't faults, because a game that ended
    /// while a file was damaged stays uncounted.
    pub uncounted: Vec<String>,
    /// The correct files: their paths below the state directory, and their texts.
    pub expected: BTreeMap<String, String>,
}

/// Counts all tables again in the order of their result numbers, and compares the files.
///
/// Each table comes with the path of its record, which the faults name. `files` maps the path of each file in
/// `players/`, below the state directory, to its text. A recount keeps gaps in the numbering.
pub fn audit(tables: impl IntoIterator<Item = (String, Table)>, files: &BTreeMap<String, String>) -> StandingsAudit {
    let mut audit = StandingsAudit::default();
    let mut kinds: BTreeMap<&str, NumberedResults> = BTreeMap::new();
    for (record, table) in tables {
        match (result_of(&table), table.result_number()) {
            (Some(result), Some(number)) => kinds.entry(result.kind()).or_default().push((number, record, result)),
            (None, Some(_)) => {
                audit.faults.push(format!("`{record}` has a number, but there is no result to count"));
            }
            (Some(_), None) => audit.uncounted.push(format!("`{record}` is finished, but it wasn't counted.")),
            (None, None) => {}
        }
    }
    let mut standings = Standings::default();
    for (kind, results) in &mut kinds {
        results.sort_by(|(number, record, _), (other, later, _)| (number, record).cmp(&(other, later)));
        check_numbers(kind, results, &mut audit.faults);
        for (number, record, result) in results {
            let changes = standings.add_result(*number, result);
            if result.rating_changes != changes {
                let [stated, right] = [result.rating_changes, changes].map(|changes| json::code_span(&json!(changes)));
                audit.faults.push(format!("in `{record}`, `ratings` is {stated}; it should be {right}"));
            }
            audit.results += 1;
        }
    }
    audit.people = standings.player_count();
    audit.expected = standings.files().into_iter().collect();
    compare(files, &audit.expected, &mut audit.faults);
    audit
}

/// The results of one kind, each with its number and the path of its record.
type NumberedResults = Vec<(ResultNumber, String, TableResult)>;

/// Reports missing and duplicate numbers, and the number 0.
fn check_numbers(kind: &str, results: &NumberedResults, faults: &mut Vec<String>) {
    let mut last = (ResultNumber::default(), "");
    for (number, record, _) in results {
        let missing = match number.get() - last.0.get() {
            0 if number.get() == 0 => {
                faults.push(format!("`{record}` has the number 0 among the results of {kind}, but numbers start at 1"));
                continue;
            }
            0 => {
                faults.push(format!(
                    "`{}` and `{record}` both have the number {number} among the results of {kind}",
                    last.1
                ));
                continue;
            }
            1 => None,
            2 => Some(format!("number {}", last.0.next())),
            _ => Some(format!("numbers {} to {}", last.0.next(), number.previous())),
        };
        faults.extend(missing.map(|missing| format!("no record has {missing} among the results of {kind}")));
        last = (*number, record);
    }
}

fn compare(files: &BTreeMap<String, String>, expected: &BTreeMap<String, String>, faults: &mut Vec<String>) {
    faults.extend(expected.keys().filter(|path| !files.contains_key(*path)).map(|path| format!("`{path}` is missing")));
    for (path, text) in files {
        let Some(expected) = expected.get(path) else {
            faults.push(format!("{} exists, but no result belongs to it", json::code_span(&path.as_str().into())));
            continue;
        };
        if text == expected {
            continue;
        }
        let Some(StatePath::Standings(name)) = StatePath::parse(path) else { continue };
        let mut found = Vec::new();
        if let (Ok(text), Ok(expected)) = (serde_json::from_str(text), serde_json::from_str(expected)) {
            list_differences(&text, &expected, "", &mut found);
        }
        let more = found.len().saturating_sub(MAX_DIFFERENCES);
        // A file with the right values can still be invalid, for example if it has a field twice.
        match check_file(&name, text) {
            Err(why) if found.is_empty() => faults.push(why.to_string()),
            _ => faults
                .extend(found.into_iter().take(MAX_DIFFERENCES).map(|difference| format!("in `{path}`, {difference}"))),
        }
        if more > 0 {
            faults.push(format!("in `{path}`, {more} more values differ"));
        }
    }
}

/// Lists the fields in which an actual value differs from the expected one.
fn list_differences(actual: &Value, expected: &Value, path: &str, found: &mut Vec<String>) {
    match (actual, expected) {
        (Value::Object(actual), Value::Object(expected)) => {
            let within = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
            let unknown = actual.keys().filter(|key| !expected.contains_key(*key));
            found.extend(
                unknown.map(|key| format!("{}{within} shouldn't be there", json::code_span(&key.as_str().into()))),
            );
            for (key, expected) in expected {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match actual.get(key) {
                    Some(actual) => list_differences(actual, expected, &path, found),
                    None => found.push(format!("`{path}` is missing; it should be {}", json::code_span(expected))),
                }
            }
        }
        (Value::Array(actual), Value::Array(expected)) => {
            if actual.len() != expected.len() {
                found.push(format!("`{path}` has {} entries; it should have {}", actual.len(), expected.len()));
            }
            for (at, (actual, expected)) in actual.iter().zip(expected).enumerate() {
                list_differences(actual, expected, &format!("{path}[{at}]"), found);
            }
        }
        _ if actual == expected => {}
        _ => found.push(format!("`{path}` is {}; it should be {}", json::code_span(actual), json::code_span(expected))),
    }
}

fn check_file(name: &str, text: &str) -> Result<(), InvalidFile> {
    match name {
        COMPUTER_KIND => files::parse_file::<Ranking<files::ComputerRow>>(name, text).map(drop),
        OPEN_KIND => files::parse_file::<Ranking<files::OpenRow>>(name, text).map(drop),
        _ if GameVariant::from_name(name).is_some() => {
            files::parse_file::<Ranking<files::RatedRow>>(name, text).map(drop)
        }
        _ => files::parse_file::<PlayerFile>(name, text).map(drop),
    }
}

// Counts all results again, which gives the standings and each player's rating after every game.

/// A collection of results to count again, with their numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Recount(Vec<(ResultNumber, TableResult)>);

/// A person's rating after a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingStep {
    /// The numeric user id.
    pub id: UserId,
    /// The name of the game or variant.
    pub game: &'static str,
    /// The time when the game ended.
    pub ended_at: Timestamp,
    /// The Glicko-2 rating.
    pub rating: f64,
    /// The standard deviation of the rating.
    pub deviation: f64,
}

/// The standings after a recount.
#[derive(Debug, Default)]
pub struct RecountedStandings {
    standings: Standings,
    /// The ratings after each result, grouped by game, in the order of the results.
    pub rating_steps: Vec<RatingStep>,
}

impl Recount {
    /// Adds the result of a table if it was counted.
    pub fn add_table(&mut self, table: &Table) {
        self.0.extend(table.result_number().zip(result_of(table)));
    }

    /// Adds the results of another recount.
    pub fn extend(&mut self, other: Recount) {
        self.0.extend(other.0);
    }

    /// Counts all results in the order of their numbers.
    pub fn count(mut self) -> RecountedStandings {
        self.0.sort_by_key(|(number, result)| (result.kind(), *number, result.ended_at));
        let mut counted = RecountedStandings::default();
        for (number, result) in &self.0 {
            counted.standings.add_result(*number, result);
            let Participants::Seated { game, players, .. } = &result.participants else { continue };
            let game = game.name();
            for id in Seat::BOTH.map(|seat| players[seat.index()].id) {
                let score = counted.standings.player(id).and_then(|player| player.games.get(game));
                let step = score.map(|score| RatingStep {
                    id,
                    game,
                    ended_at: result.ended_at,
                    rating: score.rating,
                    deviation: score.deviation,
                });
                counted.rating_steps.extend(step);
            }
        }
        counted
    }
}

impl RecountedStandings {
    /// Returns a person's results; `None` if they have none.
    pub fn player(&self, id: UserId) -> Option<&PlayerFile> {
        self.standings.player(id)
    }

    /// Returns a game's ranking; `None` if it has no results.
    pub fn rated(&self, game: &str) -> Option<&Ranking<RatedRow>> {
        self.standings.rated(game)
    }

    /// Returns the ranking of the open tables; `None` if they have no results.
    pub fn open(&self) -> Option<&Ranking<OpenRow>> {
        self.standings.open()
    }

    /// Returns the ranking of the people who have beaten the computer; `None` if nobody has.
    pub fn computer(&self) -> Option<&Ranking<ComputerRow>> {
        self.standings.computer()
    }
}
