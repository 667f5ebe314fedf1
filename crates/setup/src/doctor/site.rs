//! Checks the workflow that publishes the website.

use crate::doctor::facts::Fact;
use crate::doctor::findings::Findings;
use crate::doctor::workflow;
use crate::templates::{WorkflowKind, awaited_workflows};
use crate::workflow_steps::{WorkflowStep, is_expression};
use crate::yaml::YamlNode;

/// The expression for the name of the default branch.
const DEFAULT_BRANCH: &str = "github.event.repository.default_branch";
/// The permissions of the job, each with the access that it needs.
const PERMISSIONS: [(&str, &str); 3] = [("contents", "read"), ("pages", "write"), ("id-token", "write")];

/// Checks a step that builds the site.
///
/// `playing` holds the steps that play. `enterprise` says whether the repository is on GitHub Enterprise Server.
pub(super) fn check_site_step(
    step: &WorkflowStep,
    playing: &[WorkflowStep],
    enterprise: bool,
    findings: &mut Findings,
) {
    let mut problems = Vec::new();
    let deployment = find_step_using(step, "actions/deploy-pages").and_then(|deploy| deploy.text_at("uses"));
    let runs_on_enterprise = |uses: &str| ["@v1", "@v2", "@v3"].iter().any(|version| uses.contains(version));
    if enterprise && deployment.is_some_and(|uses| !runs_on_enterprise(uses)) {
        problems.push(Fact::ArtifactOnEnterprise);
    }
    let awaited = step.root.get_path(&["on", "workflow_run", "workflows"]).map(YamlNode::names).unwrap_or_default();
    let mut games: Vec<&WorkflowStep> = playing.iter().collect();
    games.sort_by_key(|step| step.kind() == WorkflowKind::Daily);
    let names: Vec<String> = games.into_iter().map(|step| step.workflow_name().to_owned()).collect();
    if names.iter().any(|name| !awaited.contains(&name.as_str())) {
        problems.push(Fact::SiteMissesRuns { workflows: awaited_workflows(&names) });
    }
    let (_, job) = &step.job;
    let permissions = job.get("permissions").or(step.root.get("permissions"));
    for (scope, access) in PERMISSIONS {
        let granted = permissions.and_then(|permissions| permissions.text_at(scope));
        if granted != Some(access) && granted != Some("write") {
            problems.push(Fact::MissingSitePermission { scope, access });
        }
    }
    for play in playing {
        problems.extend(find_other_dir(step, play));
        problems.extend(find_other_cache(step, play));
        problems.extend(find_other_branch(step, play));
    }
    if problems.is_empty() {
        findings.add_at(&step.path, None, Fact::GoodSite);
    }
    for problem in problems {
        findings.add_at(&step.path, step.node.line, problem);
    }
    workflow::check_action_version(step, findings);
}

/// Returns the directory of the records of a step.
fn state_dir(step: &WorkflowStep) -> String {
    step.input("state-dir").unwrap_or_else(|| "state".to_owned())
}

fn find_other_dir(step: &WorkflowStep, play: &WorkflowStep) -> Option<Fact> {
    let dir = state_dir(play);
    (state_dir(step) != dir).then(|| Fact::OtherStateDir { play: play.path.clone(), dir })
}

fn find_other_cache(step: &WorkflowStep, play: &WorkflowStep) -> Option<Fact> {
    let key = find_step_using(step, "actions/cache")?.get_path(&["with", "key"])?.as_str()?;
    let dir = state_dir(play);
    let is_other = key.contains("hashFiles('") && !key.contains(&format!("hashFiles('{dir}/"));
    is_other.then(|| Fact::OtherCacheKey { key: key.to_owned(), dir })
}

fn find_other_branch(step: &WorkflowStep, play: &WorkflowStep) -> Option<Fact> {
    let checkout =
        find_step_using(step, "actions/checkout").and_then(|checkout| checkout.get_path(&["with", "ref"])?.as_str());
    let branch = play.input("branch");
    let is_unknown = |text: &str| is_expression(text) && !text.contains(DEFAULT_BRANCH);
    if checkout.is_some_and(is_unknown) || branch.as_deref().is_some_and(is_unknown) {
        return None;
    }
    let is_default = checkout.is_none_or(|at| at.contains(DEFAULT_BRANCH));
    let without_prefix = |branch: &str| branch.strip_prefix("refs/heads/").unwrap_or(branch).to_owned();
    let wanted = match &branch {
        Some(branch) if checkout.map(without_prefix) != Some(without_prefix(branch)) => without_prefix(branch),
        None if !is_default => format!("${{{{ {DEFAULT_BRANCH} }}}}"),
        _ => return None,
    };
    let site = if is_default { "the default branch" } else { checkout.unwrap_or_default() };
    Some(Fact::OtherBranch {
        site: site.to_owned(),
        play: play.path.clone(),
        on: branch.map_or("the default branch".to_owned(), |branch| format!("`{branch}`")),
        wanted,
    })
}

/// Returns the first step of the same job that uses this action.
fn find_step_using<'a>(step: &'a WorkflowStep, action: &str) -> Option<&'a YamlNode> {
    step.job.1.items_at("steps").iter().find(|other| {
        let rest = other.text_at("uses").and_then(|uses| uses.strip_prefix(action));
        rest.is_some_and(|rest| rest.starts_with(['@', '/']))
    })
}
