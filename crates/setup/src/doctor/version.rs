//! Checks which action and which version a workflow uses.

use crate::action_version::{ACTION, ActionVersion};
use crate::doctor::facts::Fact;
use crate::doctor::findings::Findings;
use crate::doctor::grade::Grade;
use crate::workflow_steps::WorkflowStep;

/// Checks the action and the version of a step.
pub(super) fn check_action_version(step: &WorkflowStep, findings: &mut Findings) {
    let (uses, version) = (step.uses().to_owned(), step.version());
    let (action, reference) = step.uses().split_once('@').unwrap_or((step.uses(), ""));
    let action = action.to_owned();
    if version != ActionVersion::Local && !action.eq_ignore_ascii_case(ACTION) {
        findings.add_at(&step.path, step.node.line, Fact::OtherAction { action: action.clone() });
    }
    let is_unknown = version.is_unknown();
    let fact = match version {
        ActionVersion::Missing => Fact::NoVersion { uses },
        ActionVersion::Branch(branch) => Fact::FollowsBranch { uses, action, branch },
        ActionVersion::Tag(tag, _) if is_unknown => Fact::UnknownTag { action, tag },
        ActionVersion::Tag(tag, _) => Fact::FollowsTag { tag },
        ActionVersion::Commit { .. } => Fact::PinnedCommit { commit: reference.chars().take(7).collect() },
        ActionVersion::Local => Fact::LocalAction,
    };
    let line = (fact.grade() != Grade::Good).then_some(step.node.line);
    findings.add_at(&step.path, line, fact);
}
