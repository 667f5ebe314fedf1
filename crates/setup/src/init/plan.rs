//! Plans the files of `init` from the templates and the existing files.

use crate::inputs;
use anyhow::{Result, anyhow, bail};
use games::registry::GameKind;
use git::work_tree::WorkTree;
use protocol::forge::FileContent;

use crate::doctor::forms;
use crate::init::existing::{current_value, update_workflow};
use crate::templates::{
    FORM_PATH, SITE_WORKFLOW_PATH, SiteChoices, WORKFLOW_DIR, WORKFLOW_PATH, WorkflowChoices, issue_form,
    play_workflow, site_workflow, uses_value,
};
use crate::workflow_steps::{WorkflowStep, is_workflow};

/// The paths of the workflow that plays: the default one, and one to use if another workflow has that name.
const PLAY_PATHS: [&str; 2] = [WORKFLOW_PATH, ".github/workflows/play-by-commit.yml"];
/// The paths of the workflow that publishes the website.
const SITE_PATHS: [&str; 2] = [SITE_WORKFLOW_PATH, ".github/workflows/games-site.yml"];

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    /// The path from the root of the repository.
    pub(super) path: String,
    /// The text, with LF line endings.
    pub(super) text: String,
}

/// An existing workflow that uses this action.
pub(super) struct ExistingWorkflow {
    path: String,
    /// The text, with LF line endings.
    text: String,
    /// The steps that use this action; never empty.
    pub(super) steps: Vec<WorkflowStep>,
}

/// Finds the workflows with steps that use this action. `steps` finds those of a workflow.
///
/// # Errors
/// Returns an error if one of them isn't valid YAML, because `init` can't keep its inputs then.
pub(super) fn find_workflows(
    tree: &WorkTree,
    steps: impl Fn(&str, &str, Option<&str>) -> Result<Vec<WorkflowStep>>,
) -> Result<Vec<ExistingWorkflow>> {
    let action = tree.read("action.yml");
    let mut workflows = Vec::new();
    for path in tree.list(WORKFLOW_DIR).into_iter().filter(|path| is_workflow(path)) {
        let FileContent::Text(text) = tree.read(&path) else { continue };
        let text = text.replace("\r\n", "\n");
        match steps(&path, &text, action.text()) {
            Ok(steps) if steps.is_empty() => {}
            Ok(steps) => workflows.push(ExistingWorkflow { path, text, steps }),
            Err(why) => bail!(
                "{path} can't be read as YAML: {why}. Repair it first, or delete it: init keeps what a workflow says, and \
                 can't read this one"
            ),
        }
    }
    Ok(workflows)
}

/// Plans the workflow that plays: a new one, or the existing one with these choices.
///
/// # Errors
/// Returns an error for the host if the existing workflow has to stay unchanged.
pub(super) fn plan_play_workflow(
    tree: &WorkTree,
    existing: &[ExistingWorkflow],
    choices: &WorkflowChoices,
) -> Result<Draft> {
    match existing {
        [] => Ok(Draft { path: free_path(tree, PLAY_PATHS), text: play_workflow(choices) }),
        [ExistingWorkflow { path, text, steps }] if steps.len() == 1 => {
            let action = tree.read("action.yml");
            let text = update_workflow(text, &steps[0], choices, action.text())
                .map_err(|why| anyhow!("{path}: left unchanged, because {why}"))?;
            Ok(Draft { path: path.clone(), text })
        }
        _ => {
            let paths: Vec<&str> = existing.iter().map(|existing| existing.path.as_str()).collect();
            bail!("{}: left unchanged, because more than one step plays", paths.join(", "))
        }
    }
}

/// Plans the workflow that publishes the website with the games of a step.
///
/// # Errors
/// Returns an error if the step's `branch` or `state-dir` is an expression or invalid.
pub(super) fn plan_site_workflow(
    tree: &WorkTree,
    existing: &[ExistingWorkflow],
    playing: &WorkflowStep,
    version: Option<&String>,
) -> Result<Draft> {
    for name in ["branch", "state-dir"] {
        if playing.has_expression(name) {
            let path = &playing.path;
            bail!(
                "{path} has an expression for `{name}`, which the site's workflow can't evaluate. Write its value instead"
            );
        }
    }
    let mut choices = SiteChoices {
        version: version.cloned().or_else(|| current_version(playing)),
        play_workflow_name: playing.workflow_name().to_owned(),
        branch: inputs::parse_branch(playing.input("branch"))?,
        state_dir: inputs::parse_state_dir(playing.input("state-dir"))?,
        inputs: Vec::new(),
    };
    let Some(ExistingWorkflow { path, text, steps }) = existing.first() else {
        return Ok(Draft { path: free_path(tree, SITE_PATHS), text: site_workflow(&choices) });
    };
    let step = &steps[0];
    choices.version = version.cloned().or_else(|| current_version(step));
    let with = step.node.get("with");
    for name in step.input_names().into_iter().filter(|name| !["site", "state-dir"].contains(name)) {
        let value = with.and_then(|with| current_value(text, with, name));
        choices.inputs.extend(value.map(|value| (name.to_owned(), value)));
    }
    let mut updated = site_workflow(&choices);
    for (parent, key) in [(&step.root, "name"), (&step.job.1, "runs-on"), (&step.job.1, "timeout-minutes")] {
        let begin = if key == "name" { format!("{key}: ") } else { format!("    {key}: ") };
        let line = updated.lines().find(|line| line.starts_with(&begin)).map(str::to_owned);
        if let (Some(line), Some(value)) = (line, current_value(text, parent, key)) {
            updated = updated.replacen(&format!("\n{line}\n"), &format!("\n{begin}{value}\n"), 1);
        }
    }
    Ok(Draft { path: path.clone(), text: updated })
}

/// Returns the version of the action in a step, with its comment; `None` if the action is in the same repository.
fn current_version(step: &WorkflowStep) -> Option<String> {
    let (_, version) = step.uses().split_once('@')?;
    let default = uses_value(version).ends_with(&step.version_comment);
    Some(if default || step.version_comment.is_empty() {
        version.to_owned()
    } else {
        format!("{version} # {}", step.version_comment)
    })
}

/// Plans the issue form; returns `None` if the existing one is good. In an existing form, only the list of games changes.
///
/// # Errors
/// Returns an error if the host deleted the form, or has another one under its name.
pub(super) fn plan_issue_form(tree: &WorkTree, games: &[GameKind]) -> Result<Option<Draft>> {
    match tree.read(FORM_PATH) {
        FileContent::Text(text) if forms::offers_exactly(&text, games) => return Ok(None),
        FileContent::Text(text) if !forms::is_game_form(&text) => {
            bail!("{FORM_PATH}: left unchanged, because it isn't a form for games.");
        }
        FileContent::Text(text) => {
            let Some(text) = forms::with_games(&text.replace("\r\n", "\n"), games) else {
                bail!(
                    "{FORM_PATH}: left unchanged, because it has parts of your own. `play-by-commit doctor` checks it."
                );
            };
            return Ok(Some(Draft { path: FORM_PATH.to_owned(), text }));
        }
        FileContent::Missing if tree.has_history(FORM_PATH) => {
            bail!("{FORM_PATH}: not written, because you deleted it. `git` can restore it.");
        }
        _ => {}
    }
    Ok(Some(Draft { path: FORM_PATH.to_owned(), text: issue_form(games) }))
}

/// Returns the first path if no file has it, else the second.
fn free_path(tree: &WorkTree, paths: [&str; 2]) -> String {
    let [default, other] = paths;
    if tree.read(default) == FileContent::Missing { default.to_owned() } else { other.to_owned() }
}
