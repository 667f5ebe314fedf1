//! The files that this program writes into the repository of a host: the workflows and the issue form.

use games::registry::GameKind;

use crate::action_version::{ACTION, ActionVersion};
use crate::yaml::parse_yaml;
use crate::yaml_text::{to_flow_item, to_scalar};

/// The workflow as README.md shows it.
pub const WORKFLOW: &str = include_str!("play.yml");
/// The workflow that puts the gallery up.
pub const SITE_WORKFLOW: &str = include_str!("site.yml");
/// Its usual path.
pub const SITE_WORKFLOW_PATH: &str = ".github/workflows/site.yml";
/// The usual path of the workflow.
pub const WORKFLOW_PATH: &str = ".github/workflows/play.yml";
/// The path of the issue form.
pub const FORM_PATH: &str = ".github/ISSUE_TEMPLATE/new-game.yml";
/// The paths of the settings of the issue forms.
pub const CONFIG_PATHS: [&str; 2] = [".github/ISSUE_TEMPLATE/config.yml", ".github/ISSUE_TEMPLATE/config.yaml"];

/// The end of the templates' lines with the action, which a version replaces.
pub const ACTION_REFERENCE: &str =
    "play-by-commit/play-by-commit@v1 # zizmor: ignore[unpinned-uses] `init --version SHA` pins a commit.";
/// The line of the template that an Enterprise Server cannot have.
pub const QUEUE_LINE: &str = "      queue: max # Leave this line out on GitHub Enterprise Server.\n";
/// The template's line with the runner, which has no Rust.
pub const RUNNER_LINE: &str = "    runs-on: ubuntu-slim\n";
/// The template's line with the time limit, which is too short for building the program.
pub const TIMEOUT_LINE: &str = "    timeout-minutes: 10\n";
/// A runner that can build the program, and the minutes that it may take.
pub const BUILD_RUNNER: &str = "ubuntu-latest";
/// The time limit of a job that may have to build the program, in minutes.
pub const BUILD_MINUTES: u32 = 20;
/// The value of `runs-on:` on an Enterprise Server.
pub const SELF_HOSTED_RUNNER: &str = "self-hosted # Use the label of your own Linux runner.";

/// Tests if the settings of the issue forms close issues without a form; false if they are not YAML.
pub fn disables_blank_issues(settings: &str) -> bool {
    let root = parse_yaml(settings).ok();
    let set = root.as_ref().and_then(|root| root.get("blank_issues_enabled")?.as_str());
    set.is_some_and(|set| set.eq_ignore_ascii_case("false"))
}

/// The choices of a host for the workflow that plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkflowChoices {
    /// The version of the action: a tag or a commit. `None`: that of this program.
    pub version: Option<String>,
    /// Whether it is for a GitHub Enterprise Server.
    pub enterprise: bool,
    /// The inputs of the action and their values, which have been checked.
    pub inputs: Vec<(String, String)>,
}

/// The choices of a host for the workflow that puts the gallery up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteChoices {
    /// The version of the action, with its comment; `None` for this program's own.
    pub version: Option<String>,
    /// The name of the workflow that plays.
    pub play_workflow_name: String,
    /// The branch of the games; `None` for the default branch.
    pub branch: Option<String>,
    /// The directory of the games.
    pub state_dir: String,
    /// Other inputs of the action, as the file writes them.
    pub inputs: Vec<(String, String)>,
}

/// Returns the tag of the release that this program is of; `None` for one that somebody has built from source.
pub fn release_tag() -> Option<&'static str> {
    // A release is told at build time which tag it will have. Its commit holds the checksum of this very program, so that is
    // for nobody to know yet; a tag of an immutable release is as fixed.
    option_env!("PLAY_BY_COMMIT_RELEASE").filter(|release| !release.is_empty())
}

/// Returns the value of `uses:` for a version, which may include a comment.
pub fn uses_value(version: &str) -> String {
    let usual = |tag: &str| ACTION_REFERENCE.replace("@v1", &format!("@{tag}"));
    match ActionVersion::from_version(version) {
        ActionVersion::Tag(tag, _) => usual(&tag),
        _ => format!("{ACTION}@{version}"),
    }
}

/// Returns the workflow for these choices, for a repository that has none.
pub fn workflow(choices: &WorkflowChoices) -> String {
    let version = choices.version.as_deref().or(release_tag());
    let from_source = version.is_none_or(|version| ActionVersion::from_version(version).is_built_from_source());
    let mut text = WORKFLOW.replace(ACTION_REFERENCE, &uses_value(version.unwrap_or("v1")));
    if from_source {
        text = text.replace(RUNNER_LINE, &format!("    runs-on: {BUILD_RUNNER}\n"));
        text = text.replace(TIMEOUT_LINE, &format!("    timeout-minutes: {BUILD_MINUTES}\n"));
    }
    if choices.enterprise {
        text = for_enterprise_server(&text);
    }
    // The template ends with the first inputs.
    for (name, value) in &choices.inputs {
        text.push_str(&format!("          {name}: {}\n", to_scalar(value)));
    }
    text
}

/// Returns the workflow without what an Enterprise Server doesn't know, and with a runner of its own.
pub fn for_enterprise_server(workflow: &str) -> String {
    let hosted = |line: &&str| {
        let label = line.trim().strip_prefix("runs-on: ");
        label.is_some_and(|label| ["ubuntu-", "windows-", "macos-"].iter().any(|system| label.starts_with(system)))
    };
    let lines = workflow.lines().filter(|line| !line.trim().starts_with("queue: max"));
    lines
        .map(|line| if hosted(&line) { format!("    runs-on: {SELF_HOSTED_RUNNER}\n") } else { format!("{line}\n") })
        .collect()
}

/// Returns the workflow that puts the gallery up, for these choices.
pub fn site_workflow(choices: &SiteChoices) -> String {
    let version = choices.version.as_deref().or(release_tag()).unwrap_or("v1");
    let mut text = SITE_WORKFLOW.replace(ACTION_REFERENCE, &uses_value(version));
    text = text
        .replace("workflows: [Play by Commit]", &format!("workflows: [{}]", to_flow_item(&choices.play_workflow_name)));
    let mut inputs = String::new();
    if choices.state_dir != "state" {
        inputs.push_str(&format!("          state-dir: {}\n", to_scalar(&choices.state_dir)));
        text = text.replace("state/**", &format!("{}/**", choices.state_dir));
    }
    choices.inputs.iter().for_each(|(name, value)| inputs.push_str(&format!("          {name}: {value}\n")));
    text = text.replace("          site: site\n", &format!("          site: site\n{inputs}"));
    if let Some(branch) = &choices.branch {
        let own = "${{ github.event.repository.default_branch }}";
        text = text.replace(&format!("ref: {own}"), &format!("ref: {}", to_scalar(branch)));
        text = text.replace(
            "github.ref_name == github.event.repository.default_branch",
            &format!("github.ref_name == '{branch}'"),
        );
    }
    text
}

/// Returns the issue form with these games; an empty list means all of them.
pub fn issue_form(games: &[GameKind]) -> String {
    let games = if games.is_empty() { GameKind::ALL } else { games };
    let games: String = games.iter().map(|kind| format!("        - {}\n", kind.info().name)).collect();
    format!(
        "name: New game\n\
         description: Start a game. The issue becomes the board, and each comment can be a move.\n\
         title: \"A game of ...\"\n\
         labels: [play-by-commit]\n\
         body:\n  \
           - type: dropdown\n    \
             id: game\n    \
             attributes:\n      \
               label: Game\n      \
               options:\n\
         {games}      \
               default: 0\n    \
             validations:\n      \
               required: true\n  \
           - type: input\n    \
             id: opponent\n    \
             attributes:\n      \
               label: Opponent\n      \
               description: A GitHub username, or `computer`. Leave blank and anyone can join.\n      \
               placeholder: \"@bob\"\n    \
             validations:\n      \
               required: false\n  \
           - type: input\n    \
             id: options\n    \
             attributes:\n      \
               label: Options\n      \
               description: Leave blank for the standard game. Comment `/help` to see the options.\n      \
               placeholder: size=4\n    \
             validations:\n      \
               required: false\n"
    )
}
