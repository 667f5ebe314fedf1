//! The App's requests to GitHub: its own page, its installations and their tokens, and the list of deliveries.
//!
//! Each installation has one token, narrowed to the permissions that the games need. It's renewed five minutes before it ends, with
//! one request at a time.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use chrono::DateTime;
use github::{ApiClient, Connections, Reply, Server, Settings};
use http::Method;
use protocol::wakes::InstallationId;
use protocol::{Clock, HostError, RequestError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use table::{RepositoryId, Timestamp};
use tokio::sync::Mutex;

use crate::config::Secret;
use crate::jwt::AppKey;

/// The time before the end of a token at which the server asks for the next one.
const RENEWAL: Duration = Duration::from_secs(5 * 60);
/// The number of entries that GitHub lists with one request.
const PER_PAGE: usize = 100;
/// The limit on pages of installations or repositories: 100,000 entries.
const MAX_PAGES: usize = 1_000;

/// The permissions that games need, as a manifest and the request of a token name them.
pub(super) const PERMISSIONS: [(&str, &str); 3] = [("contents", "write"), ("issues", "write"), ("metadata", "read")];

/// The App, as GitHub shows it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct AppInfo {
    /// The name in URLs. The App's account is `SLUG[bot]`.
    pub(super) slug: String,
    /// The address of its page.
    pub(super) html_url: String,
    /// The permissions that it asks for.
    #[serde(default)]
    pub(super) permissions: BTreeMap<String, String>,
    /// The events that it gets.
    #[serde(default)]
    pub(super) events: Vec<String>,
}

/// An installation of the App.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Installation {
    /// The numeric ID.
    pub(super) id: u64,
    /// The account that has installed the App.
    pub(super) account: Account,
    /// When it was suspended; `None` if it isn't.
    #[serde(default)]
    pub(super) suspended_at: Option<String>,
}

/// An account with its name.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Account {
    /// The username.
    pub(super) login: String,
}

/// A repository, as lists and webhooks show it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RepositoryInfo {
    /// The numeric ID.
    pub(super) id: RepositoryId,
    /// `owner/name`.
    pub(super) full_name: String,
    /// Whether nobody can write to it; `None` if the list doesn't say.
    pub(super) archived: Option<bool>,
    /// Whether it has a website; `None` if the list doesn't say.
    pub(super) has_pages: Option<bool>,
}

/// A delivery of a webhook, as GitHub lists it. It names no issue.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Delivery {
    /// The numeric ID.
    pub(super) id: u64,
    /// When it was delivered.
    pub(super) delivered_at: String,
    /// The status that the server answered with; 0 without an answer.
    #[serde(default)]
    pub(super) status_code: u16,
    /// The installation; `None` for events of the App itself.
    pub(super) installation_id: Option<u64>,
    /// The repository; `None` for events about no repository.
    pub(super) repository_id: Option<RepositoryId>,
}

impl Delivery {
    /// Whether the server has accepted it.
    pub(super) fn has_arrived(&self) -> bool {
        (200..300).contains(&self.status_code)
    }
}

/// A token of an installation.
#[derive(Clone)]
struct Token {
    text: Secret,
    /// GitHub's time at which it ends.
    expires_at: Timestamp,
}

/// The App's access to GitHub.
pub(super) struct App {
    key: Arc<AppKey>,
    connections: Connections,
    pub(super) server: Server,
    /// Each token behind a lock of its own, so that one request at a time renews it.
    tokens: std::sync::Mutex<BTreeMap<InstallationId, Arc<Mutex<Option<Token>>>>>,
    clock: std::sync::Mutex<Clock>,
}

impl App {
    /// Creates the App's access. Sends nothing yet.
    ///
    /// # Errors
    /// Returns an error if the certificates of this machine can't be read.
    pub(super) fn new(key: Arc<AppKey>, server: Server) -> Result<App, RequestError> {
        let connections = Connections::new(Settings::DEFAULT_TIMEOUT)?;
        Ok(App {
            key,
            connections,
            server,
            tokens: std::sync::Mutex::default(),
            clock: std::sync::Mutex::new(Clock::start()),
        })
    }

    /// Returns the time now: GitHub's, once a reply has told it.
    pub(super) fn now(&self) -> Timestamp {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner).now()
    }

    /// Sets the clock to GitHub's time.
    pub(super) fn set_time(&self, now: Timestamp) {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner).set(now);
    }

    /// Returns the connections that all repositories share.
    pub(super) fn connections(&self) -> &Connections {
        &self.connections
    }

    /// Returns the settings to read and write a repository with, before its settings file is known.
    ///
    /// # Errors
    /// Returns an error if GitHub gives no token.
    pub(super) async fn settings_for(
        &self,
        installation: InstallationId,
        owner: &str,
        name: &str,
    ) -> Result<Settings, RequestError> {
        let token = self.token(installation).await?.0;
        Ok(Settings::new(&self.server, token, [owner, name]))
    }

    /// Creates a client with a token.
    fn client(&self, token: &str) -> Result<ApiClient, RequestError> {
        let Server { api_url, graphql_url, .. } = &self.server;
        ApiClient::new(&self.connections, api_url, graphql_url, token, Settings::DEFAULT_TIMEOUT)
    }

    /// Sends a request as the App.
    ///
    /// # Errors
    /// Returns an error if no reply comes back, or if GitHub doesn't accept the App's key.
    pub(super) async fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Reply, RequestError> {
        // A token is signed for each request. GitHub accepts it for ten minutes.
        let token = self.key.sign(Clock::start().now());
        let token = token.map_err(|error| RequestError::Fatal(HostError::new(format!("{error}."))))?;
        let client = self.client(&token)?;
        let reply = client.rest(method, path, body).await?;
        self.set_time(client.clock().now());
        Ok(reply)
    }

    /// Gets a path as the App.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`App::request`], and if the status isn't 200.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, RequestError> {
        expect(self.request(Method::GET, path, None).await?, 200)?.json()
    }

    /// Returns the App, as GitHub shows it.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`App::get`].
    pub(super) async fn info(&self) -> Result<AppInfo, RequestError> {
        self.get("/app").await
    }

    /// Lists all installations.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`App::get`].
    pub(super) async fn installations(&self) -> Result<Vec<Installation>, RequestError> {
        let mut all = Vec::new();
        for page in 1..=MAX_PAGES {
            let some: Vec<Installation> =
                self.get(&format!("/app/installations?per_page={PER_PAGE}&page={page}")).await?;
            let is_last = some.len() < PER_PAGE;
            all.extend(some);
            if is_last {
                break;
            }
        }
        Ok(all)
    }

    /// Returns an installation; `None` if the App isn't installed there any more.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`App::get`].
    pub(super) async fn installation(&self, id: InstallationId) -> Result<Option<Installation>, RequestError> {
        let reply = self.request(Method::GET, &format!("/app/installations/{}", id.0), None).await?;
        if reply.status.as_u16() == 404 {
            return Ok(None);
        }
        expect(reply, 200)?.json().map(Some)
    }

    /// Lists the repositories of an installation.
    ///
    /// # Errors
    /// Returns an error if a request fails.
    pub(super) async fn repositories(&self, installation: InstallationId) -> Result<Vec<RepositoryInfo>, RequestError> {
        #[derive(Deserialize)]
        struct Page {
            repositories: Vec<RepositoryInfo>,
        }
        let mut all = Vec::new();
        for page in 1..=MAX_PAGES {
            let token = self.token(installation).await?;
            let path = format!("/installation/repositories?per_page={PER_PAGE}&page={page}");
            let reply = self.client(&token.0)?.rest(Method::GET, &path, None).await?;
            let Page { repositories } = expect(reply, 200)?.json()?;
            let is_last = repositories.len() < PER_PAGE;
            all.extend(repositories);
            if is_last {
                break;
            }
        }
        Ok(all)
    }

    /// Sends a request with the token of an installation.
    ///
    /// # Errors
    /// Returns an error if no reply comes back, or if GitHub doesn't accept the token.
    pub(super) async fn request_as(
        &self,
        installation: InstallationId,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Reply, RequestError> {
        let token = self.token(installation).await?;
        self.client(&token.0)?.rest(method, path, body).await
    }

    /// Lists a page of deliveries, the newest first, and returns the cursor to the next page. `only_failed` leaves out those that
    /// arrived, if GitHub can.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`App::get`].
    pub(super) async fn deliveries(
        &self,
        cursor: Option<&str>,
        only_failed: bool,
    ) -> Result<(Vec<Delivery>, Option<String>), RequestError> {
        let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let status = if only_failed { "&status=failure" } else { "" };
        let path = format!("/app/hook/deliveries?per_page={PER_PAGE}{status}{cursor}");
        let reply = expect(self.request(Method::GET, &path, None).await?, 200)?;
        let link = reply.headers.get(http::header::LINK).and_then(|link| link.to_str().ok());
        let next = link.and_then(next_cursor);
        Ok((reply.json()?, next))
    }

    /// Returns the token of an installation, and asks for a new one if the last one ends soon.
    ///
    /// # Errors
    /// Returns an error if GitHub gives no token, as for an installation that is suspended or gone.
    pub(super) async fn token(&self, installation: InstallationId) -> Result<Secret, RequestError> {
        let slot = self.lock_tokens().entry(installation).or_default().clone();
        let mut slot = slot.lock().await;
        if let Some(token) = slot.as_ref().filter(|token| token.expires_at - RENEWAL > self.now()) {
            return Ok(token.text.clone());
        }
        #[derive(Deserialize)]
        struct Body {
            token: Secret,
            expires_at: String,
        }
        let path = format!("/app/installations/{}/access_tokens", installation.0);
        let permissions: serde_json::Map<String, Value> =
            PERMISSIONS.iter().map(|(name, level)| ((*name).to_owned(), json!(level))).collect();
        let reply = self.request(Method::POST, &path, Some(&json!({ "permissions": permissions }))).await?;
        let Body { token, expires_at } = expect(reply, 201)?.json()?;
        // GitHub's tokens last an hour. If the time can't be read, use this one for a few minutes.
        let expires_at = parse_time(&expires_at).unwrap_or_else(|| self.now() + 2 * RENEWAL);
        *slot = Some(Token { text: token.clone(), expires_at });
        Ok(token)
    }

    /// Forgets the token of an installation, because GitHub doesn't accept it any more.
    pub(super) fn forget_token(&self, installation: InstallationId) {
        self.lock_tokens().remove(&installation);
    }

    fn lock_tokens(&self) -> std::sync::MutexGuard<'_, BTreeMap<InstallationId, Arc<Mutex<Option<Token>>>>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a reply with this status.
///
/// # Errors
/// Returns an error with GitHub's message if the status is another one.
fn expect(reply: Reply, status: u16) -> Result<Reply, RequestError> {
    if reply.status.as_u16() == status {
        return Ok(reply);
    }
    let what = format!("GitHub refused the request ({}): {}", reply.status, reply.message());
    Err(RequestError::Fatal(HostError::new(what)))
}

/// Returns the cursor in the header `Link` that leads to the next page.
fn next_cursor(link: &str) -> Option<String> {
    let next = link.split(',').find(|part| part.contains("rel=\"next\""))?;
    let cursor = next.split_once("cursor=")?.1;
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '%');
    let cursor: String = cursor.chars().take_while(is_plain).collect();
    Some(cursor).filter(|cursor| !cursor.is_empty())
}

/// Parses a time as GitHub writes it.
pub(super) fn parse_time(text: &str) -> Option<Timestamp> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    u64::try_from(time.timestamp_millis()).ok().map(Timestamp::from_millis)
}
