//! TODO page.

use std::env;

use anyhow::{Context, Result, bail};

use crate::decisions::house::{HouseRules, OpeningPolicy};
use crate::forges::github::Settings;
use crate::games::registry::Kind;
use crate::host::templates::name_of;
use crate::protocol::place::{Place, Web};
use crate::tables::dice::{Secret, secret};

/// How many pages are kept current.
const MAX_PAGES: usize = 4;

/// What a run can be asked for from a command line, where there is no event.
#[derive(Clone, Debug, Default)]
pub struct DryRunOptions {
    /// `OWNER/NAME`.
    pub repository: Option<String>,
    /// The issue to look at.
    pub issue: Option<u64>,
    /// The login of the bot, where the token is somebody else's.
    pub own: Option<String>,
}

/// What the runner and the action's inputs say, or in their place whoever asks aside.
pub(crate) fn settings(aside: Option<&DryRunOptions>) -> Result<(Settings, Place)> {
    let own = || aside.and_then(|_| variable("GITHUB_TOKEN").or_else(|| variable("GH_TOKEN")));
    let token = input("TOKEN")
        .or_else(own)
        .context("there is no token. Leave the input `token` out, or set it to a token that is not empty")?;
    let repository = match aside.and_then(|aside| aside.repository.clone()) {
        Some(repository) => repository,
        None => required("GITHUB_REPOSITORY")?,
    };
    let (owner, name) =
        repository.split_once('/').context(match aside.is_some_and(|aside| aside.repository.is_some()) {
            true => "a repository is named OWNER/NAME",
            false => "GITHUB_REPOSITORY is not OWNER/NAME",
        })?;
    let api_url = variable("GITHUB_API_URL").unwrap_or_else(|| "https://api.github.com".to_owned());
    let graphql_url = variable("GITHUB_GRAPHQL_URL").unwrap_or_else(|| format!("{api_url}/graphql"));
    let server = variable("GITHUB_SERVER_URL").unwrap_or_else(|| "https://github.com".to_owned());
    let state_dir = state_dir(input("STATE_DIR"))?;
    let days = days(input("SWEEP_DAYS"))?;
    let branch = branch(input("BRANCH"))?;
    let place = Place {
        house: house()?,
        state_dir: state_dir.clone(),
        noreply: noreply(&server),
        web: Some(Web {
            server: server.trim_end_matches('/').to_owned(),
            repository: repository.clone(),
            branch: branch.clone(),
        }),
        coloured: false,
        pages: pages(input("PAGES"))?,
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

fn house() -> Result<HouseRules> {
    Ok(HouseRules { games: games(input("GAMES"))?, tables: tables(input("TABLES").as_deref())?, dice: dice()? })
}

/// What an input of the action says, if it may say that; read by whoever asks before a run does.
///
/// # Errors
/// There is no such input, or it cannot have that value; the sentence says what it can.
pub fn judged(name: &str, value: &str) -> Result<String> {
    let given = Some(value.trim().to_owned()).filter(|value| !value.is_empty());
    match name {
        "branch" => _ = branch(given.clone())?,
        "state-dir" => _ = state_dir(given.clone())?,
        "pages" => _ = pages(given.clone())?,
        "games" => _ = games(given.clone())?,
        "tables" => _ = tables(given.as_deref())?,
        "sweep-days" => _ = days(given.clone())?,
        "token" | "dice-secret" | "doctor" => {}
        _ => bail!("there is no input `{name}`"),
    }
    Ok(given.unwrap_or_default())
}

fn games(named: Option<String>) -> Result<Vec<Kind>> {
    let names = named.unwrap_or_default();
    let names = names.split([',', '\n', ' ']).map(str::trim).filter(|name| !name.is_empty());
    let games = names.map(|name| {
        let all: Vec<&str> = Kind::ALL.iter().map(|kind| kind.info().name).collect();
        Kind::meant(name)
            .with_context(|| format!("the input `games` names a game that is not there; there are: {}", all.join(", ")))
    });
    games.collect()
}

fn tables(named: Option<&str>) -> Result<OpeningPolicy> {
    Ok(match named {
        None | Some("author") => OpeningPolicy::Author,
        Some("anyone") => OpeningPolicy::Anyone,
        Some("maintainers") => OpeningPolicy::Maintainers,
        Some(_) => bail!("the input `tables` is `author`, `anyone` or `maintainers`"),
    })
}

fn days(named: Option<String>) -> Result<u64> {
    let Some(text) = named else { return Ok(7) };
    let days = text.parse().ok().filter(|days| (1..=366).contains(days));
    days.context("the input `sweep-days` is a number of days from 1 to 366")
}

/// The secret that makes dice provable, if the host has set one.
///
/// # Errors
/// A secret that could be guessed.
pub fn dice() -> Result<Option<Secret>> {
    input("DICE_SECRET").map(|text| secret(&text)).transpose().map_err(anyhow::Error::msg)
}

/// The pages whose marked parts are kept current.
pub(crate) fn pages(named: Option<String>) -> Result<Vec<String>> {
    let named = named.unwrap_or_else(|| "README.md".to_owned());
    let paths: Vec<String> =
        named.split([',', '\n']).map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned).collect();
    if paths.len() > MAX_PAGES || !paths.iter().all(|path| is_plain_path(path.strip_prefix(".github/").unwrap_or(path)))
    {
        bail!(
            "the input `pages` names up to {MAX_PAGES} files such as `README.md` or `docs/play.md`, with commas between \
             them: letters, digits, `-`, `_` and `.` only"
        );
    }
    Ok(paths)
}

/// Plain names with slashes between them, none of them hidden.
fn is_plain_path(path: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(plain);
    path.len() <= 100 && path.split('/').all(part)
}

/// A directory below the root of the repository.
pub(crate) fn state_dir(named: Option<String>) -> Result<String> {
    let dir = named.unwrap_or_else(|| "state".to_owned());
    let dir = dir.trim_end_matches('/');
    if !is_plain_path(dir) {
        bail!(
            "the input `state-dir` is a directory such as `state` or `games/state`: letters, digits, `-`, `_` and `.` only"
        );
    }
    Ok(dir.to_owned())
}

/// The branch that the games are on, if it is not the default one.
pub(crate) fn branch(named: Option<String>) -> Result<Option<String>> {
    let Some(name) = named else { return Ok(None) };
    let name = name.strip_prefix("refs/heads/").unwrap_or(&name);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+');
    let odd = name.contains("..") || name.starts_with(['/', '-', '.']) || name.ends_with(['/', '.']);
    if odd || name.len() > 200 || !name.chars().all(plain) {
        bail!("the input `branch` is the name of a branch, such as `play`");
    }
    Ok(Some(name.to_owned()))
}

/// The mail domain that a host keeps for its users.
fn noreply(server: &str) -> String {
    let host: String =
        name_of(server).chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect();
    format!("users.noreply.{host}")
}

pub(crate) fn required(name: &str) -> Result<String> {
    variable(name).with_context(|| {
        format!(
            "{name} is not set: `run` is a step of a workflow. To play in a terminal: `play-by-commit play tic-tac-toe`"
        )
    })
}

/// An input of the action, handed on as an environment variable; an empty one counts as none.
pub(crate) fn input(name: &str) -> Option<String> {
    variable(&format!("PLAY_BY_COMMIT_{name}"))
}

pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}
