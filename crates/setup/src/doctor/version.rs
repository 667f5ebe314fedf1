//! Checks which action and which version a workflow uses.

use crate::action_version::{ACTION, ActionVersion};
use crate::doctor::findings::Findings;
use crate::workflow_steps::WorkflowStep;

/// Checks the action and the version of a step.
pub(super) fn check_action_version(step: &WorkflowStep, findings: &mut Findings) {
    let (uses, path, version) = (step.uses(), &step.path, step.version());
    let location = format!("{path}, line {}", step.node.line);
    let (action, reference) = uses.split_once('@').unwrap_or((uses, ""));
    if version != ActionVersion::Local && !action.eq_ignore_ascii_case(ACTION) {
        findings.warning(format!(
            "{location}: `{action}` isn't the action of this project, and its job can write to your repository. Use `{ACTION}`, \
             unless this is a fork or a mirror that you trust."
        ));
    }
    let is_unknown = version.is_unknown();
    match version {
        ActionVersion::Missing => findings.error(format!("{location}: `{uses}` names no version. Write `{uses}@v1`.")),
        ActionVersion::Branch(branch) => findings.warning(format!(
            "{location}: `{uses}` follows a branch, `{branch}`, and is rebuilt whenever it moves. Use `{action}@v1`, or pin a \
             full commit id."
        )),
        ActionVersion::Tag(tag, _) if is_unknown => findings.warning(format!(
            "{location}: this program doesn't know `{tag}` of the action. If there is no such tag, no run starts: check it, or \
             use `{action}@v1`."
        )),
        ActionVersion::Tag(tag, _) => findings.ok(format!(
            "{path}: the action follows the tag `{tag}`. `play-by-commit init --version SHA` pins a commit instead."
        )),
        ActionVersion::Commit { .. } => {
            let short: String = reference.chars().take(7).collect();
            findings.ok(format!("{path}: the action is pinned to the commit {short}."));
        }
        ActionVersion::Local => findings.ok(format!("{path}: it uses the action in this repository.")),
    }
}
