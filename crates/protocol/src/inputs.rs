//! The settings of a repository, parsed from the inputs of the action.

use anyhow::{Context, Result, bail};
use games::registry::GameKind;
use table::decisions::host_policy::{HostPolicy, OpeningPolicy};
use table::dice::parse_secret;

use crate::repo_config::{RepoConfig, WebRepo, server_name};

/// The number of pages that are kept current.
const MAX_PAGES: usize = 4;

/// Parses the settings of a repository. `input` returns an input by its name in capitals, such as `STATE_DIR`, trimmed and
/// not empty; `web` names the repository.
///
/// # Errors
/// Returns an error that names the input if it has a value that it can't have.
pub fn parse_repo_config(input: impl Fn(&str) -> Option<String>, web: WebRepo) -> Result<RepoConfig> {
    Ok(RepoConfig {
        policy: HostPolicy {
            games: parse_games(input("GAMES"))?,
            opening: parse_tables(input("TABLES").as_deref())?,
            dice_secret: input("DICE_SECRET")
                .map(|text| parse_secret(&text))
                .transpose()
                .map_err(anyhow::Error::msg)?,
            close_finished: parse_switch("close", true, input("CLOSE").as_deref())?,
        },
        state_dir: parse_state_dir(input("STATE_DIR"))?,
        noreply_domain: noreply_domain(&web.server),
        skip_ci: parse_switch("skip-ci", false, input("SKIP_CI").as_deref())?,
        colored: false,
        auto_flip: false,
        pages: parse_pages(input("PAGES"))?,
        sweep_days: parse_sweep_days(input("SWEEP_DAYS"))?,
        web: Some(WebRepo { branch: parse_branch(input("BRANCH"))?, ..web }),
    })
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
        "sweep-days" => _ = parse_sweep_days(given.clone())?,
        "close" => _ = parse_switch("close", true, given.as_deref())?,
        "skip-ci" => _ = parse_switch("skip-ci", false, given.as_deref())?,
        "token" | "dice-secret" | "doctor" | "probe" | "site" | "site-url" | "release-url" | "verify-attestation" => {}
        _ => bail!("there is no input `{name}`"),
    }
    Ok(given.unwrap_or_default())
}

/// Parses the input `games`: the games that people can play; empty for all.
///
/// # Errors
/// Returns an error that names the games if one is unknown.
pub fn parse_games(named: Option<String>) -> Result<Vec<GameKind>> {
    let names = named.unwrap_or_default();
    let names = names.split([',', '\n', ' ']).map(str::trim).filter(|name| !name.is_empty());
    let games = names.map(|name| {
        let all: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.info().name).collect();
        GameKind::parse(name).with_context(|| {
            format!("unknown game `{}` in the input `games`; available: {}", printable_prefix(name), all.join(", "))
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
fn printable_prefix(word: &str) -> String {
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

fn parse_sweep_days(named: Option<String>) -> Result<u64> {
    let Some(text) = named else { return Ok(7) };
    let days = text.parse().ok().filter(|days| (1..=366).contains(days));
    days.context("set the input `sweep-days` to a number of days from 1 to 366")
}

/// Parses the input `pages`: the pages whose marked parts are kept current.
///
/// # Errors
/// Returns an error if there are too many pages or if a path isn't plain.
pub fn parse_pages(named: Option<String>) -> Result<Vec<String>> {
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

/// Parses the input `state-dir`: a directory below the root of the repository.
///
/// # Errors
/// Returns an error if the path isn't plain.
pub fn parse_state_dir(named: Option<String>) -> Result<String> {
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

/// Parses the input `branch`: the branch that the games are on; `None` for the default branch.
///
/// # Errors
/// Returns an error if a branch can't have this name.
pub fn parse_branch(named: Option<String>) -> Result<Option<String>> {
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
fn noreply_domain(server: &str) -> String {
    let host: String =
        server_name(server).chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect();
    format!("users.noreply.{host}")
}
