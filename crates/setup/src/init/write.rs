//! Writes the files of `init`, and asks before it changes one.

use anyhow::{Result, bail};
use git::work_tree::WorkTree;
use protocol::forge::FileContent;

use crate::init::InitOptions;
use crate::init::dialog::Dialog;
use crate::init::pages::with_line_endings_of;
use crate::init::plan::Draft;
use crate::unified_diff::unified_diff;

/// The outcome for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileOutcome {
    /// The file was written, or would be in a dry run.
    Written,
    /// The file needs no change.
    UpToDate,
    /// The file needs a change, but was left unchanged.
    Skipped,
}

/// Writes a file. If it exists and differs, shows the diff and asks first.
pub(super) fn write_draft(
    dialog: Dialog<'_>,
    tree: &WorkTree,
    Draft { path, text }: &Draft,
    options: &InitOptions,
) -> Result<FileOutcome> {
    let old = match tree.read(path) {
        FileContent::Missing => None,
        FileContent::Text(old) => Some(old),
        FileContent::Unreadable(why) => bail!("{why}. It was left unchanged"),
    };
    let old_text = old.as_ref().map(|old| old.replace("\r\n", "\n")).unwrap_or_default();
    if old.is_some() && old_text == *text {
        dialog.say(&format!("{path}: up to date."));
        return Ok(FileOutcome::UpToDate);
    }
    if options.dry_run {
        let what = if old.is_some() { "would change" } else { "would be written" };
        dialog.say(&format!("{path} {what}:\n\n{}", sanitize(&unified_diff(path, &old_text, text))));
        return Ok(FileOutcome::Written);
    }
    if old.is_some() {
        let diff = sanitize(&unified_diff(path, &old_text, text));
        dialog.say(&format!("{path} already exists and differs from what init would write:\n\n{diff}"));
        if !options.yes && !dialog.confirm(path)? {
            dialog.say(&format!("{path}: left unchanged."));
            return Ok(FileOutcome::Skipped);
        }
    }
    tree.write(path, &old.as_ref().map_or_else(|| text.clone(), |old| with_line_endings_of(old, text)))?;
    dialog.say(&format!("{path}: {}.", if old.is_some() { "updated" } else { "written" }));
    Ok(FileOutcome::Written)
}

/// Removes the characters of a file that could change a terminal.
fn sanitize(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}
