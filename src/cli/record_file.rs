//! Records as files on this machine.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::tables::any::AnyTable;
use crate::tables::state_file;

/// Reads a record, by the file that holds it. `42.json` belongs to issue 42, `archive/42-1.json` to its first round.
pub(super) fn load_record(path: &Path) -> Result<AnyTable> {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let (issue, round) = name.split_once('-').map_or((name, None), |(issue, round)| (issue, Some(round)));
    let issue = issue.parse().context("it is not named by the number of its issue: 42.json, or archive/42-1.json")?;
    let text = read_text(path, state_file::MAX_BYTES)?;
    let table = state_file::load(&text, issue).map_err(anyhow::Error::msg)?;
    match round {
        Some(round) if round != table.round().to_string() => {
            bail!("`round` is {}, but the file is named for round {round}", table.round())
        }
        _ => Ok(table),
    }
}

/// Reads the text of a file, or so much of it as shows that it is too long. `limit` is in bytes.
pub(super) fn read_text(path: &Path, limit: usize) -> Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(limit as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}
