//! Updates existing workflows and keeps the host's choices.
//!
//! It edits only the lines that games need, and leaves everything else as it is. An older workflow, which has comments and a
//! schedule, becomes two: a copy of it gets the schedule. So every job runs for the same events as before.

use anyhow::{Context, Result, bail};

use crate::action_version::{ACTION, ActionVersion};
use crate::init::merge::{WorkflowLines, changed_paths};
use crate::templates::{BUILD_MINUTES, BUILD_RUNNER, SELF_HOSTED_RUNNER, is_hosted_runner, uses_value};
use crate::workflow_steps::WorkflowStep;
use crate::yaml::{to_flow, to_scalar};
use crate::{WorkflowChoices, WorkflowKind, YamlNode, check_cron, parse_yaml, play_steps};

/// The reason for leaving a workflow unchanged.
const UNSUPPORTED_LAYOUT: &str = "its steps are laid out in a way that `init` can't edit";
/// The input that every workflow passes on from `workflow_dispatch`.
const DOCTOR_INPUT: (&str, &str) = ("doctor", "${{ inputs.doctor }}");
/// The part of older conditions that lets the schedule in.
const OLD_SCHEDULE_PART: &str = "github.event_name == 'schedule'";
/// The beginning of the concurrency groups of the templates.
const OWN_GROUP: &str = "play-by-commit-";
/// The permissions of the job.
const JOB_PERMISSIONS: [&str; 2] = ["contents", "issues"];
/// The events whose settings an update may change.
const CHANGED_EVENTS: [&str; 4] = ["issue_comment", "issues", "workflow_dispatch", "schedule"];

/// Updates a workflow, with these choices in place of the host's. The schedule of one that comments start is removed.
///
/// `text` has LF line endings, and `step` is its only step that plays. `action` is the action file of the repository, if any.
///
/// # Errors
/// Returns an error if the layout is unsupported. Then the host has to edit the file.
pub(super) fn update_workflow(
    text: &str,
    step: &WorkflowStep,
    choices: &WorkflowChoices,
    action: Option<&str>,
) -> Result<String> {
    let settings = updated_settings(text, step, choices).context(UNSUPPORTED_LAYOUT)?;
    let steps = play_steps(&step.path, &settings, action)?;
    let [moved] = steps.as_slice() else { bail!(UNSUPPORTED_LAYOUT) };
    if choices.version.is_some() && !moved.uses().contains('@') {
        bail!("its step names no version");
    }
    let updated = updated_step(&settings, moved, choices).context(UNSUPPORTED_LAYOUT)?;
    // Parse the result to make sure that no input has changed by accident, or the bot wouldn't find its games.
    match play_steps(&step.path, &updated, action)?.as_slice() {
        [updated_step] if keeps_inputs(step, updated_step, choices) && keeps_settings(step, updated_step) => {
            Ok(updated)
        }
        _ => bail!(UNSUPPORTED_LAYOUT),
    }
}

/// Returns the daily workflow that goes with one that plays, for this path and with these choices. It is a copy of the other one
/// with a schedule in place of comments and issues, so it has all that the host added.
///
/// # Errors
/// Returns an error in the same cases as [`update_workflow`].
pub(super) fn split_off_daily(
    text: &str,
    step: &WorkflowStep,
    path: &str,
    choices: &WorkflowChoices,
    action: Option<&str>,
) -> Result<String> {
    let copy = with_schedule_only(text, step, path).context(UNSUPPORTED_LAYOUT)?;
    match play_steps(path, &copy, action)?.as_slice() {
        [copied] if keeps_inputs(step, copied, &WorkflowChoices::default()) && keeps_settings(step, copied) => {
            update_workflow(&copy, copied, choices, action)
        }
        _ => bail!(UNSUPPORTED_LAYOUT),
    }
}

/// Returns a copy of a workflow that only a schedule and a person start, with a name and a concurrency group of its own.
fn with_schedule_only(text: &str, step: &WorkflowStep, path: &str) -> Option<String> {
    let (job_name, job) = &step.job;
    let mut workflow = WorkflowLines::new(WorkflowKind::Daily, text);
    workflow.replace_line(&format!("# {}", step.path), &format!("# {path}"));
    if let Some(name) = step.root.text_at("name") {
        workflow.set(&["name"], Some(format!("name: {}", to_scalar(&daily_name(name)))))?;
    }
    if step.root.get("on").is_none_or(|on| on.entries().is_empty()) {
        workflow.set(&["on"], None)?;
    } else {
        workflow.add(&["on", "schedule"])?;
        let others = step.events().into_iter().filter(|event| !["schedule", "workflow_dispatch"].contains(event));
        others.for_each(|event| workflow.remove(&["on", event]));
    }
    let condition = job.text_at("if").unwrap_or_default();
    if is_old_condition(condition, WorkflowKind::Play) {
        workflow.remove(&["jobs", job_name, "if"]);
    }
    let group = job.get("concurrency").and_then(|concurrency| concurrency.text_at("group"));
    if group.is_some_and(|group| group.starts_with(OWN_GROUP)) {
        workflow.set(&["jobs", job_name, "concurrency"], None)?;
    }
    Some(workflow.text())
}

/// Returns the name of the daily workflow that goes with one of this name.
pub(super) fn daily_name(name: &str) -> String {
    format!("{name}, daily")
}

/// Whether each input has its requested value, or else its old one.
fn keeps_inputs(step: &WorkflowStep, updated: &WorkflowStep, choices: &WorkflowChoices) -> bool {
    let requested = |name: &str| choices.inputs.iter().find(|(requested, _)| requested.eq_ignore_ascii_case(name));
    let mut kept = step.input_names().into_iter().filter(|name| requested(name).is_none());
    kept.all(|name| step.input(name) == updated.input(name))
        && choices.inputs.iter().all(|(name, value)| updated.input(name).unwrap_or_default() == *value)
}

/// Returns the workflow with the triggers, permissions and job settings that games need; `None` if the layout is unsupported.
///
/// Everything else stays: other triggers and permissions, settings of the workflow and of its jobs, comments.
fn updated_settings(text: &str, step: &WorkflowStep, choices: &WorkflowChoices) -> Option<String> {
    let kind = step.kind();
    let (job_name, job) = &step.job;
    let mut workflow = WorkflowLines::new(kind, text);
    update_triggers(&mut workflow, &step.root, kind)?;
    workflow.add(&["permissions"])?;
    update_permissions(&mut workflow, &step.root, job_name, job)?;
    let path = |key| ["jobs", job_name.as_str(), key];
    let condition = job.text_at("if").unwrap_or_default();
    if kind == WorkflowKind::Play && is_old_condition(condition, kind) {
        workflow.set(&path("if"), None)?;
    }
    let is_from_source = target_version(step, choices).is_built_from_source();
    let runner = job.text_at("runs-on").unwrap_or_default();
    if choices.enterprise && is_hosted_runner(runner) {
        workflow.set(&path("runs-on"), Some(format!("runs-on: {SELF_HOSTED_RUNNER}")))?;
    } else if runner == "ubuntu-slim" && is_from_source {
        workflow.set(&path("runs-on"), Some(format!("runs-on: {BUILD_RUNNER}")))?;
    }
    let minutes: Option<u32> = job.text_at("timeout-minutes").and_then(|text| text.parse().ok());
    if minutes.is_some_and(|minutes| minutes < BUILD_MINUTES) && is_from_source {
        workflow.set(&path("timeout-minutes"), Some(format!("timeout-minutes: {BUILD_MINUTES}")))?;
    }
    workflow.add(&path("timeout-minutes"))?;
    if step.root.get("concurrency").is_none() {
        workflow.add(&path("concurrency"))?;
    }
    if choices.enterprise {
        workflow.remove(&["jobs", job_name, "concurrency", "queue"]);
    }
    Some(workflow.text())
}

/// Sets the events that games need.
fn update_triggers(workflow: &mut WorkflowLines, root: &YamlNode, kind: WorkflowKind) -> Option<()> {
    let template = parse_yaml(kind.template()).ok()?;
    let on = root.get("on");
    if on.is_none_or(|on| on.entries().is_empty()) {
        let others = on.map(YamlNode::names).unwrap_or_default().into_iter();
        let others: Vec<String> = others.filter(|event| !CHANGED_EVENTS.contains(event)).map(str::to_owned).collect();
        workflow.set(&["on"], None)?;
        return others.iter().try_for_each(|event| workflow.set(&["on", event], Some(format!("{event}:"))));
    }
    if kind == WorkflowKind::Play {
        for event in ["issue_comment", "issues"] {
            let value = |root: &YamlNode| root.get_path(&["on", event]).map(to_flow);
            if value(root) != value(&template) {
                workflow.set(&["on", event], None)?;
            }
        }
        workflow.remove(&["on", "schedule"]);
    } else {
        let schedule = on.map(|on| on.items_at("schedule")).unwrap_or_default();
        let is_good = |time: &YamlNode| time.text_at("cron").is_some_and(|cron| check_cron(cron).is_ok());
        if schedule.is_empty() || !schedule.iter().all(is_good) {
            workflow.set(&["on", "schedule"], None)?;
        }
    }
    match root.get_path(&["on", "workflow_dispatch", "inputs"]) {
        Some(inputs) if !inputs.entries().is_empty() => {
            workflow.add(&["on", "workflow_dispatch", "inputs", DOCTOR_INPUT.0])
        }
        _ => workflow.set(&["on", "workflow_dispatch"], None),
    }
}

/// Adds the permissions that the job needs to those that it has.
fn update_permissions(workflow: &mut WorkflowLines, root: &YamlNode, name: &str, job: &YamlNode) -> Option<()> {
    let has = |permissions: &YamlNode, scope: &str| permissions.text_at(scope) == Some("write");
    let is_enough = |permissions: &YamlNode| JOB_PERMISSIONS.iter().all(|scope| has(permissions, scope));
    let path = ["jobs", name, "permissions"];
    match job.get("permissions") {
        Some(permissions) if is_enough(permissions) => Some(()),
        None if root.get("permissions").is_some_and(is_enough) => Some(()),
        Some(permissions) if !permissions.entries().is_empty() => {
            let missing: Vec<&str> = JOB_PERMISSIONS.into_iter().filter(|scope| !has(permissions, scope)).collect();
            missing.into_iter().try_for_each(|scope| workflow.set(&["jobs", name, "permissions", scope], None))
        }
        _ => workflow.set(&path, None),
    }
}

/// Whether the `if:` of a job is empty or has only parts of the template's, so that it isn't the host's own.
fn is_old_condition(condition: &str, kind: WorkflowKind) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let text = text.replace("${{", " ").replace("}}", " ").replace("||", "&&");
        let clean = |part: &str| part.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')').to_owned();
        text.split("&&").map(clean).filter(|part| !part.is_empty()).collect()
    };
    let template = parse_yaml(kind.template()).ok();
    let known = template.as_ref().and_then(|root| root.get_path(&["jobs", "play", "if"])).and_then(YamlNode::as_str);
    let known = known.map(parts).unwrap_or_default();
    parts(condition).iter().all(|part| part == OLD_SCHEDULE_PART || known.contains(part))
}

/// Whether an update only changed values that it may change.
fn keeps_settings(step: &WorkflowStep, updated: &WorkflowStep) -> bool {
    let mut changed = Vec::new();
    changed_paths(&step.root, &updated.root, "", &mut changed);
    let job = format!("jobs.{}.", step.job.0);
    let in_job =
        ["if", "runs-on", "timeout-minutes", "steps", "permissions", "permissions.contents", "permissions.issues"];
    // Only a workflow that is split off gets another name and group, and fewer events.
    let is_copy = step.path != updated.path;
    let may_change = |path: &String| match path.strip_prefix(&job) {
        Some(key) => in_job.contains(&key) || key == "concurrency.queue" || (is_copy && key == "concurrency.group"),
        None => {
            let event = path.strip_prefix("on.").and_then(|path| path.split('.').next());
            path == "on"
                || event.is_some_and(|event| is_copy || CHANGED_EVENTS.contains(&event))
                || (is_copy && path == "name")
        }
    };
    changed.iter().all(may_change)
}

/// Returns the version of the action after the update.
fn target_version(step: &WorkflowStep, choices: &WorkflowChoices) -> ActionVersion {
    match &choices.version {
        Some(version) => ActionVersion::from_version(version),
        None => step.version(),
    }
}

/// Returns the value of a key on one line, as it is in the file, with its comment.
pub(super) fn current_value(text: &str, parent: &YamlNode, key: &str) -> Option<String> {
    let node = parent.get(key)?;
    let line = text.lines().nth(node.line.checked_sub(1)?).unwrap_or_default();
    let written = line.split_once(&format!("{key}:")).map(|(_, value)| value.trim().to_owned());
    let is_whole = |value: &String| {
        let read = parse_yaml(&format!("x: {value}\n")).ok();
        read.as_ref().and_then(|root| root.get("x")).is_some_and(|read| to_flow(read) == to_flow(node))
    };
    Some(written.filter(is_whole).unwrap_or_else(|| to_flow(node)))
}

/// Returns the workflow with the requested inputs and version in its step; `None` if the layout is unsupported.
fn updated_step(text: &str, step: &WorkflowStep, choices: &WorkflowChoices) -> Option<String> {
    let mut workflow = WorkflowLines::new(step.kind(), text);
    let line = step.node.line;
    if let Some(version) = &choices.version {
        let (action, _) = step.uses().split_once('@')?;
        workflow.set_uses(line, &uses_value(version).replacen(ACTION, action, 1))?;
    }
    if step.input(DOCTOR_INPUT.0).is_none() {
        workflow.set_input(line, DOCTOR_INPUT.0, DOCTOR_INPUT.1)?;
    }
    for (name, value) in &choices.inputs {
        workflow.set_input(line, name, &to_scalar(value))?;
    }
    Some(workflow.text())
}
