//! `play-by-commit verify`: replays records, proves their dice, and counts the standings anew.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use answers::render;
use answers::sentences;
use anyhow::{Result, bail};
use game::contract::Game;
use site::record_file::{check_regular_file, is_json_schema, json_files, load_record, parse_record_name, read_text};
use standings::{audit, files};
use table::any_table::with_table;
use table::reply_audit::ReplyAudit;
use table::table::Table;

use crate::print::print_line;

/// Replays records, and prints a line for each. JSON Schemas are skipped, because `state/*.json` names them, too.
///
/// # Errors
/// Returns an error if a record is damaged or missing.
pub(super) fn verify_records(paths: &[PathBuf], replies: bool) -> Result<()> {
    let (mut damaged, mut missing, mut skipped) = (0, 0, 0);
    for path in paths {
        if !path.exists() {
            missing += 1;
            print_line(&format!("There is no file {}.", path.display()));
            continue;
        }
        match load_record(path) {
            Ok(table) => {
                let replies =
                    if replies { with_table!(&table, table => reply_sentence(table)) } else { Ok(String::new()) };
                let replies = match replies {
                    Ok(sentence) => sentence,
                    Err(wrong) => {
                        damaged += 1;
                        print_line(&format!("{}: {wrong}", path.display()));
                        continue;
                    }
                };
                let (moves, events) = with_table!(&table, record => (record.plies().filter(|ply| ply.played.is_some()).count(), record.history().len()));
                let (moves, events) = (count_phrase(moves, "move"), count_phrase(events, "event"));
                let unusual = if parse_record_name(path).is_some() {
                    String::new()
                } else {
                    format!(" The bot would name this file {}.json.", table.issue())
                };
                print_line(&format!(
                    "{}: good.{unusual} {}, round {}, {moves} in {events}.{}{replies} {}",
                    path.display(),
                    table.kind().info().title,
                    table.round(),
                    with_table!(&table, record => sentences::dice_proof(record))
                        .map_or(String::new(), |proof| format!(" {proof}")),
                    render::text(&with_table!(&table, table => sentences::ending(table)))
                ));
            }
            Err(_) if is_json_schema(path) => {
                skipped += 1;
                print_line(&format!("{}: skipped, it is a JSON Schema", path.display()));
            }
            Err(error) => {
                damaged += 1;
                print_line(&format!("{}: DAMAGED: {error:#}", path.display()));
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

/// Returns a count with its noun: "1 move", "2 moves".
fn count_phrase(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Counts all results below a state directory anew, and prints the differences.
///
/// # Errors
/// The standings differ, or a record is damaged.
pub(super) fn verify_standings(dir: &Path) -> Result<()> {
    if !dir.is_dir() {
        bail!("there is no directory {}: name the directory of the games with --state-dir", dir.display());
    }
    let mut damaged = 0;
    let records = [json_files(dir)?, json_files(&dir.join("archive"))?].concat();
    let records = records.into_iter().filter(|path| {
        // What is not named as a record is none: 42.json, archive/42-1.json.
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        name.split('-').all(|number| number.parse::<u64>().is_ok())
    });
    let tables = records.filter_map(|path| match check_regular_file(&path, dir).and_then(|()| load_record(&path)) {
        Ok(table) => Some((path.display().to_string(), table)),
        Err(error) => {
            damaged += 1;
            print_line(&format!("{}: DAMAGED: {error:#}", path.display()));
            None
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
        print_line(sentence);
    }
    for sentence in &audit.faults {
        print_line(&format!("WRONG: {sentence}."));
    }
    match audit.faults.len() + damaged {
        0 => print_line(&format!("The standings are correct: {} results of {} people.", audit.results, audit.people)),
        1 => bail!("1 problem found in the standings"),
        wrong => bail!("{wrong} problems found in the standings"),
    }
    Ok(())
}

/// Returns the sentence about the computer's replies in a record, with a space before it.
///
/// # Errors
/// The sentence about replies that this engine does not make.
fn reply_sentence<G: Game>(record: &Table<G>) -> Result<String, String> {
    let audit = ReplyAudit::run(record);
    let wrong = audit.mismatches.iter().map(|(at, recorded, chosen)| {
        format!("in `history[{at}]` the computer played `{recorded}`, but this engine plays `{chosen}`")
    });
    let wrong: Vec<String> = wrong.collect();
    if !wrong.is_empty() {
        return Err(format!("the computer would have moved differently: {}", wrong.join("; ")));
    }
    let others: Vec<String> = audit.other_engines.iter().map(u32::to_string).collect();
    let same = (audit.matching > 0).then(|| format!(" {} of the computer's moves, each confirmed.", audit.matching));
    let unproved = (audit.unverifiable > 0)
        .then(|| format!(" {} of the computer's moves, not checked until the key is published.", audit.unverifiable));
    let others = (!others.is_empty()).then(|| {
        let own = G::ENGINE_VERSION;
        format!(" Its other moves come from version {} of the engine; this is version {own}.", others.join(" and "))
    });
    Ok([same, unproved, others].into_iter().flatten().collect())
}
