//! The files that `init` writes into a repository: the workflows and the issue form.

use games::GameKind;

use crate::action_version::{ACTION, ActionVersion};
use crate::yaml::{to_flow_item, to_scalar};
use crate::{FileSettings, parse_yaml};

/// The workflow that plays, as in README.md.
pub const WORKFLOW: &str = include_str!("play.yml");
/// The workflow with the schedule, as in README.md. GitHub may disable it, and games go on.
pub const DAILY_WORKFLOW: &str = include_str!("daily.yml");
/// The workflow that publishes the website.
pub const SITE_WORKFLOW: &str = include_str!("site.yml");
/// The issue form, with `GAMES` in place of the games.
const FORM: &str = include_str!("new-game.yml");
/// The issue form that links of boards fill in, in a repository where the bot listens only in issues with a label.
const LINK_FORM: &str = include_str!("board-link.yml");
/// The template's condition that lets in any comment at a table. With labels, others follow it.
const TABLE_CONDITION: &str = "        contains(github.event.issue.labels.*.name, 'play-by-commit') ||\n";
/// The beginning of a condition of [`with_labels`].
const LABEL_CONDITION: &str = "        (contains(github.event.issue.labels.*.name, '";
/// The end of the template's conditions.
const END_OF_CONDITIONS: &str = "\n      ))\n";
/// The beginning of the labels in an issue form.
const FORM_LABELS: &str = "labels: [play-by-commit";
/// The directory of the workflows.
pub const WORKFLOW_DIR: &str = ".github/workflows";
/// The usual path of [`SITE_WORKFLOW`].
pub const SITE_WORKFLOW_PATH: &str = ".github/workflows/site.yml";
/// The usual path of [`WORKFLOW`].
pub const WORKFLOW_PATH: &str = ".github/workflows/play.yml";
/// The usual path of [`DAILY_WORKFLOW`].
pub const DAILY_WORKFLOW_PATH: &str = ".github/workflows/daily.yml";
/// The directory of the issue forms.
pub const FORM_DIR: &str = ".github/ISSUE_TEMPLATE";
/// The path of the issue form.
pub const FORM_PATH: &str = ".github/ISSUE_TEMPLATE/new-game.yml";
/// The path of the issue form that links of boards fill in.
pub const LINK_FORM_PATH: &str = ".github/ISSUE_TEMPLATE/board-link.yml";
/// The paths of the settings of the issue forms.
pub const CONFIG_PATHS: [&str; 2] = [".github/ISSUE_TEMPLATE/config.yml", ".github/ISSUE_TEMPLATE/config.yaml"];

/// The value of `uses:` in the templates, with its comment.
pub const ACTION_REFERENCE: &str =
    "play-by-commit/play-by-commit@v1 # zizmor: ignore[unpinned-uses] `init --version SHA` pins a commit.";
/// The line of [`WORKFLOW`] that GitHub Enterprise Server doesn't support.
pub const QUEUE_LINE: &str = "      queue: max # Leave this line out on GitHub Enterprise Server.\n";
/// The site template's line of the workflows whose end starts it.
pub const AWAITED_WORKFLOWS: &str = "workflows: [Play by Commit, 'Play by Commit, daily']";
/// The template's line with the runner. This runner has no Rust.
pub const RUNNER_LINE: &str = "    runs-on: ubuntu-slim\n";
/// The template's line with the time limit. It is too short to build the program from source.
pub const TIMEOUT_LINE: &str = "    timeout-minutes: 10\n";
/// A runner that can build the program from source.
pub const BUILD_RUNNER: &str = "ubuntu-latest";
/// The time limit of a job that builds the program from source, in minutes.
pub const BUILD_MINUTES: u32 = 20;
/// The value of `runs-on:` on GitHub Enterprise Server.
pub const SELF_HOSTED_RUNNER: &str = "self-hosted # Use the label of your own Linux runner.";

/// The two workflows of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkflowKind {
    /// The one that comments and issues start.
    Play,
    /// The one that a schedule starts.
    Daily,
}

impl WorkflowKind {
    /// Returns the template of the workflow.
    pub fn template(self) -> &'static str {
        match self {
            WorkflowKind::Play => WORKFLOW,
            WorkflowKind::Daily => DAILY_WORKFLOW,
        }
    }
}

/// Whether the settings of the issue forms disable issues without a form; false if they aren't valid YAML.
pub fn disables_blank_issues(settings: &str) -> bool {
    let root = parse_yaml(settings).ok();
    let set = root.as_ref().and_then(|root| root.text_at("blank_issues_enabled"));
    set.is_some_and(|set| set.eq_ignore_ascii_case("false"))
}

/// A host's choices for the workflows of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkflowChoices {
    /// The version of the action, a tag or a commit; `None` for this program's own.
    pub version: Option<String>,
    /// Whether the repository is on GitHub Enterprise Server.
    pub enterprise: bool,
    /// The inputs of the action, with valid values.
    pub inputs: Vec<(String, String)>,
    /// The settings in the repository's settings file, which aren't inputs of the workflow.
    pub file: FileSettings,
}

impl WorkflowChoices {
    /// Returns a requested input, or else the setting in the file.
    pub fn value(&self, name: &str) -> Option<&str> {
        let input = self.inputs.iter().find(|(requested, _)| requested == name).map(|(_, value)| value.as_str());
        input.or_else(|| self.file.get(name))
    }

    /// Whether an input has a requested value.
    pub fn has_input(&self, name: &str) -> bool {
        self.inputs.iter().any(|(requested, _)| requested == name)
    }
}

/// A host's choices for the workflow that publishes the website.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteChoices {
    /// The version of the action, with its comment; `None` for this program's own.
    pub version: Option<String>,
    /// The names of the workflows of games.
    pub game_workflow_names: Vec<String>,
    /// The games' branch; `None` for the default branch.
    pub branch: Option<String>,
    /// The directory of the records.
    pub state_dir: String,
    /// Other inputs of the action, with their values as YAML.
    pub inputs: Vec<(String, String)>,
}

/// Returns the tag of this program's release; `None` if it was built from source.
pub fn release_tag() -> Option<&'static str> {
    // The release build sets the tag. It can't set the commit, which contains the checksum of this program. The tag of an
    // immutable release is just as fixed.
    option_env!("PLAY_BY_COMMIT_RELEASE").filter(|release| !release.is_empty())
}

/// Returns the value of `uses:` for a version, which may have a comment.
pub fn uses_value(version: &str) -> String {
    let with_tag = |tag: &str| ACTION_REFERENCE.replace("@v1", &format!("@{tag}"));
    match ActionVersion::from_version(version) {
        ActionVersion::Tag(tag, _) => with_tag(&tag),
        _ => format!("{ACTION}@{version}"),
    }
}

/// Returns a new workflow of games, with these choices.
pub fn game_workflow(kind: WorkflowKind, choices: &WorkflowChoices) -> String {
    let version = choices.version.as_deref().or(release_tag());
    let is_from_source = version.is_none_or(|version| ActionVersion::from_version(version).is_built_from_source());
    let mut text = kind.template().replace(ACTION_REFERENCE, &uses_value(version.unwrap_or("v1")));
    if is_from_source {
        text = text.replace(RUNNER_LINE, &format!("    runs-on: {BUILD_RUNNER}\n"));
        text = text.replace(TIMEOUT_LINE, &format!("    timeout-minutes: {BUILD_MINUTES}\n"));
    }
    if choices.enterprise {
        text = for_enterprise_server(&text);
    }
    if let Some(labels) = choices.value("only-labels") {
        text = with_labels(&text, labels).unwrap_or(text);
    }
    // Both templates end inside `with:`.
    for (name, value) in &choices.inputs {
        text.push_str(&format!("          {name}: {}\n", to_scalar(value)));
    }
    text
}

/// Returns a workflow that also starts when an issue gets a label, and, besides tables, only in issues with one of these labels;
/// `None` if its conditions aren't those of the template.
pub fn with_labels(workflow: &str, labels: &str) -> Option<String> {
    let labels = labels.split(',').map(str::trim).filter(|label| !label.is_empty());
    let has = |label: &str| format!("contains(github.event.issue.labels.*.name, '{label}')");
    let labels: Vec<String> = labels.map(has).collect();
    if labels.is_empty() {
        return Some(workflow.to_owned());
    }
    let line = format!("        ({}) && (\n", labels.join(" || "));
    let (before, after) = workflow.split_once(TABLE_CONDITION)?;
    let after = if after.starts_with(LABEL_CONDITION) {
        after.split_once('\n')?.1.to_owned()
    } else {
        let (inside, rest) = after.split_once(END_OF_CONDITIONS)?;
        format!("{inside}\n        ){END_OF_CONDITIONS}{rest}")
    };
    let text = format!("{before}{TABLE_CONDITION}{line}{after}");
    Some(text.replacen("    types: [opened]\n", "    types: [opened, labeled]\n", 1))
}

/// Whether the label of a runner is one of GitHub's own.
pub fn is_hosted_runner(label: &str) -> bool {
    ["ubuntu-", "windows-", "macos-"].iter().any(|system| label.starts_with(system))
}

/// Returns the workflow for GitHub Enterprise Server: without `queue: max`, and on a self-hosted runner.
pub fn for_enterprise_server(workflow: &str) -> String {
    let is_hosted = |line: &&str| line.trim().strip_prefix("runs-on: ").is_some_and(is_hosted_runner);
    let lines = workflow.lines().filter(|line| !line.trim().starts_with("queue: max"));
    lines
        .map(|line| if is_hosted(&line) { format!("    runs-on: {SELF_HOSTED_RUNNER}\n") } else { format!("{line}\n") })
        .collect()
}

/// Returns the line of the workflows whose end starts the one for the website.
pub fn awaited_workflows(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| to_flow_item(name)).collect();
    format!("workflows: [{}]", names.join(", "))
}

/// Returns the workflow that publishes the website, with these choices.
pub fn site_workflow(choices: &SiteChoices) -> String {
    let version = choices.version.as_deref().or(release_tag()).unwrap_or("v1");
    let mut text = SITE_WORKFLOW.replace(ACTION_REFERENCE, &uses_value(version));
    text = text.replace(AWAITED_WORKFLOWS, &awaited_workflows(&choices.game_workflow_names));
    let mut inputs = String::new();
    if choices.state_dir != "state" {
        inputs.push_str(&format!("          state-dir: {}\n", to_scalar(&choices.state_dir)));
        text = text.replace("state/**", &format!("{}/**", choices.state_dir));
    }
    for (name, value) in &choices.inputs {
        inputs.push_str(&format!("          {name}: {value}\n"));
    }
    text = text.replace("          site: site\n", &format!("          site: site\n{inputs}"));
    if let Some(branch) = &choices.branch {
        let default_branch = "${{ github.event.repository.default_branch }}";
        text = text.replace(&format!("ref: {default_branch}"), &format!("ref: {}", to_scalar(branch)));
        text = text.replace(
            "github.ref_name == github.event.repository.default_branch",
            &format!("github.ref_name == '{branch}'"),
        );
    }
    text
}

/// Returns an issue form that gives its issues this label, too.
pub fn with_label(form: &str, label: &str) -> String {
    let item = to_flow_item(label);
    let has_item = |line: &str| line.trim_end_matches(']').split(", ").any(|one| one == item);
    let labels = form.lines().find(|line| line.starts_with(FORM_LABELS)).filter(|line| !has_item(line));
    let Some(labels) = labels else { return form.to_owned() };
    form.replacen(labels, &labels.replacen(FORM_LABELS, &format!("{FORM_LABELS}, {item}"), 1), 1)
}

/// Returns the issue form that links of boards fill in, with this label.
pub fn link_form(label: &str) -> String {
    with_label(LINK_FORM, label)
}

/// Returns the issue form that offers these games; all of them if the list is empty.
pub fn issue_form(games: &[GameKind]) -> String {
    let games = if games.is_empty() { GameKind::ALL } else { games };
    let games: String = games.iter().map(|kind| format!("        - {}\n", kind.info().name)).collect();
    FORM.replace("        - GAMES\n", &games)
}
