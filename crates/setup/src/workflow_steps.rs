//! Finds the steps of workflows that use this action.

use std::ops::RangeInclusive;

use anyhow::{Result, bail};
use github::GitHub;
use protocol::{COMMENTS_PER_PAGE, FileContent, Forge, Head, RequestError};

use crate::action_version::ActionVersion;
use crate::doctor::online::{list_files, read_files};
use crate::inputs::input_variable;
use crate::{Findings, WorkflowKind, YamlNode, parse_yaml};

/// The action file, which lists the inputs.
const ACTION: &str = include_str!("../../../action.yml");

/// Inputs that identify this action: `init` sets them in every workflow, and other actions are unlikely to have them.
const TELLTALE_INPUTS: [&str; 2] = ["doctor", "site"];

/// An input of workflows from before the first release. It does nothing.
pub(crate) const OLD_INPUT: &str = "probe";

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

/// An input of the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionInput {
    /// The name.
    pub name: String,
    /// What it is for, in Markdown.
    pub description: String,
    /// The value that it has in workflows that don't set it.
    pub default: String,
}

/// Returns the action's inputs.
pub fn action_input_list() -> Vec<ActionInput> {
    let root = parse_yaml(ACTION).ok();
    let inputs = root.as_ref().map(|root| root.entries_at("inputs")).unwrap_or_default();
    let text = |node: &YamlNode, key: &str| node.text_at(key).unwrap_or_default().to_owned();
    let input = |(name, node): &(String, YamlNode)| ActionInput {
        name: name.clone(),
        description: text(node, "description"),
        default: text(node, "default"),
    };
    inputs.iter().map(input).collect()
}

/// Returns the names of the action's inputs.
pub fn action_inputs() -> Vec<String> {
    action_input_list().into_iter().map(|input| input.name).collect()
}

/// Returns the name that somebody probably meant; `None` if no known name is near.
pub(crate) fn nearest_name(known: &[String], name: &str) -> Option<String> {
    let nearest = known.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name))?;
    (strsim::damerau_levenshtein(nearest, name) <= 3).then(|| nearest.clone())
}

/// Whether a path is that of a workflow.
pub(crate) fn is_workflow(path: &str) -> bool {
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

// Checks the `cron:` of a schedule by the
// [rules of GitHub](https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#schedule).

/// The fields of a cron expression: the name, the range, and the names of its values in order.
const FIELDS: [(&str, RangeInclusive<u32>, &str); 5] = [
    ("minute", 0..=59, ""),
    ("hour", 0..=23, ""),
    ("day of the month", 1..=31, ""),
    ("month", 1..=12, "jan feb mar apr may jun jul aug sep oct nov dec"),
    ("day of the week", 0..=6, "sun mon tue wed thu fri sat"),
];

/// Checks a cron expression.
///
/// # Errors
/// Returns an error with the reason, without a period, if GitHub would reject the expression.
pub fn check_cron(cron: &str) -> Result<()> {
    let parts: Vec<&str> = cron.split_whitespace().collect();
    match parts.len() {
        5 => {}
        1 => bail!("it has 1 field instead of 5"),
        count => bail!("it has {count} fields instead of 5"),
    }
    for ((name, range, value_names), part) in FIELDS.into_iter().zip(parts) {
        if !part.split(',').all(|item| accepts(&range, value_names, item)) {
            let part: String = part.chars().filter(|c| *c != '`').take(20).collect();
            bail!("its {name} is `{part}`, and must be from {} to {}", range.start(), range.end());
        }
    }
    Ok(())
}

/// Whether an item is `*`, a value or a range, with or without a step.
fn accepts(range: &RangeInclusive<u32>, value_names: &str, item: &str) -> bool {
    let value = |text: &str| {
        let named =
            value_names.split_whitespace().zip(*range.start()..).find(|(name, _)| text.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value).or_else(|| parse_number(text)).filter(|value| range.contains(value))
    };
    let (values, step) = match item.split_once('/') {
        Some((values, step)) => (values, parse_number(step)),
        None => (item, Some(1)),
    };
    let is_in_range = match values.split_once('-') {
        Some((from, to)) => matches!((value(from), value(to)), (Some(from), Some(to)) if from <= to),
        None => values == "*" || value(values).is_some(),
    };
    is_in_range && step.is_some_and(|step| (1..=*range.end()).contains(&step))
}

fn parse_number(text: &str) -> Option<u32> {
    if text.chars().all(|c| c.is_ascii_digit()) { text.parse().ok() } else { None }
}

// Reads the inputs of the workflow that plays from GitHub, for commands that run outside of it.

/// The inputs of the workflow that plays.
#[derive(Debug, Default)]
pub struct WorkflowInputs {
    step: Option<WorkflowStep>,
    /// Notes for the host, as sentences without a period.
    pub notes: Vec<String>,
}

/// Inputs that only matter in a workflow, or whose value can't be known outside of it.
const OTHER_INPUTS: [&str; 3] = ["token", "doctor", OLD_INPUT];

/// Reads the inputs of the workflow on the default branch. `github` must have no state branch of its own.
///
/// # Errors
/// Returns an error if GitHub can't be reached, or if the token can't see the repository.
pub async fn read_workflow_inputs(github: &GitHub) -> Result<WorkflowInputs, RequestError> {
    let mut inputs = WorkflowInputs::default();
    let Head::Commit(head) = github.read(&[], &[], COMMENTS_PER_PAGE).await?.head else { return Ok(inputs) };
    let tree = list_files(github, &head, &mut Findings::default()).await?.unwrap_or_default();
    let paths: Vec<String> = tree.into_iter().filter(|path| is_workflow(path) || path == "action.yml").collect();
    let files = read_files(github, &head, &paths).await?;
    let action = files.get("action.yml").and_then(FileContent::text);
    let mut steps = Vec::new();
    for (path, file) in files.iter().filter(|(path, _)| is_workflow(path)) {
        match file.text().map_or(Ok(Vec::new()), |text| play_steps(path, text, action)) {
            Ok(found) => steps.extend(found),
            Err(why) => inputs.notes.push(format!("{path} can't be read as YAML, so its inputs don't count: {why}")),
        }
    }
    let is_play = |step: &WorkflowStep| step.kind() == WorkflowKind::Play;
    if steps.iter().any(is_play) {
        steps.retain(is_play);
    }
    if steps.len() > 1 {
        inputs.notes.push(format!("more than one step plays here; the inputs are those of {}", steps[0].path));
    }
    inputs.step = steps.into_iter().next();
    let Some(step) = &inputs.step else {
        inputs.notes.push("no workflow here uses play-by-commit, so the default inputs count".to_owned());
        return Ok(inputs);
    };
    let names = step.input_names().into_iter().filter(|name| !OTHER_INPUTS.contains(name));
    for name in names.filter(|name| step.has_expression(name)) {
        let variable = format!("PLAY_BY_COMMIT_{}", input_variable(name));
        inputs.notes.push(format!("{} has an expression for `{name}`; set its value in {variable}", step.path));
    }
    Ok(inputs)
}

impl WorkflowInputs {
    /// Returns the value of an input by its name in capitals, such as `STATE_DIR`; `None` if it is empty or an expression.
    pub fn get(&self, name: &str) -> Option<String> {
        self.step.as_ref()?.literal_input(&name.to_lowercase().replace('_', "-"))
    }
}
