//! The audit of the standings: counts everything again from the records, and compares the files with that.

use std::collections::BTreeMap;

use games::registry::GameKind;
use serde_json::Value;
use table::any_table::AnyTable;
use table::pretty;

use crate::counting::Standings;
use crate::files::{self, PlayerFile, Ranking};
use crate::result::{COMPUTER_KIND, OPEN_KIND, TableResult, result_of};

/// The number of differences of one file that are listed.
const MAX_DIFFERENCES: usize = 8;

/// The outcome of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StandingsAudit {
    /// The number of results that were counted.
    pub results: usize,
    /// The number of people who have one.
    pub people: usize,
    /// The faults, a sentence each: first those of the numbers of the results, then those of the files.
    pub faults: Vec<String>,
    /// Finished games that were never counted: nothing is wrong with that, as games have ended before there were standings.
    pub uncounted: Vec<String>,
    /// The files as they should be: their paths below the state directory, and their texts.
    pub expected: BTreeMap<String, String>,
}

/// Counts all tables again, in the order of their numbers, and compares. Each table comes with the path of its record, for
/// the sentences; `files` are all that there are below the state directory's `players/`, by their paths below the state
/// directory. Gaps in the numbering are kept: recounting continues from the highest number found.
pub fn audit(tables: impl IntoIterator<Item = (String, AnyTable)>, files: &BTreeMap<String, String>) -> StandingsAudit {
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
        for (number, _, result) in results {
            standings.add_result(*number, result);
            audit.results += 1;
        }
    }
    audit.people = standings.player_count();
    audit.expected = standings.files().into_iter().collect();
    compare(files, &audit.expected, &mut audit.faults);
    audit
}

/// The results of a kind, each with its number and the path of its record.
type NumberedResults = Vec<(u64, String, TableResult)>;

/// Checks that each number from 1 on is there once.
fn check_numbers(kind: &str, results: &NumberedResults, wrong: &mut Vec<String>) {
    let mut last = (0, "");
    for (number, record, _) in results {
        let missing = match number - last.0 {
            0 if *number == 0 => {
                wrong.push(format!("`{record}` has the number 0 among the results of {kind}, but numbers start at 1"));
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
            wrong.push(format!("{} exists, but no result belongs to it", pretty::code_span(&path.as_str().into())));
            continue;
        };
        if text == right {
            continue;
        }
        let name = path.trim_start_matches("players/").trim_end_matches(".json");
        let mut found = Vec::new();
        if let (Ok(text), Ok(right)) = (serde_json::from_str(text), serde_json::from_str(right)) {
            differences(&text, &right, "", &mut found);
        }
        let more = found.len().saturating_sub(MAX_DIFFERENCES);
        // What has the right values can still be no such file: a field may be there twice.
        match check_file(name, text) {
            Err(why) if found.is_empty() => wrong.push(why),
            _ => wrong
                .extend(found.into_iter().take(MAX_DIFFERENCES).map(|difference| format!("in `{path}`, {difference}"))),
        }
        if more > 0 {
            wrong.push(format!("in `{path}`, {more} more values differ"));
        }
    }
}

/// Lists the fields in which a value differs from the right one.
fn differences(there: &Value, right: &Value, path: &str, found: &mut Vec<String>) {
    match (there, right) {
        (Value::Object(there), Value::Object(right)) => {
            let within = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
            let unknown = there.keys().filter(|key| !right.contains_key(*key));
            found.extend(
                unknown.map(|key| format!("{}{within} shouldn't be there", pretty::code_span(&key.as_str().into()))),
            );
            for (key, right) in right {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match there.get(key) {
                    Some(there) => differences(there, right, &path, found),
                    None => found.push(format!("`{path}` is missing; it should be {}", pretty::code_span(right))),
                }
            }
        }
        (Value::Array(there), Value::Array(right)) => {
            if there.len() != right.len() {
                found.push(format!("`{path}` has {} entries; it should have {}", there.len(), right.len()));
            }
            for (at, (there, right)) in there.iter().zip(right).enumerate() {
                differences(there, right, &format!("{path}[{at}]"), found);
            }
        }
        _ if there == right => {}
        _ => found.push(format!("`{path}` is {}; it should be {}", pretty::code_span(there), pretty::code_span(right))),
    }
}

fn check_file(name: &str, text: &str) -> Result<(), String> {
    match name {
        COMPUTER_KIND => files::parse_file::<Ranking<files::ComputerRow>>(name, text).map(drop),
        OPEN_KIND => files::parse_file::<Ranking<files::OpenRow>>(name, text).map(drop),
        _ if GameKind::from_name(name).is_some() => files::parse_file::<Ranking<files::RatedRow>>(name, text).map(drop),
        _ => files::parse_file::<PlayerFile>(name, text).map(drop),
    }
}
