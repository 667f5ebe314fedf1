//! Records as files on this machine.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;
use table::any_table::AnyTable;
use table::state_file;

/// The size above which a file isn't looked at as a JSON Schema, in bytes.
const MAX_SCHEMA: usize = 4 << 20;

/// Reads a record, by the file that holds it. `42.json` belongs to issue 42, `archive/42-1.json` to its first round; a file with
/// any other name to the issue that it says.
///
/// # Errors
/// The file cannot be read, or is no record, or not the one that it is named for.
pub fn load_record(path: &Path) -> Result<AnyTable> {
    read_record(path).map(|(table, _)| table)
}

/// Reads a record in the same way, and returns its text, too.
///
/// # Errors
/// As [`load_record`].
pub fn read_record(path: &Path) -> Result<(AnyTable, String)> {
    let text = read_text(path, state_file::MAX_BYTES)?;
    let named = parse_record_name(path);
    let issue = match named {
        Some((issue, _)) => issue,
        None => {
            let said: Value = serde_json::from_str(&text).unwrap_or_default();
            said["issue"].as_u64().context("neither its name nor its `issue` says which issue it belongs to")?
        }
    };
    let table = state_file::load(&text, issue).map_err(anyhow::Error::msg)?;
    match named.and_then(|(_, round)| round) {
        Some(round) if round != table.round() => {
            bail!("`round` is {}, but the file is named for round {round}", table.round())
        }
        _ => Ok((table, text)),
    }
}

/// Returns the issue that the name of a file tells, and the round if it tells one; `None` for a name that no record has.
pub fn parse_record_name(path: &Path) -> Option<(u64, Option<u32>)> {
    let name = path.file_stem()?.to_str()?;
    match name.split_once('-') {
        None => Some((name.parse().ok()?, None)),
        Some((issue, round)) => Some((issue.parse().ok()?, Some(round.parse().ok()?))),
    }
}

/// Checks that a path below `root` is a regular file there: a pipe would never end, and a link may lead anywhere.
///
/// # Errors
/// Returns an error if it is anything else, or a link out of `root`.
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

/// Whether a file holds a JSON Schema, such as `record.schema.json`, which lies beside the records.
pub fn is_json_schema(path: &Path) -> bool {
    let text = read_text(path, MAX_SCHEMA).unwrap_or_default();
    serde_json::from_str::<JsonSchema>(&text).is_ok()
}

/// The field by which a JSON Schema is known.
#[derive(Deserialize)]
struct JsonSchema {
    #[serde(rename = "$schema")]
    _schema: String,
}

/// Reads the text of a file, or so much of it as shows that it is too long. `limit` is in bytes.
///
/// # Errors
/// The file cannot be read, or is no text.
pub fn read_text(path: &Path, limit: usize) -> Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(limit as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}

/// Lists the files of a directory that end in `.json`, in order; empty if there is no directory.
///
/// # Errors
/// The directory cannot be read.
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
