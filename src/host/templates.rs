//! The files that this program writes into the repository of a host: the workflow and the issue form.

use crate::games::registry::Kind;
use crate::host::yaml::parse_yaml;

/// The workflow as README.md shows it.
pub const WORKFLOW: &str = include_str!("play.yml");
/// The workflow that puts the gallery up.
pub const SITE_WORKFLOW: &str = include_str!("site.yml");
/// Its path.
pub const SITE_PATH: &str = ".github/workflows/site.yml";
/// The usual path of the workflow.
pub const WORKFLOW_PATH: &str = ".github/workflows/play.yml";
/// The path of the issue form.
pub const FORM_PATH: &str = ".github/ISSUE_TEMPLATE/new-game.yml";
/// The paths of the settings of the issue forms.
pub const CONFIG_PATHS: [&str; 2] = [".github/ISSUE_TEMPLATE/config.yml", ".github/ISSUE_TEMPLATE/config.yaml"];

/// The action, without its version.
const ACTION: &str = "play-by-commit/play-by-commit";
/// The end of the template's line with the action, which a version replaces.
pub const USES: &str = "play-by-commit/play-by-commit@v1";
/// The line of the template that an Enterprise Server cannot have.
pub const QUEUE: &str = "      queue: max # Leave this line out on GitHub Enterprise Server.\n";
/// The end of the template's line with the runner, which an Enterprise Server has to replace.
pub const RUNNER: &str = "runs-on: ubuntu-slim\n";
const OWN_RUNNER: &str = "runs-on: self-hosted # The label of a Linux runner of yours: an Enterprise Server has none of \
                          its own.\n";

/// Returns the name of a server: `github.com` of `https://github.com/`.
pub fn server_name(server: &str) -> &str {
    let host = server.split_once("://").map_or(server, |(_, rest)| rest);
    host.split(['/', ':']).next().unwrap_or_default()
}

/// Tests if a server of this name is a GitHub Enterprise Server, or anything else that is not run by GitHub itself.
pub fn is_enterprise_server(name: &str) -> bool {
    name != "github.com" && !name.ends_with(".ghe.com")
}

/// Tests if the settings of the issue forms close issues without a form; false if they are not YAML.
pub fn closes_blank_issues(settings: &str) -> bool {
    let root = parse_yaml(settings).ok();
    let set = root.as_ref().and_then(|root| root.at("blank_issues_enabled")?.text());
    set.is_some_and(|set| set.eq_ignore_ascii_case("false"))
}

/// The choices of a host for the workflow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The version of the action: a tag or a commit, which may have a note behind it. `None`: that of this program.
    pub version: Option<String>,
    /// Whether it is for a GitHub Enterprise Server.
    pub enterprise: bool,
    /// The inputs of the action and their values, which have been checked.
    pub inputs: Vec<(String, String)>,
}

/// Returns the tag of the release that this program is of; `None` for one that somebody has built from source.
pub fn release() -> Option<&'static str> {
    // A release is told at build time which tag it will have. Its commit holds the checksum of this very program, so that is
    // for nobody to know yet; a tag of an immutable release is as fixed.
    option_env!("PLAY_BY_COMMIT_RELEASE").filter(|release| !release.is_empty())
}

/// Returns the workflow for these choices.
pub fn workflow(choices: &Choices) -> String {
    let version = choices.version.as_deref().or(release()).unwrap_or("v1");
    let mut text = WORKFLOW.replace(USES, &format!("{ACTION}@{version}"));
    if choices.enterprise {
        text = text.replace(QUEUE, "").replace(RUNNER, OWN_RUNNER);
    }
    // The template ends with the first inputs.
    for (name, value) in &choices.inputs {
        text.push_str(&format!("          {name}: {}\n", scalar(value)));
    }
    text
}

/// Returns the workflow that puts the gallery up, for these choices: the branch and the directory of the games are those of the
/// workflow that plays.
pub fn site_workflow(choices: &Choices) -> String {
    let version = choices.version.as_deref().or(release()).unwrap_or("v1");
    let chosen = |wanted: &str| choices.inputs.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let mut text = SITE_WORKFLOW.replace(USES, &format!("{ACTION}@{version}"));
    if let Some(dir) = chosen("state-dir").filter(|dir| *dir != "state") {
        let input = format!("          site: site\n          state-dir: {}\n", scalar(dir));
        text = text.replace("          site: site\n", &input);
        text = text.replace("state/**", &format!("{}/**", dir.replace('\'', "''")));
    }
    if let Some(branch) = chosen("branch") {
        let own = "${{ github.event.repository.default_branch }}";
        text = text.replace(&format!("ref: {own}"), &format!("ref: {}", scalar(branch)));
        let name = branch.replace('\'', "''");
        text = text.replace(
            "github.ref_name == github.event.repository.default_branch",
            &format!("github.ref_name == '{name}'"),
        );
    }
    if choices.enterprise {
        text = text.replace("runs-on: ubuntu-latest\n", OWN_RUNNER);
    }
    text
}

/// Returns the issue form, which offers every game.
pub fn form() -> String {
    let games: String = Kind::ALL.iter().map(|kind| format!("        - {}\n", kind.info().name)).collect();
    format!(
        "name: New game\n\
         description: Open a table. The issue becomes the board, and every comment can be a move.\n\
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
               description: A login, or `computer`. Leave it empty and the other seat is open to anyone.\n      \
               placeholder: \"@bob\"\n    \
             validations:\n      \
               required: false\n  \
           - type: input\n    \
             id: options\n    \
             attributes:\n      \
               label: Options\n      \
               description: Leave it empty for the usual game. A comment that says `/help` lists what can be chosen.\n      \
               placeholder: size=4\n    \
             validations:\n      \
               required: false\n"
    )
}

/// Writes a value as YAML that is read as this very text: in quotes when it could be read as a number, a boolean or nothing.
fn scalar(value: &str) -> String {
    let word = value.to_ascii_lowercase();
    let odd = matches!(word.as_str(), "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ',' | ' ' | '+');
    let safe = value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.chars().all(plain) && !odd;
    if safe { value.to_owned() } else { format!("'{}'", value.replace('\'', "''")) }
}
