//! Counting everything anew from the records, and saying where the files differ from it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::games::registry::Kind;
use crate::pages::standings::sheet::{self, PlayerSheet, Ranking};
use crate::pages::standings::tally::Standings;
use crate::pages::standings::{OPEN, Played, played};
use crate::tables::any::AnyTable;
use crate::tables::pretty;

/// How many differences of one file are told.
const TOLD: usize = 8;

/// What came of counting everything anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many results were counted.
    pub results: usize,
    /// How many people have one.
    pub people: usize,
    /// What is wrong, a sentence each: first what is wrong with the numbers of the results, then with the files.
    pub wrong: Vec<String>,
    /// Finished games that were never counted: nothing is wrong with that, as games have ended before there were standings.
    pub uncounted: Vec<String>,
    /// The files as they should be: their paths below the state directory, and their texts.
    pub right: BTreeMap<String, String>,
}

/// Counts all tables anew, in the order of their numbers, and compares. Each table comes with the path of its record, for
/// the sentences; `files` are all that there are below the state directory's `players/`, as [`super::count`] takes them.
/// A number that is missing changes no later one, so the right files go on from the last number there is.
pub fn audit(tables: impl IntoIterator<Item = (String, AnyTable)>, files: &BTreeMap<String, String>) -> Findings {
    let mut found = Findings::default();
    let mut kinds: BTreeMap<&str, Results> = BTreeMap::new();
    for (record, table) in tables {
        match (played(&table), table.counted()) {
            (Some(played), Some(number)) => kinds.entry(played.kind()).or_default().push((number, record, played)),
            (None, Some(_)) => {
                found.wrong.push(format!("`{record}` has a number, but there are no two players to count"));
            }
            (Some(_), None) => found.uncounted.push(format!("`{record}` is finished, and was not counted.")),
            (None, None) => {}
        }
    }
    let mut standings = Standings::default();
    for (kind, results) in &mut kinds {
        results.sort_by(|(number, record, _), (other, later, _)| (number, record).cmp(&(other, later)));
        check_numbers(kind, results, &mut found.wrong);
        for (number, _, played) in results {
            standings.add(*number, played);
            found.results += 1;
        }
    }
    found.people = standings.people();
    found.right = standings.files().into_iter().collect();
    compare(files, &found.right, &mut found.wrong);
    found
}

/// The results of a kind: their numbers, the paths of their records, and what counts.
type Results = Vec<(u64, String, Played)>;

/// Each number from 1 on has to be there, and once.
fn check_numbers(kind: &str, results: &Results, wrong: &mut Vec<String>) {
    let mut last = (0, "");
    for (number, record, _) in results {
        let missing = match number - last.0 {
            0 if *number == 0 => {
                wrong.push(format!("`{record}` has the number 0 among the results of {kind}, but they count from 1"));
                continue;
            }
            0 => {
                wrong.push(format!(
                    "`{}` and `{record}` both have the number {number} among the results of {kind}",
                    last.1
                ));
                continue;
            }
            1 => None,
            2 => Some(format!("number {}", last.0 + 1)),
            _ => Some(format!("numbers {} to {}", last.0 + 1, number - 1)),
        };
        wrong.extend(missing.map(|missing| format!("no record has {missing} among the results of {kind}")));
        last = (*number, record);
    }
}

fn compare(files: &BTreeMap<String, String>, right: &BTreeMap<String, String>, wrong: &mut Vec<String>) {
    wrong.extend(right.keys().filter(|path| !files.contains_key(*path)).map(|path| format!("`{path}` is missing")));
    for (path, text) in files {
        let Some(right) = right.get(path) else {
            wrong.push(format!("{} is there, but no result leads to it", pretty::brief(&path.as_str().into())));
            continue;
        };
        if text == right {
            continue;
        }
        let name = path.trim_start_matches("players/").trim_end_matches(".json");
        let mut told = Vec::new();
        if let (Ok(text), Ok(right)) = (serde_json::from_str(text), serde_json::from_str(right)) {
            differences(&text, &right, "", &mut told);
        }
        let more = told.len().saturating_sub(TOLD);
        // What has the right values can still be no such file: a field may be there twice.
        match readable(name, text) {
            Err(why) if told.is_empty() => wrong.push(why),
            _ => wrong.extend(told.into_iter().take(TOLD).map(|difference| format!("in `{path}` {difference}"))),
        }
        if more > 0 {
            wrong.push(format!("in `{path}` {more} more values differ"));
        }
    }
}

/// Where a value differs from the right one: each field that does.
fn differences(there: &Value, right: &Value, path: &str, told: &mut Vec<String>) {
    match (there, right) {
        (Value::Object(there), Value::Object(right)) => {
            let within = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
            let unknown = there.keys().filter(|key| !right.contains_key(*key));
            told.extend(
                unknown.map(|key| format!("{}{within} should not be there", pretty::brief(&key.as_str().into()))),
            );
            for (key, right) in right {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match there.get(key) {
                    Some(there) => differences(there, right, &path, told),
                    None => told.push(format!("`{path}` is missing; {} is right", pretty::brief(right))),
                }
            }
        }
        (Value::Array(there), Value::Array(right)) => {
            if there.len() != right.len() {
                told.push(format!("`{path}` has {} entries; {} is right", there.len(), right.len()));
            }
            for (at, (there, right)) in there.iter().zip(right).enumerate() {
                differences(there, right, &format!("{path}[{at}]"), told);
            }
        }
        _ if there == right => {}
        _ => told.push(format!("`{path}` says {}; {} is right", pretty::brief(there), pretty::brief(right))),
    }
}

fn readable(name: &str, text: &str) -> Result<(), String> {
    match name {
        OPEN => sheet::read::<Ranking<sheet::Busy>>(name, text).map(drop),
        _ if Kind::named(name).is_some() => sheet::read::<Ranking<sheet::Rated>>(name, text).map(drop),
        _ => sheet::read::<PlayerSheet>(name, text).map(drop),
    }
}
