//! The server's own settings, from one file and the environment. Settings for the games are in each repository.

use std::fs;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use github::{Server, one_line};
use serde::Deserialize;
use table::dice::parse_secret;

use crate::app::Installation;
use crate::jwt::AppKey;

/// The address where the server listens if nothing else is set: behind a proxy on the same machine.
pub(super) const DEFAULT_LISTEN: &str = "127.0.0.1:3000";
/// The address of GitHub's API if nothing else is set.
pub(super) const DEFAULT_API_URL: &str = "https://api.github.com";
/// The shortest webhook secret.
const MIN_SECRET: usize = 16;

/// A text that nobody may see. It has no `Debug`, so no log or error can show it.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(super) struct Secret(pub(super) String);

/// How the server writes its log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object for each line.
    Json,
}

/// The settings file, as it is written.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    app_id: Option<u64>,
    private_key: Option<Secret>,
    webhook_secret: Option<Secret>,
    webhook_secret_old: Option<Secret>,
    dice_secret: Option<Secret>,
    listen: Option<String>,
    github_api_url: Option<String>,
    log: Option<LogFormat>,
    #[serde(default)]
    accounts: Vec<String>,
}

/// The settings of the server.
pub(super) struct Config {
    /// Signs as the App.
    pub(super) key: Arc<AppKey>,
    /// The secrets that webhooks may be signed with: the current one, and an old one while it's being replaced.
    pub(super) webhook_secrets: Vec<Secret>,
    /// The secret that the dice keys of all repositories come from.
    pub(super) dice_secret: Option<Secret>,
    /// The address to listen at.
    pub(super) listen: SocketAddr,
    /// The GitHub server.
    pub(super) github: Server,
    /// How to write the log.
    pub(super) log: LogFormat,
    /// The accounts whose repositories the server plays in; empty for all where the App is installed.
    pub(super) accounts: Vec<String>,
}

impl Config {
    /// Reads the settings from the environment, and what isn't there from a file.
    ///
    /// # Errors
    /// Returns an error that names the setting and says what to change.
    pub(super) fn read(path: Option<&Path>, env: impl Fn(&str) -> Option<String>) -> Result<Config> {
        let file = path.map(read_file).transpose()?.unwrap_or_default();
        let env = |name: &str| env(name).filter(|value| !value.trim().is_empty());
        let secret = |name: &str, from_file: Option<Secret>| -> Result<Option<Secret>> {
            if let Some(path) = env(&format!("{name}_FILE")) {
                if env(name).is_some() {
                    bail!("{name} and {name}_FILE are both set. Remove one");
                }
                let text = fs::read_to_string(&path);
                let text = text.with_context(|| format!("{name}_FILE names {path}, which can't be read"))?;
                return Ok(Some(Secret(text.trim().to_owned())));
            }
            Ok(env(name).map(|text| Secret(text.trim().to_owned())).or(from_file))
        };
        let app_id = match env("APP_ID") {
            Some(text) => match text.trim().parse() {
                Ok(id) => Some(id),
                Err(_) => bail!("APP_ID isn't a number such as 123456. The App's settings page shows it"),
            },
            None => file.app_id,
        };
        let app_id =
            app_id.context("there is no App: set APP_ID or `app-id`, or run `play-by-commit-server setup` first")?;
        let key = secret("APP_PRIVATE_KEY", file.private_key)?
            .context("there is no private key: set APP_PRIVATE_KEY_FILE, APP_PRIVATE_KEY or `private-key`")?;
        // In an environment variable, line breaks are often written as `\n`.
        let key = Arc::new(AppKey::parse(app_id, &key.0.replace("\\n", "\n"))?);
        let current = secret("WEBHOOK_SECRET", file.webhook_secret)?
            .context("there is no webhook secret: set WEBHOOK_SECRET, WEBHOOK_SECRET_FILE or `webhook-secret`")?;
        let old = secret("WEBHOOK_SECRET_OLD", file.webhook_secret_old)?;
        if old.as_ref().is_some_and(|secret| secret.0.len() < MIN_SECRET) {
            bail!("the old webhook secret is shorter than {MIN_SECRET} characters. Remove it, or write it in full");
        }
        if current.0.len() < MIN_SECRET {
            bail!(
                "the webhook secret is shorter than {MIN_SECRET} characters. Choose a longer one, here and in the App's settings"
            );
        }
        let webhook_secrets: Vec<Secret> = [Some(current), old].into_iter().flatten().collect();
        let dice_secret = secret("DICE_SECRET", file.dice_secret)?;
        if let Some(secret) = &dice_secret {
            parse_secret(&secret.0).context("DICE_SECRET can't be used")?;
        }
        let api_url = env("GITHUB_API_URL").or(file.github_api_url).unwrap_or_else(|| DEFAULT_API_URL.to_owned());
        let log = match env("LOG").as_deref() {
            Some("text") => LogFormat::Text,
            Some("json") => LogFormat::Json,
            Some(_) => bail!("set LOG to `text` or `json`"),
            None => file.log.unwrap_or_default(),
        };
        let listen = env("LISTEN").or(file.listen);
        Ok(Config {
            key,
            webhook_secrets,
            dice_secret,
            listen: parse_listen(listen.as_deref().unwrap_or(DEFAULT_LISTEN))?,
            github: Server::with_api(&api_url).map_err(|_| {
                anyhow::anyhow!(
                    "`github-api-url` (GITHUB_API_URL) isn't the address of an API, such as https://api.github.com"
                )
            })?,
            log,
            accounts: match env("ACCOUNTS") {
                Some(list) => list.split([',', ' ']).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
                None => file.accounts,
            },
        })
    }

    /// Returns the accounts in the settings that have none of these installations.
    pub(super) fn absent_accounts(&self, installations: &[Installation]) -> Vec<String> {
        let is_there = |name: &String| {
            installations.iter().any(|installation| installation.account.login.eq_ignore_ascii_case(name))
        };
        self.accounts.iter().filter(|name| !is_there(name)).cloned().collect()
    }

    /// Whether the server plays in the repositories of an account.
    pub(super) fn plays_for(&self, account: &str) -> bool {
        self.accounts.is_empty() || self.accounts.iter().any(|known| known.eq_ignore_ascii_case(account))
    }
}

/// Parses an address to listen at.
///
/// # Errors
/// Returns an error unless it is an IP address with a port.
pub(super) fn parse_listen(text: &str) -> Result<SocketAddr> {
    text.trim().parse().map_err(|_| {
        anyhow::anyhow!(
            "`listen` (LISTEN) is `{}`. Set it to an IP address and a port, such as {DEFAULT_LISTEN}",
            one_line(text)
        )
    })
}

/// Whether everybody on this machine can read a file.
pub(super) fn is_public(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o004 != 0)
    }
    #[cfg(not(unix))]
    {
        _ = path;
        false
    }
}

fn read_file(path: &Path) -> Result<File> {
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            anyhow::anyhow!("there is no settings file {}. `play-by-commit-server setup` writes one", path.display())
        }
        _ => anyhow::anyhow!("the settings file {} can't be read: {error}", path.display()),
    })?;
    toml::from_str(&text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        let number = text[..start].matches('\n').count() + 1;
        // The parser's message could quote a secret, so this names only the key.
        let line = text.lines().nth(number - 1).unwrap_or_default();
        let key = one_line(line.split('=').next().unwrap_or_default());
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        let what = match error.message() {
            message if is_key && message.starts_with("unknown field") => {
                let known = message.rsplit_once("expected one of ").map_or("", |(_, known)| known);
                format!("`{key}` isn't a setting. The settings are {known}")
            }
            message if is_key && message.starts_with("duplicate key") => format!("`{key}` is there twice"),
            _ if key == "accounts" => "`accounts` needs a list, such as `[\"octo\"]`".to_owned(),
            _ if is_key => format!("the value of `{key}` isn't what this setting needs, or isn't in quotes"),
            _ => "it isn't a line such as `log = \"text\"`".to_owned(),
        };
        anyhow::anyhow!("the settings file {} has a mistake in line {number}: {what}", path.display())
    })
}
