//! Checks the workflow that publishes the website.

use crate::doctor::findings::Findings;
use crate::doctor::version;
use crate::workflow_steps::WorkflowStep;
use crate::yaml::YamlNode;

/// The expression for the name of the default branch.
const DEFAULT_BRANCH: &str = "github.event.repository.default_branch";

/// Checks a step that builds the site.
///
/// `playing` are the steps that play. `enterprise` says whether the repository is on GitHub Enterprise Server.
pub(super) fn check_site_step(
    step: &WorkflowStep,
    playing: &[WorkflowStep],
    enterprise: bool,
    findings: &mut Findings,
) {
    let path = &step.path;
    let mut problems = Vec::new();
    if enterprise && find_step_using(step, "actions/upload-pages-artifact").is_some() {
        problems.push(
            "actions/upload-pages-artifact doesn't run on GitHub Enterprise Server. Build the site with `play-by-commit site \
             --out DIR` and put its files on any web server"
                .to_owned(),
        );
    }
    let awaited = step.root.get("on").and_then(|on| on.get_path(&["workflow_run", "workflows"]));
    let awaited = awaited.map(YamlNode::names).unwrap_or_default();
    if let Some(missed) = playing.iter().map(WorkflowStep::workflow_name).find(|name| !awaited.contains(name)) {
        problems.push(format!(
            "moves don't reach the site, because the bot's commits don't start workflows. Set `workflow_run:` with \
             `workflows: [{missed}]` and `types: [completed]`"
        ));
    }
    let (_, job) = &step.job;
    let permissions = job.get("permissions").or(step.root.get("permissions"));
    let permission = |name: &str| permissions.and_then(|permissions| permissions.get(name)).and_then(YamlNode::as_str);
    for (name, access) in [("contents", "read"), ("pages", "write"), ("id-token", "write")] {
        if permission(name) != Some(access) && !(access == "read" && permission(name) == Some("write")) {
            problems.push(format!("GitHub can't publish the site without `{name}: {access}` in the job's permissions"));
        }
    }
    for play in playing {
        problems.extend(source_problems(step, play));
    }
    if problems.is_empty() {
        findings.ok(format!("{path}: it publishes the site after each run."));
    }
    for problem in problems {
        findings.error(format!("{path}, line {}: {problem}.", step.node.line));
    }
    version::check_action_version(step, findings);
}

/// Returns the problems that keep the site from showing the games of a step: another directory, branch or cache.
fn source_problems(step: &WorkflowStep, play: &WorkflowStep) -> Vec<String> {
    let mut problems = Vec::new();
    let (site_dir, play_dir) = (step.input("state-dir"), play.input("state-dir"));
    let dir = play_dir.unwrap_or_else(|| "state".to_owned());
    if site_dir.unwrap_or_else(|| "state".to_owned()) != dir {
        problems.push(format!(
            "its `state-dir` differs from the one in {}, so it shows other games. Set `state-dir: {dir}`",
            play.path
        ));
    }
    let cache = find_step_using(step, "actions/cache").and_then(|cache| cache.get_path(&["with", "key"])?.as_str());
    if let Some(key) = cache
        && key.contains("hashFiles('")
        && !key.contains(&format!("hashFiles('{dir}/"))
    {
        problems.push(format!(
            "the key of its cache is `{key}`, so new moves don't reach the site. Use `hashFiles('{dir}/**')`"
        ));
    }
    let checkout =
        find_step_using(step, "actions/checkout").and_then(|checkout| checkout.get_path(&["with", "ref"])?.as_str());
    let branch = play.input("branch");
    let is_unknown = |text: &str| text.contains("${{") && !text.contains(DEFAULT_BRANCH);
    if checkout.is_some_and(is_unknown) || branch.as_deref().is_some_and(is_unknown) {
        return problems;
    }
    let is_default = checkout.is_none_or(|at| at.contains(DEFAULT_BRANCH));
    let without_prefix = |branch: &str| branch.strip_prefix("refs/heads/").unwrap_or(branch).to_owned();
    let wanted = match &branch {
        Some(branch) if checkout.map(without_prefix) != Some(without_prefix(branch)) => without_prefix(branch),
        None if !is_default => format!("${{{{ {DEFAULT_BRANCH} }}}}"),
        _ => return problems,
    };
    problems.push(format!(
        "it reads `{}`, but {} plays on {}. Set `ref: {wanted}` in its checkout, or run `play-by-commit init --site`",
        if is_default { "the default branch" } else { checkout.unwrap_or_default() },
        play.path,
        branch.map_or("the default branch".to_owned(), |branch| format!("`{branch}`")),
    ));
    problems
}

/// Returns the first step of the same job that uses this action.
fn find_step_using<'a>(step: &'a WorkflowStep, action: &str) -> Option<&'a YamlNode> {
    let steps = step.job.1.get("steps").map(YamlNode::items).unwrap_or_default();
    steps.iter().find(|other| {
        let rest = other.get("uses").and_then(YamlNode::as_str).and_then(|uses| uses.strip_prefix(action));
        rest.is_some_and(|rest| rest.starts_with(['@', '/']))
    })
}
