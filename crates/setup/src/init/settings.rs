//! Changes the settings file of a repository, and keeps everything else in it.

use anyhow::{Result, bail};
use git::WorkTree;
use protocol::{FileContent, SETTINGS_PATH};

use crate::init::merge::find_block;
use crate::init::plan::{Draft, ExistingWorkflow};
use crate::yaml::to_scalar;
use crate::{FileSettings, WorkflowChoices, parse_yaml};

/// The first line of a new file: where editors find its schema.
const FIRST_LINE: &str = "# yaml-language-server: $schema=https://raw.githubusercontent.com/play-by-commit/play-by-commit/main/docs/\
    play-by-commit.schema.json";

/// Plans the settings file if the repository has one, or if a server plays there. Moves the choices that belong in it from the
/// workflow's inputs to the file; those that the workflow sets and the file doesn't stay in the workflow. Returns `None` if there
/// is nothing to write.
///
/// # Errors
/// Returns an error if the file can't be read, or if its layout is unsupported.
pub(super) fn plan_settings(
    tree: &WorkTree,
    is_for_server: bool,
    playing: &[ExistingWorkflow],
    choices: &mut WorkflowChoices,
) -> Result<Option<Draft>> {
    let old = match tree.read(SETTINGS_PATH) {
        FileContent::Text(text) => text.replace("\r\n", "\n"),
        FileContent::Unreadable(why) => bail!("{why}. It was left unchanged"),
        FileContent::Missing if !is_for_server => return Ok(None),
        FileContent::Missing => String::new(),
    };
    let parse = |text: &str| FileSettings::parse(&FileContent::Text(text.to_owned()));
    let before = parse(&old);
    let has_settings = !before.names().is_empty();
    if !has_settings && let (false, Some(why)) = (parse_yaml(&old).is_ok(), before.mistakes.first()) {
        bail!("{SETTINGS_PATH}: {}. Repair it first: init keeps what it says", why.text());
    }
    let is_in_workflow = |name: &str| {
        let steps = playing.iter().flat_map(|workflow| &workflow.steps);
        !is_for_server && steps.clone().any(|step| step.input(name).is_some())
    };
    let belongs = |name: &str| before.get(name).is_some() || !is_in_workflow(name);
    let settings: Vec<(String, String)> = choices.inputs.iter().filter(|(name, _)| belongs(name)).cloned().collect();
    choices.inputs.retain(|(name, _)| is_in_workflow(name));
    let mut lines: Vec<String> = old.lines().map(str::to_owned).collect();
    let changed = settings.iter().filter(|(name, value)| before.get(name).unwrap_or_default() != value);
    for (name, value) in changed {
        let line = format!("{name}: {}", to_scalar(value));
        if lines.is_empty() {
            lines.push(FIRST_LINE.to_owned());
        }
        let at = find_block(&lines, 0..lines.len(), 0, |key| key == name).unwrap_or(lines.len()..lines.len());
        drop(lines.splice(at, [line]));
    }
    let new: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let after = parse(&new);
    let is_there = |(name, value): &&(String, String)| after.get(name).unwrap_or_default() == value;
    if let Some((name, value)) = settings.iter().find(|setting| !is_there(setting)) {
        bail!(
            "{SETTINGS_PATH}: left unchanged, because of its layout. Write `{name}: {}` there by hand",
            to_scalar(value)
        );
    }
    choices.file = after;
    Ok((!lines.is_empty()).then(|| Draft { path: SETTINGS_PATH.to_owned(), text: new }))
}
