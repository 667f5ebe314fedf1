//! The texts that `init` would write: each from its template, with what the host has already.

use anyhow::{Result, bail};
use games::registry::GameKind;
use protocol::inputs;
use table::talk::thread::FileContent;

use crate::doctor::forms;
use crate::init::existing::{current_value, update_workflow};
use crate::templates::{
    FORM_PATH, SITE_WORKFLOW_PATH, SiteChoices, WORKFLOW_PATH, WorkflowChoices, issue_form, site_workflow, uses_value,
    workflow,
};
use crate::work_tree::WorkTree;
use crate::workflow_steps::{WorkflowStep, is_workflow, play_steps, site_steps};

/// The paths of the workflow that plays: the usual one, and the one where another workflow has that name.
const PLAY_PATHS: [&str; 2] = [WORKFLOW_PATH, ".github/workflows/play-by-commit.yml"];
/// The paths of the workflow that puts the gallery up.
const SITE_PATHS: [&str; 2] = [SITE_WORKFLOW_PATH, ".github/workflows/games-site.yml"];

/// A file as it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    /// Its path from the root of the repository.
    pub(super) path: String,
    /// Its text, with lines that end with a line feed.
    pub(super) text: String,
}

/// A workflow of ours that a repository has.
pub(super) struct ExistingWorkflow {
    path: String,
    /// Its text, with lines that end with a line feed.
    text: String,
    /// The steps that are this action; never empty.
    pub(super) steps: Vec<WorkflowStep>,
}

/// Finds the workflows that play.
///
/// # Errors
/// Returns an error if one of them can't be read, because nobody knows then where its games are.
pub(super) fn find_play_workflows(tree: &WorkTree) -> Result<Vec<ExistingWorkflow>> {
    find_workflows(tree, play_steps)
}

/// Finds the workflows that put the gallery up.
///
/// # Errors
/// As [`playing`].
pub(super) fn find_site_workflows(tree: &WorkTree) -> Result<Vec<ExistingWorkflow>> {
    find_workflows(tree, site_steps)
}

fn find_workflows(
    tree: &WorkTree,
    steps: impl Fn(&str, &str, Option<&str>) -> Result<Vec<WorkflowStep>, String>,
) -> Result<Vec<ExistingWorkflow>> {
    let action = tree.read("action.yml");
    let mut all = Vec::new();
    for (path, _) in tree.list(".github/workflows").into_iter().filter(|(path, _)| is_workflow(path)) {
        let FileContent::Text(text) = tree.read(&path) else { continue };
        let text = text.replace("\r\n", "\n");
        match steps(&path, &text, action.text()) {
            Ok(steps) if steps.is_empty() => {}
            Ok(steps) => all.push(ExistingWorkflow { path, text, steps }),
            Err(why) => bail!(
                "{path} can't be read as YAML: {why}. Repair it first, or delete it: init keeps what a workflow says, and \
                 can't read this one"
            ),
        }
    }
    Ok(all)
}

/// Returns the workflow that plays; the inner error says why it's left as it is.
pub(super) fn plan_play_workflow(
    tree: &WorkTree,
    held: &[ExistingWorkflow],
    choices: &WorkflowChoices,
) -> Result<Draft, String> {
    match held {
        [] => Ok(Draft { path: free_path(tree, PLAY_PATHS), text: workflow(choices) }),
        [ExistingWorkflow { path, text, steps }] if steps.len() == 1 => {
            let action = tree.read("action.yml");
            let text = update_workflow(text, &steps[0], choices, action.text());
            let text = text.map_err(|why| format!("{path}: left unchanged, because {why}"))?;
            Ok(Draft { path: path.clone(), text })
        }
        _ => {
            let paths: Vec<&str> = held.iter().map(|held| held.path.as_str()).collect();
            Err(format!("{}: left unchanged, because more than one step plays", paths.join(", ")))
        }
    }
}

/// Returns the workflow that puts the gallery up, for the games of this step.
///
/// # Errors
/// Returns an error if the step doesn't say where its games are.
pub(super) fn plan_site_workflow(
    tree: &WorkTree,
    held: &[ExistingWorkflow],
    playing: &WorkflowStep,
    version: Option<&String>,
) -> Result<Draft> {
    for name in ["branch", "state-dir"] {
        if playing.input(name).is_some_and(|value| value.contains("${{")) {
            bail!(
                "{} has an expression for `{name}`, which the site's workflow can't follow: write it out",
                playing.path
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
    let Some(ExistingWorkflow { path, text, steps }) = held.first() else {
        return Ok(Draft { path: free_path(tree, SITE_PATHS), text: site_workflow(&choices) });
    };
    let step = &steps[0];
    choices.version = version.cloned().or_else(|| current_version(step));
    let with = step.node.get("with");
    for name in step.input_names().into_iter().filter(|name| !["site", "state-dir"].contains(name)) {
        let value = with.and_then(|with| current_value(text, with, name));
        choices.inputs.extend(value.map(|value| (name.to_owned(), value)));
    }
    let mut fresh = site_workflow(&choices);
    for (parent, key) in [(&step.root, "name"), (&step.job.1, "runs-on"), (&step.job.1, "timeout-minutes")] {
        let begin = if key == "name" { format!("{key}: ") } else { format!("    {key}: ") };
        let line = fresh.lines().find(|line| line.starts_with(&begin)).map(str::to_owned);
        if let (Some(line), Some(value)) = (line, current_value(text, parent, key)) {
            fresh = fresh.replacen(&format!("\n{line}\n"), &format!("\n{begin}{value}\n"), 1);
        }
    }
    Ok(Draft { path: path.clone(), text: fresh })
}

/// Returns the version that a step uses, with its comment; `None` if it uses the action in the same repository.
fn current_version(step: &WorkflowStep) -> Option<String> {
    let (_, version) = step.uses().split_once('@')?;
    let usual = uses_value(version).ends_with(&step.version_comment);
    Some(if usual || step.version_comment.is_empty() {
        version.to_owned()
    } else {
        format!("{version} # {}", step.version_comment)
    })
}

/// Returns the form for a new game; `None` if the one that is there will do.
pub(super) fn plan_issue_form(tree: &WorkTree, games: &[GameKind]) -> Option<Draft> {
    let is_good = tree.read(FORM_PATH).text().is_some_and(|text| forms::offers_exactly(text, games));
    (!is_good).then(|| Draft { path: FORM_PATH.to_owned(), text: issue_form(games) })
}

/// Returns the first of these paths that no other workflow has, or the last.
fn free_path(tree: &WorkTree, paths: [&str; 2]) -> String {
    let [usual, other] = paths;
    if tree.read(usual) == FileContent::Missing { usual.to_owned() } else { other.to_owned() }
}
