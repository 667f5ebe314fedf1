//! Finds the steps of workflows that use this action.

use anyhow::Result;

use crate::action_version::ActionVersion;
use crate::templates::WorkflowKind;
use crate::yaml::{YamlNode, parse_yaml};

/// The action file, which lists the inputs.
const ACTION: &str = include_str!("../../../action.yml");

/// Inputs that identify this action: `init` sets them in every workflow, and other actions are unlikely to have them.
const TELLTALE_INPUTS: [&str; 2] = ["doctor", "site"];

/// An input of workflows from before the first release. It does nothing.
pub const OLD_INPUT: &str = "probe";

/// A step of a workflow that uses this action.
#[derive(Clone, Debug)]
pub struct WorkflowStep {
    /// The path of the workflow from the root of the repository.
    pub path: String,
    /// The whole workflow.
    pub root: YamlNode,
    /// The name and the value of the job.
    pub job: (String, YamlNode),
    /// The step itself.
    pub node: YamlNode,
    /// The comment after its `uses:`, or an empty text.
    pub version_comment: String,
}

/// Returns the names of the action's inputs.
pub fn action_inputs() -> Vec<String> {
    let root = parse_yaml(ACTION).ok();
    let inputs = root.as_ref().map(|root| root.entries_at("inputs")).unwrap_or_default();
    inputs.iter().map(|(name, _)| name.clone()).collect()
}

/// Whether a path is that of a workflow.
pub fn is_workflow(path: &str) -> bool {
    let name = path.strip_prefix(".github/workflows/");
    name.is_some_and(|name| !name.contains('/') && (name.ends_with(".yml") || name.ends_with(".yaml")))
}

/// Returns the steps of a workflow that play.
///
/// `action` is the action file at the root of the repository, if any: in the repository of this action and in its forks, `./`
/// is this action.
///
/// # Errors
/// Returns an error if a workflow that mentions the action isn't valid YAML.
pub fn play_steps(path: &str, text: &str, action: Option<&str>) -> Result<Vec<WorkflowStep>> {
    let mut steps = all_steps(path, text, action)?;
    steps.retain(|step| step.input("site").is_none());
    Ok(steps)
}

/// Returns the steps of a workflow that build the site.
///
/// # Errors
/// Returns an error in the same cases as [`play_steps`].
pub fn site_steps(path: &str, text: &str, action: Option<&str>) -> Result<Vec<WorkflowStep>> {
    let mut steps = all_steps(path, text, action)?;
    steps.retain(|step| step.input("site").is_some());
    Ok(steps)
}

fn all_steps(path: &str, text: &str, action: Option<&str>) -> Result<Vec<WorkflowStep>> {
    if !text.contains("play-by-commit") {
        return Ok(Vec::new());
    }
    let has_local_action = action.is_some_and(|action| action.contains("PLAY_BY_COMMIT_TOKEN"));
    let root = parse_yaml(text)?;
    let mut found = Vec::new();
    for (name, job) in root.entries_at("jobs") {
        for step in job.items_at("steps").iter().filter(|step| uses_this_action(step, has_local_action)) {
            let line = step.get("uses").and_then(|uses| text.lines().nth(uses.line.checked_sub(1)?));
            let comment = line.and_then(|line| line.split_once(" #")).map_or("", |(_, comment)| comment.trim());
            found.push(WorkflowStep {
                path: path.to_owned(),
                root: root.clone(),
                job: (name.clone(), job.clone()),
                node: step.clone(),
                version_comment: comment.to_owned(),
            });
        }
    }
    Ok(found)
}

fn uses_this_action(step: &YamlNode, has_local_action: bool) -> bool {
    let uses = step.text_at("uses").unwrap_or_default();
    let action = uses.split('@').next().unwrap_or_default();
    (has_local_action && matches!(uses, "./" | "."))
        || action.rsplit('/').next() == Some("play-by-commit")
        || (action.contains('/') && !action.starts_with('.') && has_our_inputs(step))
}

/// Whether a step uses this action, judging by its inputs: a mirror can have any name.
fn has_our_inputs(step: &YamlNode) -> bool {
    let given = step.get("with").map(YamlNode::names).unwrap_or_default();
    let known = action_inputs();
    given.iter().any(|name| TELLTALE_INPUTS.contains(name))
        && given.iter().all(|name| *name == OLD_INPUT || known.iter().any(|known| known == name))
}

impl WorkflowStep {
    /// Returns the value of `uses:`.
    pub fn uses(&self) -> &str {
        self.node.text_at("uses").unwrap_or_default()
    }

    /// Returns the version of the action.
    pub fn version(&self) -> ActionVersion {
        ActionVersion::parse(self.uses(), &self.version_comment)
    }

    /// Returns the kind of its workflow. Only a schedule without comments and issues makes it the daily one.
    pub fn kind(&self) -> WorkflowKind {
        let events = self.events();
        let is_daily =
            events.contains(&"schedule") && !events.contains(&"issue_comment") && !events.contains(&"issues");
        if is_daily { WorkflowKind::Daily } else { WorkflowKind::Play }
    }

    /// Returns the names of the events that start its workflow.
    pub fn events(&self) -> Vec<&str> {
        self.root.get("on").map(YamlNode::names).unwrap_or_default()
    }

    /// Returns the name of the workflow: its `name:`, or its path.
    pub fn workflow_name(&self) -> &str {
        self.root.text_at("name").unwrap_or(&self.path)
    }

    /// Returns the names of the inputs that it sets.
    pub fn input_names(&self) -> Vec<&str> {
        self.node.entries_at("with").iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the value of an input, which may be an expression; `None` if it is missing or empty.
    pub fn input(&self, name: &str) -> Option<String> {
        let input = self.node.entries_at("with").iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        let value = input.and_then(|(_, node)| node.as_str()).map(str::trim);
        value.filter(|value| !value.is_empty()).map(str::to_owned)
    }

    /// Returns [`OLD_INPUT`] in the step, or where *Run workflow* offers it; `None` if it's gone.
    pub fn old_input(&self) -> Option<&YamlNode> {
        let offered = || self.root.get_path(&["on", "workflow_dispatch", "inputs", OLD_INPUT]);
        self.node.get_path(&["with", OLD_INPUT]).or_else(offered)
    }

    /// Returns the value of an input that the workflow writes out; `None` if it is missing, empty or an expression.
    pub fn literal_input(&self, name: &str) -> Option<String> {
        self.input(name).filter(|value| !is_expression(value))
    }

    /// Whether an input is an expression, which has no value until the workflow runs.
    pub fn has_expression(&self, name: &str) -> bool {
        self.input(name).is_some_and(|value| is_expression(&value))
    }
}

/// Whether a value contains an expression: `${{ ... }}`.
pub(super) fn is_expression(value: &str) -> bool {
    value.contains("${{")
}
