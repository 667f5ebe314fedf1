//! Judges a workflow that puts the gallery up.

use crate::host::doctor::findings::Findings;
use crate::host::workflow_steps::WorkflowStep;
use crate::host::yaml::YamlNode;

/// Judges one step that builds the site. `playing` are the steps that play.
pub(super) fn judge(step: &WorkflowStep, playing: &[WorkflowStep], findings: &mut Findings) {
    let path = &step.path;
    let mut faults = Vec::new();
    let names: Vec<&str> =
        playing.iter().map(|play| play.root.at("name").and_then(YamlNode::text).unwrap_or(&play.path)).collect();
    let waits = step.root.at("on").and_then(|on| on.path(&["workflow_run", "workflows"]));
    let waits = waits.map(YamlNode::words).unwrap_or_default();
    if let Some(missed) = names.iter().find(|name| !waits.contains(name)) {
        faults.push(format!(
            "a move does not reach the site, as nothing starts it for what a workflow has pushed. Set `workflow_run:` with \
             `workflows: [{missed}]` and `types: [completed]`"
        ));
    }
    let (_, job) = &step.job;
    let permissions = job.at("permissions").or(step.root.at("permissions"));
    let may = |what: &str| permissions.and_then(|permissions| permissions.at(what)).and_then(YamlNode::text);
    for (what, word) in [("contents", "read"), ("pages", "write"), ("id-token", "write")] {
        if may(what) != Some(word) && !(word == "read" && may(what) == Some("write")) {
            faults.push(format!("without `{what}: {word}` in the job's permissions the site cannot be put up"));
        }
    }
    for play in playing {
        if play.input("state-dir") != step.input("state-dir") {
            faults.push("its `state-dir` is not that of the workflow that plays, so it shows other games".to_owned());
        }
    }
    if faults.is_empty() {
        findings.good(format!("{path}: it puts the site up after each run that plays."));
    }
    for fault in faults {
        findings.change(format!("{path}, line {}: {fault}.", step.node.line));
    }
}
