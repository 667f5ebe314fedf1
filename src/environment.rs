//! The environment of a run: the variables of the runner
//! ([reference](https://docs.github.com/en/actions/reference/workflows-and-actions/variables#default-environment-variables)),
//! and the inputs of the action.

use std::env;

use anyhow::{Context, Result};
use github::Settings;
use protocol::inputs::{parse_repo_config, parse_state_dir};
use protocol::repo_config::{RepoConfig, WebRepo};
use table::dice::{Secret, parse_secret};

/// The options of a dry run from a command line, where there may be no event.
#[derive(Clone, Debug, Default)]
pub struct DryRunOptions {
    /// `OWNER/NAME`.
    pub repository: Option<String>,
    /// The issue to look at.
    pub issue: Option<u64>,
    /// The login of the bot, if the token is somebody else's.
    pub bot_login: Option<String>,
}

impl DryRunOptions {
    /// Returns the options to look at a repository.
    pub(crate) fn for_repository(repository: String) -> DryRunOptions {
        DryRunOptions { repository: Some(repository), ..DryRunOptions::default() }
    }
}

/// Reads the settings from the runner and the action's inputs, or in their place from the options of a dry run.
///
/// # Errors
/// Returns an error that names what is missing, or the input that has a value it can't have.
pub(crate) fn read_settings(dry_run: Option<&DryRunOptions>) -> Result<(Settings, RepoConfig)> {
    let (repository, wrong) = match dry_run.and_then(|options| options.repository.clone()) {
        Some(repository) => (repository, "write the repository as OWNER/NAME, such as `octo/games`"),
        None => (required_variable("GITHUB_REPOSITORY")?, "GITHUB_REPOSITORY isn't OWNER/NAME"),
    };
    let (owner, name) = repository.split_once('/').context(wrong)?;
    let token = match dry_run {
        Some(_) => ["GITHUB_TOKEN", "GH_TOKEN"].into_iter().find_map(variable),
        None => None,
    };
    let token = input("TOKEN").or(token).context(match dry_run {
        Some(_) => "there is no token. Set GITHUB_TOKEN, for example with GITHUB_TOKEN=$(gh auth token)",
        None => "the input `token` is empty. Leave it out to use the workflow's own token, or set it to another one",
    })?;
    let api_url = variable("GITHUB_API_URL").unwrap_or_else(|| "https://api.github.com".to_owned());
    let graphql_url = variable("GITHUB_GRAPHQL_URL").unwrap_or_else(|| format!("{api_url}/graphql"));
    let server = variable("GITHUB_SERVER_URL").unwrap_or_else(|| "https://github.com".to_owned());
    let web = WebRepo { server: server.trim_end_matches('/').to_owned(), repository: repository.clone(), branch: None };
    let place = parse_repo_config(input, web)?;
    let settings = Settings {
        token,
        api_url,
        graphql_url,
        owner: owner.to_owned(),
        name: name.to_owned(),
        branch: place.web.as_ref().and_then(|web| web.branch.clone()),
        state_dir: place.state_dir.clone(),
        timeout: Settings::DEFAULT_TIMEOUT,
    };
    Ok((settings, place))
}

/// Returns the directory of the records, as the input says.
///
/// # Errors
/// Returns an error if the path isn't plain.
pub(crate) fn state_dir() -> Result<String> {
    parse_state_dir(input("STATE_DIR"))
}

/// Returns the secret that makes dice provable; `None` if the host has set none.
///
/// # Errors
/// Returns an error if the secret could be guessed.
pub(crate) fn dice_secret() -> Result<Option<Secret>> {
    input("DICE_SECRET").map(|text| parse_secret(&text)).transpose().map_err(anyhow::Error::msg)
}

/// Returns a variable of the runner that a run cannot do without.
pub(crate) fn required_variable(name: &str) -> Result<String> {
    variable(name).with_context(|| {
        format!(
            "{name} isn't set: `run` only works as a workflow step. To play in a terminal, run `play-by-commit play \
             tic-tac-toe`"
        )
    })
}

/// Returns an input of the action, handed on as an environment variable; `None` if it is empty.
pub(crate) fn input(name: &str) -> Option<String> {
    variable(&format!("PLAY_BY_COMMIT_{name}"))
}

/// Returns an environment variable; `None` if it is empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}
