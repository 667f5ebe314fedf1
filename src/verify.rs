//! `play-by-commit verify`: replays records, verifies their dice, and recomputes the standings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use answers::{TableList, render, sentences, table_list};
use anyhow::{Result, bail};
use site::{check_regular_file, is_json_schema, json_files, load_record, parse_record_name, read_text};
use standings::{audit, files};
use table::absence::MAX_BYTES as MAX_AWAY_BYTES;
use table::{AwayFile, GameSummary, ReplyAudit, StatePath, Table, state_file};
use terminal::print::{print_line, print_quoting_line};

/// Verifies records. For a directory, verifies all its records and its standings. Without paths, verifies the state directory,
/// or with `standings` only its standings. With both, also recomputes the standings of the state directory.
///
/// # Errors
/// Returns an error if a record is damaged or missing, or if the standings differ.
pub(super) fn verify(mut paths: Vec<PathBuf>, replies: bool, standings: bool, state_dir: &Path) -> Result<()> {
    if paths.is_empty() && !standings {
        check_directory(state_dir)?;
        paths.push(state_dir.to_owned());
    }
    let (mut dirs, mut records) = (Vec::new(), Vec::new());
    for path in paths {
        if path.is_dir() {
            print_list_problem(&path);
            records.extend(record_paths(&path)?);
            dirs.push(path);
        } else {
            records.push(path);
        }
    }
    if records.is_empty() && !dirs.is_empty() {
        print_line("There are no games yet.");
    }
    // Print all reports even if the first one fails.
    let mut result = verify_records(&records, replies);
    if standings && !dirs.iter().any(|dir| dir == state_dir) {
        dirs.push(state_dir.to_owned());
    }
    for dir in dirs {
        result = result.and(verify_standings(&dir, &records)).and(verify_away_files(&dir));
    }
    result
}

/// Verifies the files about time away in a state directory, and prints a line for each damaged one.
///
/// # Errors
/// Returns an error if a file is damaged.
fn verify_away_files(dir: &Path) -> Result<()> {
    let mut damaged = 0;
    for path in json_files(&dir.join("away"))? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(StatePath::Away(id)) = StatePath::parse(&format!("away/{name}")) else { continue };
        let parse = |text: String| AwayFile::parse(&text, id).map_err(anyhow::Error::from);
        if let Err(error) = read_text(&path, MAX_AWAY_BYTES).and_then(parse) {
            damaged += 1;
            print_quoting_line(&format!("{}: DAMAGED: {error:#}", path.display()));
        }
    }
    match damaged {
        0 => Ok(()),
        1 => bail!("1 file about time away is damaged"),
        _ => bail!("{damaged} files about time away are damaged"),
    }
}

fn check_directory(dir: &Path) -> Result<()> {
    if !dir.is_dir() {
        bail!("there is no directory {}: name the directory of the games with --state-dir", dir.display());
    }
    Ok(())
}

/// Returns the paths of all records in a state directory, named 42.json or archive/42-1.json.
fn record_paths(dir: &Path) -> Result<Vec<PathBuf>> {
    let all = [json_files(dir)?, json_files(&dir.join("archive"))?].concat();
    let is_record = |path: &PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        name.split('-').all(|number| number.parse::<u64>().is_ok())
    };
    Ok(all.into_iter().filter(is_record).collect())
}

/// Replays records and prints a line for each. Skips JSON Schemas and the list of tables, because `state/*.json` matches them, too.
///
/// # Errors
/// Returns an error if a record is damaged or missing.
fn verify_records(paths: &[PathBuf], replies: bool) -> Result<()> {
    let (mut damaged, mut missing, mut skipped) = (0, 0, 0);
    for path in paths {
        if !path.exists() {
            missing += 1;
            print_quoting_line(&format!("There is no file {}.", path.display()));
            continue;
        }
        match load_record(path) {
            Ok(table) => match describe_record(path, &table, replies) {
                Ok(description) => print_quoting_line(&format!("{}: good.{description}", path.display())),
                Err(message) => {
                    damaged += 1;
                    print_quoting_line(&format!("{}: {message}", path.display()));
                }
            },
            Err(_) if what_beside_records(path).is_some() => {
                let what = what_beside_records(path).unwrap_or_default();
                skipped += 1;
                print_quoting_line(&format!("{}: skipped, it is {what}", path.display()));
            }
            Err(_) if is_json_schema(path) => {
                skipped += 1;
                print_quoting_line(&format!("{}: skipped, it is a JSON Schema", path.display()));
            }
            Err(error) => {
                damaged += 1;
                print_quoting_line(&format!("{}: DAMAGED: {error:#}", path.display()));
            }
        }
    }
    let records = paths.len() - missing - skipped;
    let missing_files =
        if missing == 1 { "1 file is missing".to_owned() } else { format!("{missing} files are missing") };
    let are = if damaged == 1 { "is" } else { "are" };
    match (damaged, missing) {
        (0, 0) => Ok(()),
        (0, _) => bail!("{missing_files}"),
        (_, 0) => bail!("{damaged} of {records} records {are} damaged"),
        _ => bail!("{damaged} of {records} records {are} damaged, and {missing_files}"),
    }
}

/// Describes a valid record. With `replies`, also recomputes the computer's moves.
///
/// # Errors
/// Returns an error, as a sentence that lists the moves, if this engine would not have played some of them.
fn describe_record(path: &Path, table: &Table, replies: bool) -> Result<String> {
    let mut text = String::new();
    if parse_record_name(path).is_none() {
        text.push_str(&format!(" The bot would name this file {}.json.", table.issue()));
    }
    if !has_running_file(path, table) {
        let file = StatePath::Running(table.issue());
        text.push_str(&format!(" {file} doesn't show it; the daily run writes that file."));
    }
    let replies = if replies { reply_sentence(table)? } else { String::new() };
    let moves = table.plies().filter(|ply| ply.played.is_some()).count();
    text.push_str(&format!(
        " {}, round {}, {} in {}.",
        table.variant().title(),
        table.round(),
        count_phrase(moves, "move"),
        count_phrase(table.history().len(), "event")
    ));
    if let Some(proof) = sentences::dice_proof(table) {
        text.push_str(&format!(" {proof}"));
    }
    text.push_str(&format!("{replies} {}", render::text(&sentences::ending(table))));
    Ok(text)
}

/// Whether the summary beside a record is as the bot writes it. An archived game has none.
fn has_running_file(path: &Path, table: &Table) -> bool {
    let (Some((_, None)), Some(dir)) = (parse_record_name(path), path.parent()) else { return true };
    let text = read_text(&dir.join(StatePath::Running(table.issue()).to_string()), state_file::MAX_BYTES).ok();
    // Only this file says when the players were away, whether the player to move learned of their turn late, and whether the issue is
    // missing.
    let known = text.as_ref().and_then(|text| GameSummary::parse(text, table.issue()).ok());
    let missing_since = known.as_ref().and_then(|game| game.missing_since);
    let table = known.map_or_else(|| table.clone(), |game| game.complete(table.clone()));
    text == GameSummary::from_table(&table).map(|game| GameSummary { missing_since, ..game }.to_json())
}

/// Returns what a file beside the records is, by its name; `None` for a record or a file of the host.
fn what_beside_records(path: &Path) -> Option<&'static str> {
    match StatePath::parse(path.file_name()?.to_str()?)? {
        StatePath::TableList => Some("the list of tables"),
        StatePath::DailyRun => Some("the time of the first daily run"),
        _ => None,
    }
}

/// Prints a problem of the list of tables in a state directory. It's never an error, because the daily run writes the file again.
fn print_list_problem(dir: &Path) {
    let path = dir.join(StatePath::TableList.to_string());
    if !path.exists() {
        return;
    }
    let parse = |text: String| TableList::parse(&text).map_err(anyhow::Error::from);
    if let Err(error) = read_text(&path, table_list::MAX_BYTES).and_then(parse) {
        print_quoting_line(&format!("{}: damaged: {error:#}. The daily run writes it again.", path.display()));
    }
}

/// Returns a count with its noun: `1 move`, `2 moves`.
fn count_phrase(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Recomputes the standings from all records of a state directory, and prints the differences.
///
/// `verified` lists the records whose damage has already been printed.
///
/// # Errors
/// Returns an error if the standings differ or a record is damaged.
fn verify_standings(dir: &Path, verified: &[PathBuf]) -> Result<()> {
    check_directory(dir)?;
    let mut damaged = 0;
    let tables = record_paths(dir)?.into_iter().filter_map(|path| {
        match check_regular_file(&path, dir).and_then(|()| load_record(&path)) {
            Ok(table) => Some((path.display().to_string(), table)),
            Err(error) => {
                damaged += 1;
                if !verified.contains(&path) {
                    print_quoting_line(&format!("{}: DAMAGED: {error:#}", path.display()));
                }
                None
            }
        }
    });
    let mut texts = BTreeMap::new();
    for path in json_files(&dir.join("players"))? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_file = check_regular_file(&path, dir).is_ok();
        let text = if is_file { read_text(&path, files::MAX_BYTES).unwrap_or_default() } else { String::new() };
        texts.insert(format!("players/{name}"), text);
    }
    let audit = audit::audit(tables, &texts);
    for sentence in &audit.uncounted {
        print_quoting_line(sentence);
    }
    for sentence in &audit.faults {
        print_quoting_line(&format!("WRONG: {sentence}."));
    }
    match audit.faults.len() + damaged {
        0 => {
            let results = if audit.results == 1 { "result" } else { "results" };
            let people = if audit.people == 1 { "person" } else { "people" };
            print_quoting_line(&format!(
                "The standings are correct: {} {results} of {} {people}.",
                audit.results, audit.people
            ));
        }
        1 => bail!("1 problem found in the standings"),
        wrong => bail!("{wrong} problems found in the standings"),
    }
    Ok(())
}

/// Recomputes the computer's moves in a record, and returns the result as sentences with a leading space.
///
/// # Errors
/// Returns an error, as a sentence that lists the moves, if this engine would not have played some of them.
fn reply_sentence(record: &Table) -> Result<String> {
    let audit = ReplyAudit::run(record);
    if !audit.mismatches.is_empty() {
        let mismatches: Vec<String> = audit
            .mismatches
            .iter()
            .map(|(index, recorded, chosen)| {
                format!("in `history[{index}]` the computer played `{recorded}`, but this engine plays `{chosen}`")
            })
            .collect();
        bail!("the computer would have moved differently: {}", mismatches.join("; "));
    }
    let mut text = String::new();
    if audit.matching > 0 {
        text.push_str(&format!(" {} of the computer's moves, each confirmed.", audit.matching));
    }
    if audit.unverifiable > 0 {
        text.push_str(&format!(
            " {} of the computer's moves, not checked until the key is published.",
            audit.unverifiable
        ));
    }
    if !audit.other_engines.is_empty() {
        let versions: Vec<String> = audit.other_engines.iter().map(u32::to_string).collect();
        text.push_str(&format!(
            " Its other moves come from version {} of the engine; this is version {}.",
            versions.join(" and "),
            record.game().engine_version()
        ));
    }
    Ok(text)
}
