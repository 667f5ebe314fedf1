//! Reads records from local files.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;
use table::any_table::AnyTable;
use table::ids::IssueNumber;
use table::running_game::RunningGame;
use table::state_file;
use table::state_path::StatePath;

/// The maximum size of a file that may be a JSON Schema, in bytes.
const MAX_SCHEMA: usize = 4 << 20;

/// Reads a record from a file.
///
/// `42.json` belongs to issue 42, and `archive/42-1.json` to its first round. The `issue` field decides for files with
/// other names.
///
/// # Errors
/// Returns an error if the file can't be read, isn't a valid record, or doesn't match its name.
pub fn load_record(path: &Path) -> Result<AnyTable> {
    read_record(path).map(|(table, _)| table)
}

/// Reads a record like [`load_record`], and also returns the text of the file.
///
/// # Errors
/// Returns an error in the same cases as [`load_record`].
pub fn read_record(path: &Path) -> Result<(AnyTable, String)> {
    let text = read_text(path, state_file::MAX_BYTES)?;
    let name = parse_record_name(path);
    let issue = match name {
        Some((issue, _)) => issue,
        None => {
            let record: Value = serde_json::from_str(&text).unwrap_or_default();
            let issue = record["issue"].as_u64().map(IssueNumber::new);
            issue.context("neither its name nor its `issue` says which issue it belongs to")?
        }
    };
    let table = state_file::load(&text, issue)?;
    let table = with_absences(path, table, name.is_some_and(|(_, round)| round.is_none()));
    match name.and_then(|(_, round)| round) {
        Some(round) if round != table.round() => {
            bail!("`round` is {}, but the file is named for round {round}", table.round())
        }
        _ => Ok((table, text)),
    }
}

/// Returns a table with what only the short file beside its record says; see [`RunningGame::complete`].
fn with_absences(path: &Path, table: AnyTable, is_current: bool) -> AnyTable {
    let Some(dir) = path.parent().filter(|_| is_current && table.is_playing()) else { return table };
    let file = dir.join(StatePath::Running(table.issue()).to_string());
    let text = check_regular_file(&file, dir).ok().and_then(|()| read_text(&file, state_file::MAX_BYTES).ok());
    let game = text.and_then(|text| RunningGame::parse(&text, table.issue()).ok());
    match game {
        Some(game) => game.complete(table),
        None => table,
    }
}

/// Parses the issue and the round, if any, from a file name; `None` if it isn't a record's.
pub fn parse_record_name(path: &Path) -> Option<(IssueNumber, Option<u32>)> {
    let name = path.file_name()?.to_str()?;
    match StatePath::parse(name).or_else(|| StatePath::parse(&format!("archive/{name}")))? {
        StatePath::Record(issue) => Some((issue, None)),
        StatePath::ArchivedRecord { issue, round } => Some((issue, Some(round))),
        _ => None,
    }
}

/// Checks that a path is a regular file inside `root`.
///
/// Reading a pipe could block forever, and a link could lead anywhere.
///
/// # Errors
/// Returns an error if it is anything else, or links to a file outside `root`.
pub fn check_regular_file(path: &Path, root: &Path) -> Result<()> {
    let target = path.canonicalize()?;
    if !target.starts_with(root.canonicalize()?) {
        bail!("it links to a place outside {}", root.display());
    }
    if !target.metadata()?.is_file() {
        bail!("it isn't a regular file");
    }
    Ok(())
}

/// Whether a file is a JSON Schema, such as `record.schema.json`, which is next to the records.
pub fn is_json_schema(path: &Path) -> bool {
    let text = read_text(path, MAX_SCHEMA).unwrap_or_default();
    serde_json::from_str::<JsonSchema>(&text).is_ok()
}

/// The field that identifies a JSON Schema.
#[derive(Deserialize)]
struct JsonSchema {
    #[serde(rename = "$schema")]
    _schema: String,
}

/// Reads at most `limit` bytes of a text file, plus one byte if the file is longer, so that the caller notices. Its lines end as
/// in git, even if git checked them out with the line endings of Windows.
///
/// # Errors
/// Returns an error if the file can't be read or isn't UTF-8.
pub fn read_text(path: &Path, limit: usize) -> Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(limit as u64 + 1).read_to_string(&mut text)?;
    Ok(if text.contains('\r') { text.replace("\r\n", "\n") } else { text })
}

/// Returns the `.json` files of a directory in order; empty if the directory doesn't exist.
///
/// # Errors
/// Returns an error if the directory can't be read.
pub fn json_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.and_then(Iterator::collect::<io::Result<Vec<_>>>),
    };
    let entries = entries.with_context(|| format!("{} can't be read", dir.display()))?;
    let mut paths: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    paths.sort();
    Ok(paths)
}
