//! Updates an existing workflow and keeps the host's choices.
//!
//! Above its steps, the result is the template with the host's values. The steps keep their lines, except for the requested
//! inputs and version.

use std::ops::Range;

use crate::action_version::{ACTION, ActionVersion};
use crate::cron::check_cron;
use crate::templates::{
    BUILD_MINUTES, BUILD_RUNNER, QUEUE_LINE, RUNNER_LINE, TIMEOUT_LINE, WORKFLOW, WorkflowChoices,
    for_enterprise_server, uses_value,
};
use crate::workflow_steps::{WorkflowStep, play_steps};
use crate::yaml::{YamlNode, parse_yaml};
use crate::yaml_text::{to_flow, to_scalar};

/// The template's line above the steps.
const STEPS_LINE: &str = "    steps:\n";
/// The template's line with the name of the workflow.
const NAME_LINE: &str = "name: Play by Commit\n";
/// The template's line with the name of the job.
const JOB_LINE: &str = "\n  play:\n";
/// The reason for leaving a workflow unchanged.
const UNSUPPORTED_LAYOUT: &str = "its steps are laid out in a way that `init` can't edit";
/// The inputs that every workflow passes on from `workflow_dispatch`.
const DISPATCH_INPUTS: [(&str, &str); 2] = [("doctor", "${{ inputs.doctor }}"), ("probe", "${{ inputs.probe }}")];

/// Updates a workflow, with these choices in place of the host's.
///
/// `text` has LF line endings, and `step` is its only step that plays. `action` is the action file of the repository, if any.
///
/// # Errors
/// Returns an error with the reason, without a period, if the layout is unsupported. Then the host has to edit the file.
pub(super) fn update_workflow(
    text: &str,
    step: &WorkflowStep,
    choices: &WorkflowChoices,
    action: Option<&str>,
) -> Result<String, String> {
    let head = updated_head(text, step, choices).ok_or("another job comes before the one that plays")?;
    let updated = format!("{head}{}", updated_steps(text, step, choices)?);
    // Parse the result to make sure that no input has changed by accident, or the bot wouldn't find its games.
    match play_steps(&step.path, &updated, action)?.as_slice() {
        [updated_step] if keeps_inputs(step, updated_step, choices) => Ok(updated),
        _ => Err(UNSUPPORTED_LAYOUT.to_owned()),
    }
}

/// Whether each input has its requested value, or else its old one.
fn keeps_inputs(step: &WorkflowStep, updated: &WorkflowStep, choices: &WorkflowChoices) -> bool {
    let requested = |name: &str| choices.inputs.iter().find(|(requested, _)| requested.eq_ignore_ascii_case(name));
    let mut kept = step.input_names().into_iter().filter(|name| requested(name).is_none());
    kept.all(|name| step.input(name) == updated.input(name))
        && choices.inputs.iter().all(|(name, value)| updated.input(name).unwrap_or_default() == *value)
}

/// Returns the updated workflow up to the line `steps:`; `None` if another job comes first.
fn updated_head(text: &str, step: &WorkflowStep, choices: &WorkflowChoices) -> Option<String> {
    let (job_name, job) = &step.job;
    if step.root.get("jobs")?.entries().first()?.0 != *job_name {
        return None;
    }
    let mut head = WORKFLOW.split_once(STEPS_LINE)?.0.to_owned() + STEPS_LINE;
    let mut replace = |line: &str, new: String| head = head.replacen(line, &new, 1);
    if let Some(name) = current_value(text, &step.root, "name") {
        replace(NAME_LINE, format!("name: {name}\n"));
    }
    replace(JOB_LINE, format!("\n  {job_name}:\n"));
    let schedule = step.root.get_path(&["on", "schedule"]).map(YamlNode::items).unwrap_or_default();
    let is_good =
        |time: &YamlNode| time.get("cron").and_then(YamlNode::as_str).is_some_and(|cron| check_cron(cron).is_ok());
    if !schedule.is_empty() && schedule.iter().all(is_good) {
        let cron = WORKFLOW.lines().find(|line| line.trim_start().starts_with("- cron:"))?;
        let lines = schedule.iter().map(|time| match (time.entries().len(), current_value(text, time, "cron")) {
            (1, Some(cron)) => format!("    - cron: {cron}\n"),
            _ => format!("    - {}\n", to_flow(time)),
        });
        replace(&format!("{cron}\n"), lines.collect());
    }
    let is_from_source = target_version(step, choices).is_built_from_source();
    if let Some(runner) = current_value(text, job, "runs-on") {
        let lacks_rust = job.get("runs-on").and_then(YamlNode::as_str) == Some("ubuntu-slim");
        let runner = if lacks_rust && is_from_source { BUILD_RUNNER } else { &runner };
        replace(RUNNER_LINE, format!("    runs-on: {runner}\n"));
    }
    if let Some(minutes) = current_value(text, job, "timeout-minutes") {
        let number: Option<u32> =
            job.get("timeout-minutes").and_then(YamlNode::as_str).and_then(|text| text.parse().ok());
        let is_short = number.is_some_and(|minutes| minutes < BUILD_MINUTES) && is_from_source;
        replace(
            TIMEOUT_LINE,
            format!("    timeout-minutes: {}\n", if is_short { BUILD_MINUTES.to_string() } else { minutes }),
        );
    }
    let concurrency = job.get("concurrency");
    if concurrency.is_some_and(|concurrency| concurrency.get("queue").is_none()) {
        replace(QUEUE_LINE, String::new());
    }
    Some(if choices.enterprise { for_enterprise_server(&head) } else { head })
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

/// Returns the lines from the first step on, with the requested inputs and version.
fn updated_steps(text: &str, step: &WorkflowStep, choices: &WorkflowChoices) -> Result<String, String> {
    let unsupported = || UNSUPPORTED_LAYOUT.to_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let listed = step.job.1.get("steps").ok_or_else(unsupported)?;
    let first = (0..listed.line).rev().find(|at| lines.get(*at).is_some_and(|line| *line == STEPS_LINE.trim_end()));
    let first = first.ok_or_else(unsupported)? + 1;
    // Line numbers start at 1. A step begins with a dash.
    let begin = step.node.line.saturating_sub(1);
    let dash = lines.get(begin).map(|line| indent(line)).unwrap_or_default();
    if begin < first || !lines.get(begin).is_some_and(|line| line.trim_start().starts_with("- ")) {
        return Err(unsupported());
    }
    let end =
        |lines: &[String]| (begin + 1..lines.len()).find(|at| is_outside(&lines[*at], dash)).unwrap_or(lines.len());
    if let Some(version) = &choices.version {
        let at = find_key_line(&lines, begin..end(&lines), "uses").ok_or_else(unsupported)?;
        let (before, _) = lines[at].split_once("uses:").ok_or_else(unsupported)?;
        let action = step.uses().split_once('@').ok_or("its step names no version")?.0;
        lines[at] = format!("{before}uses: {}", uses_value(version).replacen(ACTION, action, 1));
    }
    let requested = choices.inputs.iter().map(|(name, value)| (name.as_str(), to_scalar(value)));
    let dispatch = DISPATCH_INPUTS.iter().filter(|(name, _)| step.input(name).is_none());
    let dispatch = dispatch.map(|(name, value)| (*name, (*value).to_owned()));
    for (name, value) in dispatch.chain(requested) {
        let range = begin..end(&lines);
        set_input(&mut lines, range, name, &value).ok_or_else(unsupported)?;
    }
    Ok(lines[first..].iter().map(|line| format!("{line}\n")).collect())
}

/// Sets an input of the step at these lines; returns `None` if their layout is unsupported.
fn set_input(lines: &mut Vec<String>, step: Range<usize>, name: &str, value: &str) -> Option<()> {
    let key_indent = indent(&lines[step.start]) + "- ".len();
    let Some(with) = find_key_line(lines, step.clone(), "with") else {
        let uses = find_key_line(lines, step, "uses")?;
        let added =
            [format!("{}with:", " ".repeat(key_indent)), format!("{}{name}: {value}", " ".repeat(key_indent + 2))];
        drop(lines.splice(uses + 1..uses + 1, added));
        return Some(());
    };
    let end = (with + 1..step.end).find(|at| is_outside(&lines[*at], key_indent)).unwrap_or(step.end);
    let depth =
        (with + 1..end).map(|at| &lines[at]).find(|line| !is_empty(line)).map_or(key_indent + 2, |line| indent(line));
    let is_key = |line: &str| {
        let key = line.split_once(':').map(|(key, _)| key.trim().trim_matches(['"', '\'']));
        indent(line) == depth && key.is_some_and(|key| key.eq_ignore_ascii_case(name))
    };
    let new_line = format!("{}{name}: {value}", " ".repeat(depth));
    match (with + 1..end).find(|at| is_key(&lines[*at])) {
        Some(at) => {
            // A value can have several lines.
            let next = (at + 1..end).find(|at| indent(&lines[*at]) <= depth).unwrap_or(end);
            drop(lines.splice(at..next, [new_line]));
        }
        None => {
            let last = (with..end).rev().find(|at| !is_empty(&lines[*at]))?;
            lines.insert(last + 1, new_line);
        }
    }
    Some(())
}

/// Returns the line with a key of the step.
fn find_key_line(lines: &[String], step: Range<usize>, key: &str) -> Option<usize> {
    let depth = indent(&lines[step.start]) + "- ".len();
    step.into_iter().find(|at| {
        let line = &lines[*at];
        let text = line.trim_start();
        let (text, indent) = text.strip_prefix("- ").map_or((text, indent(line)), |text| (text, indent(line) + 2));
        indent == depth && text.trim_start().strip_prefix(key).is_some_and(|rest| rest.starts_with(':'))
    })
}

/// Whether a line ends a block whose lines are indented more than `depth`.
fn is_outside(line: &str, depth: usize) -> bool {
    !line.trim().is_empty() && indent(line) <= depth
}

/// Whether a line is blank or only a comment.
fn is_empty(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
