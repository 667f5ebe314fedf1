//! The inputs of the action and the variables of the runner
//! ([reference](https://docs.github.com/en/actions/reference/workflows-and-actions/variables#default-environment-variables)).

use std::env;

use anyhow::{Context, Result, bail};

use crate::decisions::house::{HouseRules, OpeningPolicy};
use crate::forges::github::Settings;
use crate::games::registry::Kind;
use crate::host::templates::server_name;
use crate::protocol::place::{Place, Web};
use crate::tables::dice::{Secret, secret};

/// The number of pages that are kept current.
const MAX_PAGES: usize = 4;

/// The options of a dry run from a command line, where there may be no event.
#[derive(Clone, Debug, Default)]
pub struct DryRunOptions {
    /// `OWNER/NAME`.
    pub repository: Option<String>,
    /// The issue to look at.
    pub issue: Option<u64>,
    /// The login of the bot, if the token is somebody else's.
    pub own: Option<String>,
}

/// Reads the settings from the runner and the action's inputs, or in their place from the options of a dry run.
pub(crate) fn settings(dry_run: Option<&DryRunOptions>) -> Result<(Settings, Place)> {
    let (repository, wrong) = match dry_run.and_then(|options| options.repository.clone()) {
        Some(repository) => (repository, "write the repository as OWNER/NAME, such as `octo/games`"),
        None => (required("GITHUB_REPOSITORY")?, "GITHUB_REPOSITORY isn't OWNER/NAME"),
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
    let state_dir = parse_state_dir(input("STATE_DIR"))?;
    let days = parse_days(input("SWEEP_DAYS"))?;
    let branch = parse_branch(input("BRANCH"))?;
    let place = Place {
        house: HouseRules {
            games: parse_games(input("GAMES"))?,
            tables: parse_tables(input("TABLES").as_deref())?,
            dice: dice_secret()?,
            close: parse_switch("close", true, input("CLOSE").as_deref())?,
        },
        state_dir: state_dir.clone(),
        noreply: noreply(&server),
        skip_ci: parse_switch("skip-ci", false, input("SKIP_CI").as_deref())?,
        web: Some(Web {
            server: server.trim_end_matches('/').to_owned(),
            repository: repository.clone(),
            branch: branch.clone(),
        }),
        coloured: false,
        turning: false,
        pages: parse_pages(input("PAGES"))?,
        days,
    };
    let settings = Settings {
        token,
        api_url,
        graphql_url,
        owner: owner.to_owned(),
        name: name.to_owned(),
        branch,
        state_dir,
        timeout: Settings::TIMEOUT,
    };
    Ok((settings, place))
}

/// Returns the directory of the records, as the input says.
pub(crate) fn state_dir() -> Result<String> {
    parse_state_dir(input("STATE_DIR"))
}

/// Checks the value of an input of the action before a run reads it, and returns it trimmed.
///
/// # Errors
/// There is no such input, or it cannot have that value; the sentence names the values that it can have.
pub fn check_input(name: &str, value: &str) -> Result<String> {
    let given = Some(value.trim().to_owned()).filter(|value| !value.is_empty());
    match name {
        "branch" => _ = parse_branch(given.clone())?,
        "state-dir" => _ = parse_state_dir(given.clone())?,
        "pages" => _ = parse_pages(given.clone())?,
        "games" => _ = parse_games(given.clone())?,
        "tables" => _ = parse_tables(given.as_deref())?,
        "sweep-days" => _ = parse_days(given.clone())?,
        "close" => _ = parse_switch("close", true, given.as_deref())?,
        "skip-ci" => _ = parse_switch("skip-ci", false, given.as_deref())?,
        "token" | "dice-secret" | "doctor" | "probe" | "site" | "site-url" | "release-url" | "verify-attestation" => {}
        _ => bail!("there is no input `{name}`"),
    }
    Ok(given.unwrap_or_default())
}

pub(crate) fn parse_games(named: Option<String>) -> Result<Vec<Kind>> {
    let names = named.unwrap_or_default();
    let names = names.split([',', '\n', ' ']).map(str::trim).filter(|name| !name.is_empty());
    let games = names.map(|name| {
        let all: Vec<&str> = Kind::ALL.iter().map(|kind| kind.info().name).collect();
        Kind::meant(name).with_context(|| {
            format!("unknown game `{}` in the input `games`; available: {}", shown(name), all.join(", "))
        })
    });
    games.collect()
}

/// Parses an input that is `true` or `false`.
fn parse_switch(name: &str, default: bool, given: Option<&str>) -> Result<bool> {
    match given {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(_) => bail!("set the input `{name}` to `true` or `false`"),
    }
}

/// Returns the beginning of a word from a file, without anything that could change a terminal or a log.
fn shown(word: &str) -> String {
    word.chars().filter(|c| c.is_ascii_graphic() && *c != '`').take(40).collect()
}

fn parse_tables(named: Option<&str>) -> Result<OpeningPolicy> {
    Ok(match named {
        None | Some("author") => OpeningPolicy::Author,
        Some("anyone") => OpeningPolicy::Anyone,
        Some("maintainers") => OpeningPolicy::Maintainers,
        Some(_) => bail!("set the input `tables` to `author`, `anyone` or `maintainers`"),
    })
}

fn parse_days(named: Option<String>) -> Result<u64> {
    let Some(text) = named else { return Ok(7) };
    let days = text.parse().ok().filter(|days| (1..=366).contains(days));
    days.context("set the input `sweep-days` to a number of days from 1 to 366")
}

/// Reads the secret that makes dice provable; `None` if the host has set none.
///
/// # Errors
/// A secret that could be guessed.
pub fn dice_secret() -> Result<Option<Secret>> {
    input("DICE_SECRET").map(|text| secret(&text)).transpose().map_err(anyhow::Error::msg)
}

/// Reads the input `pages`: the pages whose marked parts are kept current.
pub(crate) fn parse_pages(named: Option<String>) -> Result<Vec<String>> {
    let named = named.unwrap_or_else(|| "README.md".to_owned());
    let paths: Vec<String> =
        named.split([',', '\n']).map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned).collect();
    if paths.len() > MAX_PAGES || !paths.iter().all(|path| is_plain_path(path.strip_prefix(".github/").unwrap_or(path)))
    {
        bail!(
            "set the input `pages` to up to {MAX_PAGES} files such as `README.md` or `docs/play.md`, separated by \
             commas. Use letters, digits, `-`, `_` and `.`; a name can't begin with a dot, except `.github`"
        );
    }
    Ok(paths)
}

/// Tests for plain names with slashes between them, none of them hidden.
fn is_plain_path(path: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(plain);
    path.len() <= 100 && path.split('/').all(part)
}

/// Reads the input `state-dir`: a directory below the root of the repository.
pub(crate) fn parse_state_dir(named: Option<String>) -> Result<String> {
    let dir = named.unwrap_or_else(|| "state".to_owned());
    let dir = dir.trim_end_matches('/');
    if !is_plain_path(dir) {
        bail!(
            "set the input `state-dir` to a directory such as `state` or `games/state`. Use letters, digits, `-`, \
             `_` and `.`; a \
             name can't begin with a dot"
        );
    }
    Ok(dir.to_owned())
}

/// Reads the input `branch`: the branch that the games are on; `None` for the default branch.
pub(crate) fn parse_branch(named: Option<String>) -> Result<Option<String>> {
    let Some(name) = named else { return Ok(None) };
    let name = name.strip_prefix("refs/heads/").unwrap_or(&name);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+');
    let odd = name.contains("..")
        || name.starts_with("refs/")
        || name.starts_with(['/', '-', '.'])
        || name.ends_with(['/', '.']);
    if odd || name.len() > 200 || !name.chars().all(plain) {
        bail!("set the input `branch` to the name of a branch, such as `play`");
    }
    Ok(Some(name.to_owned()))
}

/// Returns the mail domain that a host keeps for its users.
fn noreply(server: &str) -> String {
    let host: String =
        server_name(server).chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect();
    format!("users.noreply.{host}")
}

/// Returns a variable of the runner that a run cannot do without.
pub(crate) fn required(name: &str) -> Result<String> {
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
