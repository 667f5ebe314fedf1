//! The environment of a run: the inputs of the action, and the runner's
//! [default variables](https://docs.github.com/en/actions/reference/workflows-and-actions/variables#default-environment-variables).

use std::env;

use anyhow::{Context, Result};
use github::Settings;
use protocol::inputs::{parse_repo_config, parse_state_dir};
use protocol::repo_config::{RepoConfig, WebRepo};
use table::dice::{Secret, parse_secret};

/// The options of commands that read GitHub from the command line, without an event.
#[derive(Clone, Debug, Default)]
pub struct DryRunOptions {
    /// The repository: `OWNER/NAME`.
    pub repository: Option<String>,
    /// The issue to look at.
    pub issue: Option<u64>,
    /// The bot's login, if the token isn't the bot's.
    pub bot_login: Option<String>,
}

impl DryRunOptions {
    /// Returns options that name only a repository.
    pub(crate) fn for_repository(repository: String) -> DryRunOptions {
        DryRunOptions { repository: Some(repository), ..DryRunOptions::default() }
    }
}

/// Reads the settings from the action's inputs and the runner's variables. The options of a dry run take precedence.
///
/// # Errors
/// Returns an error that names the missing variable or the invalid input.
pub(crate) fn read_settings(dry_run: Option<&DryRunOptions>) -> Result<(Settings, RepoConfig)> {
    let (repository, message) = match dry_run.and_then(|options| options.repository.clone()) {
        Some(repository) => (repository, "write the repository as OWNER/NAME, such as `octo/games`"),
        None => (required_variable("GITHUB_REPOSITORY")?, "GITHUB_REPOSITORY isn't OWNER/NAME"),
    };
    let (owner, name) = repository.split_once('/').context(message)?;
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
    let config = parse_repo_config(input, web)?;
    let settings = Settings {
        token,
        api_url,
        graphql_url,
        owner: owner.to_owned(),
        name: name.to_owned(),
        branch: config.web.as_ref().and_then(|web| web.branch.clone()),
        state_dir: config.state_dir.clone(),
        timeout: Settings::DEFAULT_TIMEOUT,
    };
    Ok((settings, config))
}

/// Returns the directory of the records from the input `state-dir`.
///
/// # Errors
/// Returns an error if the input isn't a plain relative path.
pub(crate) fn state_dir() -> Result<String> {
    parse_state_dir(input("STATE_DIR"))
}

/// Returns the secret that makes dice verifiable; `None` if the host hasn't set one.
///
/// # Errors
/// Returns an error if the secret is too short.
pub(crate) fn dice_secret() -> Result<Option<Secret>> {
    input("DICE_SECRET").map(|text| parse_secret(&text)).transpose().map_err(anyhow::Error::msg)
}

/// Returns a variable of the runner, or an error if it isn't set.
pub(crate) fn required_variable(name: &str) -> Result<String> {
    variable(name).with_context(|| {
        format!(
            "{name} isn't set: `run` only works as a workflow step. To play in a terminal, run `play-by-commit play \
             tic-tac-toe`"
        )
    })
}

/// Returns an input of the action, which `action.yml` passes on as an environment variable; `None` if it is empty.
pub(crate) fn input(name: &str) -> Option<String> {
    variable(&format!("PLAY_BY_COMMIT_{name}"))
}

/// Returns an environment variable; `None` if it is empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}
