//! Checks the files of a work tree.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use games::{GameKind, GameVariant};
use git::WorkTree;
use protocol::{FileContent, SETTINGS_PATH, is_enterprise_server};
use table::{IssueNumber, StatePath};

use crate::doctor::files::{Files, GameInputs};
use crate::doctor::{Fact, files, workflow};
use crate::templates::{CONFIG_PATHS, FORM_DIR, WORKFLOW_DIR, disables_blank_issues};
use crate::workflow_steps::{WorkflowStep, is_expression};
use crate::{
    FORM_PATH, FileSettings, Findings, LINK_FORM_PATH, WorkflowKind, YamlNode, awaited_workflows, issue_form,
    parse_yaml,
};

/// Checks the work tree that contains this directory.
///
/// # Errors
/// Returns an error if the directory isn't in a work tree.
pub fn examine(dir: &Path, findings: &mut Findings) -> Result<()> {
    let tree = WorkTree::open(dir)?;
    let read = |paths: &[String]| paths.iter().map(|path| (path.clone(), tree.read(path))).collect::<Files>();
    let enterprise = tree.remote().is_some_and(|remote| is_enterprise_server(&remote.host));
    let setup_files =
        [tree.list(WORKFLOW_DIR), tree.list(FORM_DIR), vec!["action.yml".to_owned(), SETTINGS_PATH.to_owned()]]
            .concat();
    let inputs = files::check_setup(&read(&files::setup_paths(&setup_files)), enterprise, findings);
    if let Some(branch) = &inputs.branch
        && tree.branch().as_ref() != Some(branch)
    {
        files::check_other_branch(&read(&inputs.pages), &inputs, findings);
        findings.add(Fact::GamesOnOtherBranch { branch: branch.clone() });
        return Ok(());
    }
    if tree.is_ignored(&StatePath::Record(IssueNumber::new(1)).below(&inputs.state_dir)) {
        findings.add(Fact::IgnoredByGit { dir: inputs.state_dir.clone() });
    }
    let mut state_files = tree.list(&inputs.state_dir);
    if !state_files.iter().any(|path| inputs.record(path).is_some()) {
        // The games may be in another folder.
        state_files = tree.list("");
    }
    files::check_games(&read(&inputs.game_paths(&state_files)), &state_files, &inputs, true, findings);
    findings.add(Fact::SettingsOnGitHub);
    Ok(())
}

// Checks the issue form for a new game, and the settings of issue forms.

/// Checks the issue forms and their settings.
pub(super) fn check_forms(files: &BTreeMap<String, FileContent>, inputs: &GameInputs, findings: &mut Findings) {
    match files.get(FORM_PATH) {
        Some(FileContent::Text(text)) => check_form_text(text, &inputs.games, findings),
        Some(FileContent::Unreadable(why)) => findings.add(Fact::Unreadable { why: why.clone() }),
        Some(FileContent::Missing) | None => findings.add(Fact::NoForm),
    }
    let has_link_form = matches!(files.get(LINK_FORM_PATH), Some(FileContent::Text(_)));
    if !inputs.only_labels.is_empty() && !has_link_form {
        findings.add(Fact::NoLinkForm);
    }
    for path in CONFIG_PATHS {
        if files.get(path).and_then(FileContent::text).is_some_and(disables_blank_issues) {
            findings.add_at(path, None, Fact::BlankIssuesOff);
        }
    }
}

/// Whether a form offers exactly these games, and the bot can read it.
pub(crate) fn offers_exactly(text: &str, games: &[GameKind]) -> bool {
    let mut findings = Findings::default();
    check_form_text(text, games, &mut findings);
    findings.problem_count() == 0
}

/// Whether the first question of a form asks for the game, so that a filled-in form starts one.
pub(crate) fn is_game_form(text: &str) -> bool {
    let Ok(root) = parse_yaml(text) else { return false };
    questions(&root).first().is_some_and(|first| label(first) == "Game")
}

/// Returns the form with these games in its list, and everything else as it is; `None` if that isn't a form that the bot can
/// read. Games that it offers already keep their places.
pub(crate) fn with_games(text: &str, games: &[GameKind]) -> Option<String> {
    let root = parse_yaml(text).ok()?;
    let options = questions(&root).first()?.get_path(&["attributes", "options"])?;
    let games = if games.is_empty() { GameKind::ALL } else { games };
    let is_allowed = |name: &&str| GameVariant::parse(name).is_some_and(|game| games.contains(&game.kind));
    let mut names: Vec<&str> = options.names().into_iter().filter(is_allowed).collect();
    for kind in games {
        if !names.iter().any(|name| GameKind::parse(name) == Some(*kind)) {
            names.push(kind.info().name);
        }
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let is_item = |line: &String| line.trim_start().starts_with("- ");
    let begin = (0..lines.len()).skip(options.line.saturating_sub(1)).find(|at| is_item(&lines[*at]))?;
    let end = begin + lines[begin..].iter().take_while(|line| is_item(line)).count();
    let indent = lines[begin].len() - lines[begin].trim_start().len();
    drop(lines.splice(begin..end, names.iter().map(|name| format!("{}- {name}", " ".repeat(indent)))));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if offers_exactly(&text, games) { Some(text) } else { None }
}

/// Returns the questions of a form, without its texts.
fn questions(root: &YamlNode) -> Vec<&YamlNode> {
    root.items_at("body").iter().filter(|node| node.text_at("type") != Some("markdown")).collect()
}

fn label(question: &YamlNode) -> &str {
    question.get_path(&["attributes", "label"]).and_then(YamlNode::as_str).unwrap_or_default()
}

fn check_form_text(text: &str, games: &[GameKind], findings: &mut Findings) {
    if text.replace("\r\n", "\n") == issue_form(games) {
        return findings.add_at(FORM_PATH, None, Fact::FormUpToDate);
    }
    match parse_yaml(text) {
        Ok(root) => check_custom_form(&root, games, findings),
        Err(why) => findings.add(Fact::InvalidYaml { path: FORM_PATH.to_owned(), why: why.to_string() }),
    }
}

/// Checks that a customized form still has the parts that the bot reads.
fn check_custom_form(root: &YamlNode, games: &[GameKind], findings: &mut Findings) {
    let questions = questions(root);
    let Some(first) = questions.first().filter(|first| label(first) == "Game") else {
        return findings.add_at(FORM_PATH, None, Fact::FormWithoutGame);
    };
    let mut others = questions.iter().skip(1).map(|node| label(node));
    if let Some(unknown) = others.find(|label| !["Opponent", "Options"].contains(label)) {
        findings.add_at(FORM_PATH, None, Fact::UnknownQuestion { label: unknown.to_owned() });
    }
    let offered = first.get_path(&["attributes", "options"]).map(YamlNode::names).unwrap_or_default();
    let is_allowed = |kind: GameKind| games.is_empty() || games.contains(&kind);
    for name in &offered {
        match GameVariant::parse(name) {
            None => findings.add(Fact::UnknownGame { name: (*name).to_owned() }),
            Some(game) if !is_allowed(game.kind) => findings.add(Fact::ForbiddenGame { name: game.name().to_owned() }),
            Some(_) => {}
        }
    }
    let is_missing =
        |kind: &&GameKind| is_allowed(**kind) && !offered.iter().any(|name| GameKind::parse(name) == Some(**kind));
    let missing: Vec<&str> = GameKind::ALL.iter().filter(is_missing).map(|kind| kind.info().name).collect();
    if missing.is_empty() {
        findings.add_at(FORM_PATH, None, Fact::FormComplete);
    } else {
        findings.add(Fact::FormLacksGames { games: missing.join(", ") });
    }
}

// Checks the workflow that publishes the website.

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
    file: &FileSettings,
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
        let dir = file.get("state-dir").map_or_else(|| state_dir(play), str::to_owned);
        problems.extend(find_other_dir(step, play, &dir));
        problems.extend(find_other_cache(step, &dir));
        problems.extend(find_other_branch(step, play, file));
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

fn find_other_dir(step: &WorkflowStep, play: &WorkflowStep, dir: &str) -> Option<Fact> {
    (state_dir(step) != dir).then(|| Fact::OtherStateDir { play: play.path.clone(), dir: dir.to_owned() })
}

fn find_other_cache(step: &WorkflowStep, dir: &str) -> Option<Fact> {
    let key = find_step_using(step, "actions/cache")?.get_path(&["with", "key"])?.as_str()?;
    let is_other = key.contains("hashFiles('") && !key.contains(&format!("hashFiles('{dir}/"));
    is_other.then(|| Fact::OtherCacheKey { key: key.to_owned(), dir: dir.to_owned() })
}

fn find_other_branch(step: &WorkflowStep, play: &WorkflowStep, file: &FileSettings) -> Option<Fact> {
    let checkout =
        find_step_using(step, "actions/checkout").and_then(|checkout| checkout.get_path(&["with", "ref"])?.as_str());
    let branch = file.get("branch").map(str::to_owned).or_else(|| play.input("branch"));
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
