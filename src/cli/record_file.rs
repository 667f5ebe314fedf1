//! Records as files on this machine.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::tables::any::AnyTable;
use crate::tables::state_file;

/// Reads a record, by the file that holds it. `42.json` belongs to issue 42, `archive/42-1.json` to its first round; a file with
/// any other name to the issue that it says.
pub(super) fn load_record(path: &Path) -> Result<AnyTable> {
    let text = read_text(path, state_file::MAX_BYTES)?;
    let named = named(path);
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
        _ => Ok(table),
    }
}

/// Returns the issue that the name of a file tells, and the round if it tells one; `None` for a name that no record has.
pub(super) fn named(path: &Path) -> Option<(u64, Option<u32>)> {
    let name = path.file_stem()?.to_str()?;
    match name.split_once('-') {
        None => Some((name.parse().ok()?, None)),
        Some((issue, round)) => Some((issue.parse().ok()?, Some(round.parse().ok()?))),
    }
}

/// Reads the text of a file, or so much of it as shows that it is too long. `limit` is in bytes.
pub(super) fn read_text(path: &Path, limit: usize) -> Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(limit as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}
