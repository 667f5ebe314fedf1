//! Finds the steps of workflows that use this action.

use crate::action_version::ActionVersion;
use crate::yaml::{YamlNode, parse_yaml};

/// The action file, which lists the inputs.
const ACTION: &str = include_str!("../../../action.yml");

/// Inputs that identify this action: `init` sets them in every workflow, and other actions are unlikely to have them.
const TELLTALE_INPUTS: [&str; 3] = ["doctor", "probe", "site"];

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
    let inputs = root.as_ref().and_then(|root| root.get("inputs"));
    inputs.map(|inputs| inputs.names().into_iter().map(str::to_owned).collect()).unwrap_or_default()
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
/// Returns an error with the reason, without a period, if a workflow that mentions the action isn't valid YAML.
pub fn play_steps(path: &str, text: &str, action: Option<&str>) -> Result<Vec<WorkflowStep>, String> {
    let all = all_steps(path, text, action)?;
    Ok(all.into_iter().filter(|step| step.input("site").is_none()).collect())
}

/// Returns the steps of a workflow that build the site.
///
/// # Errors
/// Returns an error in the same cases as [`play_steps`].
pub fn site_steps(path: &str, text: &str, action: Option<&str>) -> Result<Vec<WorkflowStep>, String> {
    let all = all_steps(path, text, action)?;
    Ok(all.into_iter().filter(|step| step.input("site").is_some()).collect())
}

fn all_steps(path: &str, text: &str, action: Option<&str>) -> Result<Vec<WorkflowStep>, String> {
    let has_local_action = action.is_some_and(|action| action.contains("PLAY_BY_COMMIT_TOKEN"));
    if !text.contains("play-by-commit") {
        return Ok(Vec::new());
    }
    let root = parse_yaml(text)?;
    let jobs = root.get("jobs").map(YamlNode::entries).unwrap_or_default();
    let mut found = Vec::new();
    for (name, job) in jobs {
        let steps = job.get("steps").map(YamlNode::items).unwrap_or_default();
        for step in steps.iter().filter(|step| uses_this_action(step, has_local_action)) {
            let (path, job) = (path.to_owned(), (name.clone(), job.clone()));
            let line =
                step.get("uses").and_then(|uses| text.lines().nth(uses.line.checked_sub(1)?)).unwrap_or_default();
            let version_comment = line.split_once(" #").map_or("", |(_, comment)| comment.trim()).to_owned();
            found.push(WorkflowStep { path, root: root.clone(), job, node: step.clone(), version_comment });
        }
    }
    Ok(found)
}

fn uses_this_action(step: &YamlNode, has_local_action: bool) -> bool {
    let uses = step.get("uses").and_then(YamlNode::as_str).unwrap_or_default();
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
        && given.iter().all(|name| known.iter().any(|known| known == name))
}

impl WorkflowStep {
    /// Returns the value of `uses:`.
    pub fn uses(&self) -> &str {
        self.node.get("uses").and_then(YamlNode::as_str).unwrap_or_default()
    }

    /// Returns the version of the action.
    pub fn version(&self) -> ActionVersion {
        ActionVersion::parse(self.uses(), &self.version_comment)
    }

    /// Returns the name of the workflow: its `name:`, or its path.
    pub fn workflow_name(&self) -> &str {
        self.root.get("name").and_then(YamlNode::as_str).unwrap_or(&self.path)
    }

    /// Returns the names of the inputs that it sets.
    pub fn input_names(&self) -> Vec<&str> {
        self.node.get("with").map(YamlNode::entries).unwrap_or_default().iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the value of an input, which may be an expression; `None` if it is missing or empty.
    pub fn input(&self, name: &str) -> Option<String> {
        let entries = self.node.get("with").map(YamlNode::entries).unwrap_or_default();
        let input = entries.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        input.and_then(|(_, node)| node.as_str()).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }
}
