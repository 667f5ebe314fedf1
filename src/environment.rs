//! The environment of a run: the inputs of the action, and the runner's
//! [default variables](https://docs.github.com/en/actions/reference/workflows-and-actions/variables#default-environment-variables).

use std::env;
use std::path::Path;

use crate::host_error::host_error;
use anyhow::{Context, Result};
use git::{Remote, WorkTree, parse_remote};
use github::{GitHub, Server, Settings, graphql_url};
use protocol::{HostError, RepoConfig, RequestError, SettingsFile, WebRepo};
use setup::{parse_repo_config, parse_state_dir, repo_config_with_file};
use table::IssueNumber;

/// The options of a dry run.
#[derive(Clone, Debug, Default)]
pub struct DryRunOptions {
    /// The repository: `OWNER/NAME`, `HOST/OWNER/NAME` or a URL. `None` in a workflow.
    pub repository: Option<String>,
    /// The issue to look at.
    pub issue: Option<IssueNumber>,
    /// The bot's login, if the token isn't the bot's.
    pub bot_login: Option<String>,
}

/// Parses the option `--repository`: `OWNER/NAME` on github.com, or a URL.
pub(super) fn parse_repository(text: &str) -> Result<Remote> {
    let url = if text.contains(':') { text.to_owned() } else { format!("https://github.com/{text}") };
    parse_remote(&url).with_context(|| format!("{text} isn't a repository: write OWNER/NAME, or its address"))
}

/// Reads the settings of a workflow run from the action's inputs and the runner's variables.
///
/// # Errors
/// Returns an error that names the missing variable or the invalid input.
pub(crate) fn workflow_settings() -> Result<(Settings, RepoConfig)> {
    let repository = required_variable("GITHUB_REPOSITORY")?;
    let (owner, name) = repository.split_once('/').context("GITHUB_REPOSITORY isn't OWNER/NAME")?;
    let token = input("TOKEN").context(
        "the input `token` is empty. Leave it out to use the workflow's own token, or set it to another one",
    )?;
    let api_url = variable("GITHUB_API_URL").unwrap_or_else(|| "https://api.github.com".to_owned());
    let graphql_url = variable("GITHUB_GRAPHQL_URL").unwrap_or_else(|| graphql_url(&api_url));
    let url = variable("GITHUB_SERVER_URL").unwrap_or_else(|| "https://github.com".to_owned());
    settings(&Server { url, api_url, graphql_url }, token, [owner, name], input)
}

/// Reads the settings of the repository that the command line names, or of the workflow run. Either way, the inputs come
/// from the environment.
///
/// # Errors
/// Returns an error in the same cases as [`workflow_settings`] and [`named_settings`].
pub(crate) fn command_settings(repository: Option<&str>) -> Result<(Settings, RepoConfig)> {
    repository.map_or_else(workflow_settings, |repository| named_settings(repository, input))
}

/// Reads the settings of a repository that the command line names. `input` returns an input by its name in capitals.
///
/// # Errors
/// Returns an error if the name or an input is invalid, or if there is no token for the repository's server.
pub(crate) fn named_settings(
    repository: &str,
    input: impl Fn(&str) -> Option<String>,
) -> Result<(Settings, RepoConfig)> {
    let (server, repository) = find_server(repository)?;
    let (owner, name) = repository.split_once('/').unwrap_or_default();
    let [first, second] = server.token_variables();
    let token = variable(first).or_else(|| variable(second)).with_context(|| {
        let (host, name) = (server.host(), if second == "GITHUB_TOKEN" { second } else { first });
        let for_host = if second == "GITHUB_TOKEN" { String::new() } else { format!(" --hostname {host}") };
        format!("there is no token for {host}. Set {name}, for example with {name}=$(gh auth token{for_host})")
    })?;
    settings(&server, token, [owner, name], input)
}

/// Finds the server of a repository that the command line names, and returns it with `OWNER/NAME`.
///
/// A name without a host is on the server of GITHUB_API_URL, else on that of the clone in the current directory, else on
/// github.com.
fn find_server(repository: &str) -> Result<(Server, String)> {
    let wrap = |error: RequestError| host_error(&error);
    let message = "write the repository as OWNER/NAME, such as `octo/games`, or as a URL";
    if repository.contains(':') || repository.split('/').count() > 2 {
        let url = if repository.contains(':') { repository.to_owned() } else { format!("https://{repository}") };
        let remote = parse_remote(&url).context(message)?;
        return Ok((Server::at(&remote.server).map_err(wrap)?, remote.repository));
    }
    let remote = parse_remote(&format!("https://github.com/{repository}")).context(message)?;
    let repository = remote.repository;
    if let Some(api_url) = variable("GITHUB_API_URL") {
        let mut server = Server::with_api(&api_url).map_err(wrap)?;
        server.url = variable("GITHUB_SERVER_URL").map_or(server.url, |url| url.trim_end_matches('/').to_owned());
        return Ok((server, repository));
    }
    let origin = WorkTree::open(Path::new(".")).ok().and_then(|tree| tree.remote());
    let url = origin.as_ref().map_or("https://github.com", |remote| &remote.server);
    Ok((Server::at(url).map_err(wrap)?, repository))
}

fn settings(
    server: &Server,
    token: String,
    [owner, name]: [&str; 2],
    input: impl Fn(&str) -> Option<String>,
) -> Result<(Settings, RepoConfig)> {
    let url = server.url.trim_end_matches('/').to_owned();
    let config =
        parse_repo_config(input, WebRepo { server: url, repository: format!("{owner}/{name}"), branch: None })?;
    Ok((Settings::new(server, token, [owner, name]).for_config(&config), config))
}

/// The settings of a run: those of the environment until the first read shows the repository's settings file.
pub(crate) struct RunSettings<I> {
    settings: Settings,
    web: Option<WebRepo>,
    input: I,
}

impl<I: Fn(&str) -> Option<String>> RunSettings<I> {
    /// Returns the settings of a run. `input` returns an input by its name in capitals.
    pub(crate) fn new((settings, config): (Settings, RepoConfig), input: I) -> RunSettings<I> {
        RunSettings { settings, web: config.web, input }
    }

    /// Returns the repository's settings with this file.
    pub(crate) fn config(&self, file: Option<&SettingsFile>) -> Result<RepoConfig, HostError> {
        let web =
            self.web.clone().unwrap_or(WebRepo { server: String::new(), repository: String::new(), branch: None });
        let config = repo_config_with_file(file, &self.input, WebRepo { branch: None, ..web });
        config.map_err(|error| HostError::new(error.to_string()))
    }

    /// Returns a forge for these settings.
    pub(crate) fn forge(&self, config: &RepoConfig) -> Result<Box<GitHub>, RequestError> {
        GitHub::new(self.settings.clone().for_config(config)).map(Box::new)
    }
}

/// Returns the directory of the records from the input `state-dir`.
///
/// # Errors
/// Returns an error if the input isn't a plain relative path.
pub(crate) fn state_dir() -> Result<String> {
    parse_state_dir(input("STATE_DIR"))
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
