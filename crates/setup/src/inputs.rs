//! Parsers for the inputs of the action: the settings of a repository.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use games::GameKind;
use table::dice::parse_secret;
use table::{HostPolicy, WhoMayStart, is_login};

use protocol::{RepoConfig, WebRepo, server_name};

use crate::action_inputs;

/// The limit on the pages that the bot fills.
const MAX_PAGES: usize = 4;
/// The time that a daily workflow leaves a comment to a server, which may be the other account of the bot.
const SERVER_TIME: Duration = Duration::from_secs(10 * 60);
/// The limit on the labels of issues where the bot listens.
const MAX_LABELS: usize = 10;

/// Parses the settings of a repository.
///
/// `input` returns the trimmed value of an input by its name in capitals, such as `STATE_DIR`; `None` if it is empty. `web`
/// names the repository.
///
/// # Errors
/// Returns an error that names each input whose value is invalid.
pub fn parse_repo_config(input: impl Fn(&str) -> Option<String>, web: WebRepo) -> Result<RepoConfig> {
    let mut problems = Problems::default();
    let branch = problems.check(parse_branch(input("BRANCH")));
    let state_dir = problems.check(parse_state_dir(input("STATE_DIR")));
    let pages = problems.check(parse_pages(input("PAGES")));
    let games = problems.check(parse_games(input("GAMES")));
    let opening = problems.check(parse_tables(input("TABLES").as_deref()));
    let only_labels = problems.check(parse_labels(input("ONLY_LABELS")));
    let assign_turns = problems.check(parse_switch("assign", false, input("ASSIGN").as_deref()));
    let close_finished = problems.check(parse_switch("close", true, input("CLOSE").as_deref()));
    let minimize_boards = problems.check(parse_switch("minimize", true, input("MINIMIZE").as_deref()));
    let skip_ci = problems.check(parse_switch("skip-ci", false, input("SKIP_CI").as_deref()));
    let bots = problems.check(parse_bots(input("BOTS")));
    let sweep_days = problems.check(parse_sweep_days(input("SWEEP_DAYS")));
    let dice_secret =
        problems.check(input("DICE_SECRET").map(|text| parse_secret(&text)).transpose().map_err(Into::into));
    let site_url = problems.check(input("SITE_URL").map(|url| parse_site_url(&url)).transpose());
    if !problems.0.is_empty() {
        bail!("{}", problems.0.join("; "));
    }
    Ok(RepoConfig {
        policy: HostPolicy {
            games,
            opening,
            only_labels,
            dice_secret,
            close_finished,
            minimize_boards,
            assign_turns,
            has_reactions: true,
        },
        state_dir,
        noreply_domain: noreply_domain(&web.server),
        skip_ci,
        site_url,
        terminal: Default::default(),
        pages,
        min_comment_age: if bots.is_empty() { Duration::ZERO } else { SERVER_TIME },
        bots,
        sweep_days,
        settings: None,
        notices_for_settings: false,
        web: Some(WebRepo { branch, ..web }),
    })
}

/// The problems of inputs, as sentences without a period.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    /// Returns the value of an input. If it is invalid, notes the problem and returns the default of its type.
    fn check<T: Default>(&mut self, value: Result<T>) -> T {
        value.unwrap_or_else(|error| {
            self.0.push(error.to_string());
            T::default()
        })
    }
}

/// Checks the value of an input and returns it trimmed.
///
/// # Errors
/// Returns an error if the input doesn't exist, or if the value is invalid; the message names the valid values.
pub(crate) fn check_input(name: &str, value: &str) -> Result<String> {
    let value = value.trim();
    if !action_inputs().iter().any(|known| known == name) {
        bail!("there is no input `{name}`");
    }
    let only = |asked: &str| (!value.is_empty() && asked == input_variable(name)).then(|| value.to_owned());
    parse_repo_config(only, WebRepo { server: String::new(), repository: String::new(), branch: None })?;
    Ok(value.to_owned())
}

/// Returns the name of an input in capitals: `STATE_DIR`.
pub(super) fn input_variable(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

/// Parses the setting `games`: the games that people can play. An empty list means all games.
///
/// # Errors
/// Returns an error that lists the games if one is unknown.
pub(crate) fn parse_games(value: Option<String>) -> Result<Vec<GameKind>> {
    let names = value.unwrap_or_default();
    let names = names.split([',', '\n', ' ']).map(str::trim).filter(|name| !name.is_empty());
    let games = names.map(|name| {
        let all: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.info().name).collect();
        GameKind::parse(name).with_context(|| {
            format!("unknown game `{}` in `games`; available: {}", printable_prefix(name), all.join(", "))
        })
    });
    games.collect()
}

/// Parses an input that is `true` or `false`.
fn parse_switch(name: &str, default: bool, value: Option<&str>) -> Result<bool> {
    match value {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(_) => bail!("set `{name}` to `true` or `false`"),
    }
}

/// Returns the first 40 printable characters of a word, safe for a terminal or a log.
fn printable_prefix(word: &str) -> String {
    word.chars().filter(|c| c.is_ascii_graphic() && *c != '`').take(40).collect()
}

/// Parses the setting `tables`: who may open a table in an issue.
fn parse_tables(value: Option<&str>) -> Result<WhoMayStart> {
    Ok(match value {
        None | Some("author") => WhoMayStart::Author,
        Some("anyone") => WhoMayStart::Anyone,
        Some("maintainers") => WhoMayStart::Maintainers,
        Some(_) => bail!("set `tables` to `author`, `anyone` or `maintainers`"),
    })
}

/// Parses the setting `bots`: accounts of the bot besides the token's own.
///
/// # Errors
/// Returns an error that quotes a name if it can't be a username.
fn parse_bots(value: Option<String>) -> Result<Vec<String>> {
    let value = value.unwrap_or_default();
    let names = value.split([',', '\n', ' ']).map(str::trim).filter(|name| !name.is_empty());
    let bots = names.map(|name| match is_login(name.strip_suffix("[bot]").unwrap_or(name)) {
        true => Ok(name.to_owned()),
        false => bail!("`{}` in `bots` isn't a username such as `our-games[bot]`", printable_prefix(name)),
    });
    bots.collect()
}

/// Parses the setting `only-labels`: the labels of the issues where the bot listens. An empty list means all issues.
///
/// # Errors
/// Returns an error if a label can't have one of the names, or if there are too many.
pub(crate) fn parse_labels(value: Option<String>) -> Result<Vec<String>> {
    let value = value.unwrap_or_default();
    let names = value.split([',', '\n']).map(str::trim).filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(str::to_owned).collect();
    // The condition of the workflow has the names between quotes.
    let is_plain = |name: &String| name.chars().count() <= 50 && !name.contains(['\'', '"', '\\', '$', '{', '}']);
    if names.len() > MAX_LABELS || !names.iter().all(is_plain) {
        bail!(
            "set `only-labels` to up to {MAX_LABELS} names of labels without quotes, such as `games`, separated by commas"
        );
    }
    Ok(names)
}

/// Parses the setting `sweep-days`: the number of days that a sweep looks back, from 1 to 366.
fn parse_sweep_days(value: Option<String>) -> Result<u64> {
    let Some(text) = value else { return Ok(7) };
    match text.parse() {
        Ok(days @ 1..=366) => Ok(days),
        _ => bail!("set `sweep-days` to a number of days from 1 to 366"),
    }
}

/// Parses the setting `pages`: the files that the bot fills between their markers.
///
/// # Errors
/// Returns an error if there are too many pages or if a path isn't plain.
pub(crate) fn parse_pages(value: Option<String>) -> Result<Vec<String>> {
    let value = value.unwrap_or_else(|| "README.md".to_owned());
    let paths: Vec<String> =
        value.split([',', '\n']).map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned).collect();
    if paths.len() > MAX_PAGES || !paths.iter().all(|path| is_plain_path(path.strip_prefix(".github/").unwrap_or(path)))
    {
        bail!(
            "set `pages` to up to {MAX_PAGES} files such as `README.md` or `docs/play.md`, separated by \
             commas. Use letters, digits, `-`, `_` and `.`; a name can't begin with a dot, except `.github`"
        );
    }
    Ok(paths)
}

/// Whether a path consists of plain names, none of which begins with a dot.
fn is_plain_path(path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_plain_name = |name: &str| !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain);
    path.len() <= 100 && path.split('/').all(is_plain_name)
}

/// Parses the setting `state-dir`: a directory below the root of the repository.
///
/// # Errors
/// Returns an error if the path isn't plain.
pub fn parse_state_dir(value: Option<String>) -> Result<String> {
    let dir = value.unwrap_or_else(|| "state".to_owned());
    let dir = dir.trim_end_matches('/');
    if !is_plain_path(dir) {
        bail!(
            "set `state-dir` to a directory such as `state` or `games/state`. Use letters, digits, `-`, `_` and \
             `.`; a name can't begin with a dot"
        );
    }
    Ok(dir.to_owned())
}

/// Returns the address of a repository's website on GitHub Pages: `https://owner.github.io/name/`.
pub fn pages_url(repository: &str) -> Option<String> {
    let (owner, name) = repository.split_once('/')?;
    let root = format!("{}.github.io", owner.to_lowercase());
    let path = if name.eq_ignore_ascii_case(&root) { String::new() } else { format!("{name}/") };
    Some(format!("https://{root}/{path}"))
}

/// Parses the setting `site-url`: the address of the website, and returns it with a slash at the end.
///
/// # Errors
/// Returns an error if it isn't a plain http or https address.
pub fn parse_site_url(url: &str) -> Result<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | ':' | '/' | '%');
    let host = ["https://", "http://"].into_iter().find_map(|scheme| url.strip_prefix(scheme)).unwrap_or_default();
    if !host.starts_with(|c: char| c.is_ascii_alphanumeric()) || !url.chars().all(is_plain) || url.len() > 200 {
        bail!("the site's address has to look like https://games.example/play/");
    }
    Ok(format!("{}/", url.trim_end_matches('/')))
}

/// Parses the setting `branch`: the branch of the games; `None` for the default branch.
///
/// # Errors
/// Returns an error if a branch can't have this name.
pub(crate) fn parse_branch(value: Option<String>) -> Result<Option<String>> {
    let Some(name) = value else { return Ok(None) };
    let name = name.strip_prefix("refs/heads/").unwrap_or(&name);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+');
    let is_odd = name.contains("..")
        || name.starts_with("refs/")
        || name.starts_with(['/', '-', '.'])
        || name.ends_with(['/', '.']);
    if is_odd || name.len() > 200 || !name.chars().all(is_plain) {
        bail!("set `branch` to the name of a branch, such as `play`");
    }
    Ok(Some(name.to_owned()))
}

/// Returns the domain of a server's no-reply email addresses.
fn noreply_domain(server: &str) -> String {
    let host: String =
        server_name(server).chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect();
    format!("users.noreply.{host}")
}
