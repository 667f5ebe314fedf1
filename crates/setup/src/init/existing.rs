//! A workflow that a host has already: `init` brings it up to date and keeps what the host chose.
//!
//! Above its steps, the result is the template with the host's own values. The steps stay as they are, line by line, but for the
//! inputs and the version that were asked for.

use std::ops::Range;

use crate::action_version::{ACTION, ActionVersion};
use crate::cron::check_cron;
use crate::templates::{
    BUILDING_MINUTES, BUILDING_RUNNER, Choices, QUEUE, RUNNER, TIMEOUT, WORKFLOW, for_enterprise_server, uses,
};
use crate::workflow_steps::{WorkflowStep, own_steps};
use crate::yaml::{YamlNode, parse_yaml};
use crate::yaml_text::{flow, scalar};

/// The line of the template above the steps.
const STEPS: &str = "    steps:\n";
/// The first lines of the template that a host may have changed.
const NAME: &str = "name: Play by Commit\n";
const JOB: &str = "\n  play:\n";
/// Why some workflows are left to their hosts.
const STRANGE: &str = "its steps are laid out in a way that `init` can't edit";
/// Inputs that every workflow hands on, for the check boxes of a run that is started by hand.
const BOXES: [(&str, &str); 2] = [("doctor", "${{ inputs.doctor }}"), ("probe", "${{ inputs.probe }}")];

/// Returns a workflow brought up to date, with these choices in place of the host's. `text` has lines that end with a line feed,
/// and `step` is its only step that plays. `action` is the action file of this repository, if it has one.
///
/// # Errors
/// Its shape is another one than the template's, so it has to be changed by hand; the sentence, without its full stop, says why.
pub(super) fn updated(
    text: &str,
    step: &WorkflowStep,
    choices: &Choices,
    action: Option<&str>,
) -> Result<String, String> {
    let head = head(text, step, choices).ok_or("another job comes before the one that plays")?;
    let updated = format!("{head}{}", steps(text, step, choices)?);
    // Whatever the file looks like, the games stay where they are.
    match own_steps(&step.path, &updated, action)?.as_slice() {
        [fresh] if keeps_inputs(step, fresh, choices) => Ok(updated),
        _ => Err(STRANGE.to_owned()),
    }
}

/// Whether each input is the one that was asked for, or else the one that was there.
fn keeps_inputs(step: &WorkflowStep, fresh: &WorkflowStep, choices: &Choices) -> bool {
    let asked = |name: &str| choices.inputs.iter().find(|(asked, _)| asked.eq_ignore_ascii_case(name));
    let kept = step.input_names().into_iter().filter(|name| asked(name).is_none());
    kept.into_iter().all(|name| step.input(name) == fresh.input(name))
        && choices.inputs.iter().all(|(name, value)| fresh.input(name).unwrap_or_default() == *value)
}

/// Returns everything up to the steps.
fn head(text: &str, step: &WorkflowStep, choices: &Choices) -> Option<String> {
    let (job_name, job) = &step.job;
    if step.root.at("jobs")?.entries().first()?.0 != *job_name {
        return None;
    }
    let mut head = WORKFLOW.split_once(STEPS)?.0.to_owned() + STEPS;
    let mut put = |line: &str, fresh: String| head = head.replacen(line, &fresh, 1);
    if let Some(name) = kept(text, &step.root, "name") {
        put(NAME, format!("name: {name}\n"));
    }
    put(JOB, format!("\n  {job_name}:\n"));
    let schedule = step.root.path(&["on", "schedule"]).map(YamlNode::items).unwrap_or_default();
    let is_good =
        |time: &YamlNode| time.at("cron").and_then(YamlNode::text).is_some_and(|cron| check_cron(cron).is_ok());
    if !schedule.is_empty() && schedule.iter().all(is_good) {
        let cron = WORKFLOW.lines().find(|line| line.trim_start().starts_with("- cron:"))?;
        let lines = schedule.iter().map(|time| match (time.entries().len(), kept(text, time, "cron")) {
            (1, Some(cron)) => format!("    - cron: {cron}\n"),
            _ => format!("    - {}\n", flow(time)),
        });
        put(&format!("{cron}\n"), lines.collect());
    }
    let is_from_source = version(step, choices).is_built_from_source();
    if let Some(runner) = kept(text, job, "runs-on") {
        let lacks_rust = job.at("runs-on").and_then(YamlNode::text) == Some("ubuntu-slim");
        let runner = if lacks_rust && is_from_source { BUILDING_RUNNER } else { &runner };
        put(RUNNER, format!("    runs-on: {runner}\n"));
    }
    if let Some(minutes) = kept(text, job, "timeout-minutes") {
        let number: Option<u32> = job.at("timeout-minutes").and_then(YamlNode::text).and_then(|text| text.parse().ok());
        let is_short = number.is_some_and(|minutes| minutes < BUILDING_MINUTES) && is_from_source;
        put(
            TIMEOUT,
            format!("    timeout-minutes: {}\n", if is_short { BUILDING_MINUTES.to_string() } else { minutes }),
        );
    }
    let concurrency = job.at("concurrency");
    if concurrency.is_some_and(|concurrency| concurrency.at("queue").is_none()) {
        put(QUEUE, String::new());
    }
    Some(if choices.enterprise { for_enterprise_server(&head) } else { head })
}

/// Returns the version that the workflow names afterwards.
fn version(step: &WorkflowStep, choices: &Choices) -> ActionVersion {
    match &choices.version {
        Some(version) => ActionVersion::named(version),
        None => step.version(),
    }
}

/// Returns the value of a key on one line, as the file writes it and with its comment.
pub(super) fn kept(text: &str, parent: &YamlNode, key: &str) -> Option<String> {
    let node = parent.at(key)?;
    let line = text.lines().nth(node.line.checked_sub(1)?).unwrap_or_default();
    let written = line.split_once(&format!("{key}:")).map(|(_, value)| value.trim().to_owned());
    let is_whole = |value: &String| {
        let read = parse_yaml(&format!("x: {value}\n")).ok();
        read.as_ref().and_then(|root| root.at("x")).is_some_and(|read| flow(read) == flow(node))
    };
    Some(written.filter(is_whole).unwrap_or_else(|| flow(node)))
}

/// Returns the lines from the first step on, with the inputs and the version that were asked for.
fn steps(text: &str, step: &WorkflowStep, choices: &Choices) -> Result<String, String> {
    let strange = || STRANGE.to_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let listed = step.job.1.at("steps").ok_or_else(strange)?;
    let first = (0..listed.line).rev().find(|at| lines.get(*at).is_some_and(|line| *line == STEPS.trim_end()));
    let first = first.ok_or_else(strange)? + 1;
    // Lines count from 1, and the step begins with a dash.
    let begin = step.node.line.saturating_sub(1);
    let dash = lines.get(begin).map(|line| indent(line)).unwrap_or_default();
    if begin < first || !lines.get(begin).is_some_and(|line| line.trim_start().starts_with("- ")) {
        return Err(strange());
    }
    let end =
        |lines: &[String]| (begin + 1..lines.len()).find(|at| is_outside(&lines[*at], dash)).unwrap_or(lines.len());
    if let Some(version) = &choices.version {
        let at = key_line(&lines, begin..end(&lines), "uses").ok_or_else(strange)?;
        let (before, _) = lines[at].split_once("uses:").ok_or_else(strange)?;
        let action = step.uses().split_once('@').ok_or("its step names no version")?.0;
        lines[at] = format!("{before}uses: {}", uses(version).replacen(ACTION, action, 1));
    }
    let asked = choices.inputs.iter().map(|(name, value)| (name.as_str(), scalar(value)));
    let boxes = BOXES.iter().filter(|(name, _)| step.input(name).is_none());
    let boxes = boxes.map(|(name, value)| (*name, (*value).to_owned()));
    for (name, value) in boxes.chain(asked) {
        let range = begin..end(&lines);
        set_input(&mut lines, range, name, &value).ok_or_else(strange)?;
    }
    Ok(lines[first..].iter().map(|line| format!("{line}\n")).collect())
}

/// Sets an input of the step in these lines; `None` if they are written in an unusual way.
fn set_input(lines: &mut Vec<String>, step: Range<usize>, name: &str, value: &str) -> Option<()> {
    let key_indent = indent(&lines[step.start]) + "- ".len();
    let Some(with) = key_line(lines, step.clone(), "with") else {
        let uses = key_line(lines, step, "uses")?;
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
    let fresh = format!("{}{name}: {value}", " ".repeat(depth));
    match (with + 1..end).find(|at| is_key(&lines[*at])) {
        Some(at) => {
            // A value may go on for some lines.
            let next = (at + 1..end).find(|at| indent(&lines[*at]) <= depth).unwrap_or(end);
            drop(lines.splice(at..next, [fresh]));
        }
        None => {
            let last = (with..end).rev().find(|at| !is_empty(&lines[*at]))?;
            lines.insert(last + 1, fresh);
        }
    }
    Some(())
}

/// Finds the line of a key of the step.
fn key_line(lines: &[String], step: Range<usize>, key: &str) -> Option<usize> {
    let depth = indent(&lines[step.start]) + "- ".len();
    step.into_iter().find(|at| {
        let line = &lines[*at];
        let text = line.trim_start();
        let (text, indent) = text.strip_prefix("- ").map_or((text, indent(line)), |text| (text, indent(line) + 2));
        indent == depth && text.trim_start().strip_prefix(key).is_some_and(|rest| rest.starts_with(':'))
    })
}

/// Whether this line is no longer part of an item or a map whose own lines are indented deeper than this.
fn is_outside(line: &str, depth: usize) -> bool {
    !line.trim().is_empty() && indent(line) <= depth
}

/// Whether a line says nothing to a reader of YAML.
fn is_empty(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
