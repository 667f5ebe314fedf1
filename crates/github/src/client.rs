//! HTTP requests to GitHub's REST and GraphQL APIs.
//!
//! Every request goes through octocrab's `execute`, which returns the raw response. Its typed routes would lose the status (200
//! or 201 for a reaction), and fail if the body lacks a field, so that a posted comment would count as lost. The client never
//! repeats a request, never follows a redirect, and accepts no reply longer than [`MAX_REPLY_BYTES`].

use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper_rustls::{ConfigBuilderExt, HttpsConnector};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use octocrab::{AuthState, Octocrab, OctocrabBuilder};
use protocol::{Account, Clock, HostError, Remedy, RequestError, is_enterprise_server, server_name};
use rustls::ClientConfig;
use rustls::crypto::ring;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use table::{Author, Permission};

use crate::listing::{GraphqlReply, Reply, find_cause, reply_time, root_cause};
use crate::proxy::{ProxyConnector, ProxyError};
use crate::{one_line, request_error};

/// The size limit of a reply, in bytes. A hundred comments of 65,536 four-byte characters fit, so that nobody can make a thread
/// unreadable with long comments.
pub const MAX_REPLY_BYTES: usize = 32 * 1024 * 1024;

/// The time limit for opening a connection, if the limit of the whole request isn't shorter.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The `User-Agent` header, which GitHub
/// [requires](https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent).
const USER_AGENT_VALUE: &str = concat!("play-by-commit/", env!("CARGO_PKG_VERSION"));

/// A pool of connections. It has no token, so several repositories can share it.
#[derive(Clone)]
pub struct Connections {
    pub(super) octocrab: Octocrab,
}

impl Connections {
    /// Creates a pool that trusts this machine's certificates, or those in the file `SSL_CERT_FILE`, and uses the proxy that the
    /// environment names. Opens no connection yet.
    ///
    /// Opening a connection may take as long as `timeout`, but at most ten seconds.
    ///
    /// # Errors
    /// Returns an error outside of a tokio runtime, or if the certificates can't be read.
    pub fn new(timeout: Duration) -> Result<Connections, RequestError> {
        // octocrab spawns a task for its request queue, which panics outside of a runtime.
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(RequestError::Fatal(HostError::new("GitHub can only be reached from inside a runtime.")));
        }
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_connect_timeout(Some(CONNECT_TIMEOUT.min(timeout)));
        http.set_nodelay(true);
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let tls = tls.with_safe_default_protocol_versions().map_err(io::Error::other);
        let tls = tls.and_then(ConfigBuilderExt::with_native_roots).map_err(|error| {
            RequestError::Fatal(HostError::new(match std::env::var_os("SSL_CERT_FILE") {
                Some(path) => format!(
                    "There are no readable certificates in {}, the file that SSL_CERT_FILE names. Name another file, or unset \
                     the variable.",
                    one_line(&path.to_string_lossy())
                ),
                None => format!("The certificates of this machine can't be read: {}.", one_line(&error.to_string())),
            }))
        })?;
        let tls = Arc::new(tls.with_no_client_auth());
        let to_proxy = HttpsConnector::from((http.clone(), tls.clone()));
        let connector = HttpsConnector::from((ProxyConnector::new(http, to_proxy), tls));
        // hyper retries a request only if its pooled connection was closed before the first byte was sent, so GitHub can't apply
        // anything twice. octocrab's own client would retry more often, and has a fixed user agent.
        let client = Client::builder(TokioExecutor::new()).build(connector);
        let Ok(octocrab) = OctocrabBuilder::new_empty().with_service(client).with_auth(AuthState::None).build();
        Ok(Connections { octocrab })
    }
}

/// The REST and GraphQL APIs of a server, with a token.
pub struct ApiClient {
    octocrab: Octocrab,
    api_url: String,
    graphql_url: String,
    token: String,
    /// The header with the token; `None` for requests that need no token.
    authorization: Option<HeaderValue>,
    timeout: Duration,
    clock: Mutex<Clock>,
    requests: AtomicU64,
}

impl ApiClient {
    /// Creates a client.
    ///
    /// # Errors
    /// Returns an error if a URL or the token is invalid.
    pub fn new(
        connections: &Connections,
        api_url: &str,
        graphql_url: &str,
        token: &str,
        timeout: Duration,
    ) -> Result<ApiClient, RequestError> {
        let token = token.trim();
        let mut authorization = match HeaderValue::from_str(&format!("Bearer {token}")) {
            Ok(header) if !token.is_empty() => header,
            _ => return Err(RequestError::Fatal(HostError::with_remedy("There is no usable token.", Remedy::Token))),
        };
        authorization.set_sensitive(true);
        let client = ApiClient::without_token(connections, api_url, graphql_url, timeout)?;
        Ok(ApiClient { token: token.to_owned(), authorization: Some(authorization), ..client })
    }

    /// Creates a client for requests that need no token.
    ///
    /// # Errors
    /// Returns an error if a URL is invalid.
    pub fn without_token(
        connections: &Connections,
        api_url: &str,
        graphql_url: &str,
        timeout: Duration,
    ) -> Result<ApiClient, RequestError> {
        let normalize = |url| split_api_url(url).map(|(origin, path)| origin + &path);
        Ok(ApiClient {
            octocrab: connections.octocrab.clone(),
            api_url: normalize(api_url)?,
            graphql_url: normalize(graphql_url)?,
            token: String::new(),
            authorization: None,
            timeout,
            clock: Mutex::new(Clock::start()),
            requests: AtomicU64::new(0),
        })
    }

    /// Returns the clock, which shows GitHub's time from the first reply on.
    pub fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of requests so far.
    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Sends a document to the GraphQL API. octocrab's `graphql` would lose the type of an error, and data next to errors.
    pub(super) async fn graphql<T: DeserializeOwned>(
        &self,
        document: &str,
        variables: &Value,
    ) -> Result<GraphqlReply<T>, RequestError> {
        let (reply, headers) = self.graphql_parts(document, variables).await?;
        if let Some(limit) = reply.errors.iter().find_map(|error| request_error::from_rate_limit(error, &headers)) {
            return Err(limit);
        }
        Ok(reply)
    }

    /// Sends a document whose parts can meet a rate limit one by one, and returns the reply with its headers.
    pub(super) async fn graphql_parts<T: DeserializeOwned>(
        &self,
        document: &str,
        variables: &Value,
    ) -> Result<(GraphqlReply<T>, HeaderMap), RequestError> {
        let body = json!({ "query": document, "variables": variables });
        let reply = self.request(Method::POST, &self.graphql_url, Some(&body)).await?;
        if reply.status != StatusCode::OK {
            return Err(request_error::from_refusal(&reply));
        }
        let parsed = reply.json().or_else(|error| {
            // Data with gaps may not fit its type. Then the errors say why.
            let GraphqlReply { errors, .. } = reply.json::<GraphqlReply<IgnoredAny>>().map_err(|_| error.clone())?;
            if errors.is_empty() { Err(error) } else { Ok(GraphqlReply { data: None, errors }) }
        })?;
        Ok((parsed, reply.headers))
    }

    /// Sends a request to the REST API.
    ///
    /// # Errors
    /// Returns an error if no reply comes back, or if its status means the same for every request. The caller handles the other
    /// statuses.
    pub async fn rest(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Reply, RequestError> {
        self.request(method, &format!("{}{path}", self.api_url), body).await
    }

    async fn request(&self, method: Method, url: &str, body: Option<&Value>) -> Result<Reply, RequestError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let sent = tokio::time::timeout(self.timeout, self.send(method, url, body)).await;
        let late = || {
            let (host, limit) = (host_of(url), self.timeout.as_secs_f32());
            RequestError::Lost(format!("{host} gave no answer within {limit} seconds."))
        };
        let reply = sent.map_err(|_| late())??;
        match request_error::from_status(&reply) {
            Some(error) => Err(error),
            None => Ok(reply),
        }
    }

    /// Sends a request and masks the token in the reply, so that no caller can show it.
    async fn send(&self, method: Method, url: &str, body: Option<&Value>) -> Result<Reply, RequestError> {
        let mut request = Request::builder()
            .method(method)
            .uri(url)
            .header(USER_AGENT, USER_AGENT_VALUE)
            .header(ACCEPT, "application/vnd.github+json");
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        // octocrab adds the API version header.
        let request = self.octocrab.build_request(request, body);
        let request = request.map_err(|error| {
            RequestError::Fatal(HostError::new(format!(
                "The request can't be written: {}.",
                one_line(&root_cause(&error))
            )))
        })?;
        let response = self.octocrab.execute(request).await.map_err(|error| self.lost_reply(url, &error))?;
        let (head, body) = response.into_parts();
        // An error may come from a proxy on the way.
        if let Some(time) = reply_time(&head.headers).filter(|_| !head.status.is_server_error()) {
            self.clock().set(time);
        }
        let bytes = Limited::new(body, MAX_REPLY_BYTES).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                RequestError::TooLong(format!("GitHub's answer is longer than {MAX_REPLY_BYTES} bytes."))
            } else {
                self.lost_reply(url, &*error)
            }
        })?;
        let text = self.mask(&String::from_utf8_lossy(&bytes.to_bytes()));
        Ok(Reply { status: head.status, headers: head.headers, text })
    }

    /// Returns a text without the token.
    fn mask(&self, text: &str) -> String {
        if self.token.is_empty() { text.to_owned() } else { text.replace(&self.token, "***") }
    }

    fn lost_reply(&self, url: &str, error: &(dyn Error + 'static)) -> RequestError {
        if let Some(problem) = find_cause::<ProxyError>(error).and_then(ProxyError::problem) {
            return RequestError::Fatal(problem);
        }
        broken_connection(url, &self.mask(&root_cause(error)))
    }
}

/// Returns the error of a connection that broke, with the host in `url`.
fn broken_connection(url: &str, why: &str) -> RequestError {
    if why.ends_with("UnknownIssuer") {
        return RequestError::Fatal(HostError::new(format!(
            "The certificate of {} isn't from an authority that this machine trusts. If it's from your own, set SSL_CERT_FILE to \
             a file with that authority's certificate.",
            host_of(url)
        )));
    }
    RequestError::Lost(format!("The connection to {} broke: {}.", host_of(url), one_line(why)))
}

/// Returns the host and the port in a URL.
fn host_of(url: &str) -> String {
    let host = split_api_url(url).ok().and_then(|(origin, _)| Some(origin.split_once("://")?.1.to_owned()));
    host.unwrap_or_else(|| "GitHub".to_owned())
}

/// Splits the URL of an API into its origin, such as `https://api.github.com`, and its path, which may be empty.
///
/// # Errors
/// Returns an error if the URL isn't plain HTTP or HTTPS, or has a user or a query.
pub fn split_api_url(url: &str) -> Result<(String, String), RequestError> {
    let invalid = || RequestError::Fatal(HostError::new(format!("`{}` isn't the address of an API.", one_line(url))));
    let uri: Uri = url.parse().map_err(|_| invalid())?;
    let (Some(scheme @ ("https" | "http")), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(invalid());
    };
    if authority.as_str().contains('@') || uri.query().is_some() {
        return Err(invalid());
    }
    Ok((format!("{scheme}://{authority}"), uri.path().trim_end_matches('/').to_owned()))
}

// The addresses of a GitHub server, and the tokens that belong to it.

/// A GitHub server: github.com, a subdomain of ghe.com, or an Enterprise Server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The URL of its web pages, such as `https://github.com`.
    pub url: String,
    /// The URL of its REST API, such as `https://api.github.com`.
    pub api_url: String,
    /// The URL of its GraphQL API, such as `https://api.github.com/graphql`.
    pub graphql_url: String,
}

impl Server {
    /// Returns the server whose web pages are at a URL.
    ///
    /// # Errors
    /// Returns an error if the URL isn't plain HTTP or HTTPS.
    pub fn at(url: &str) -> Result<Server, RequestError> {
        let (origin, _) = split_api_url(url)?;
        let host = server_name(&origin);
        let api_url =
            if is_enterprise_server(host) { format!("{origin}/api/v3") } else { format!("https://api.{host}") };
        Ok(Server { graphql_url: graphql_url(&api_url), api_url, url: origin })
    }

    /// Returns the server whose REST API is at a URL.
    ///
    /// # Errors
    /// Returns an error if the URL isn't plain HTTP or HTTPS.
    pub fn with_api(api_url: &str) -> Result<Server, RequestError> {
        let (origin, path) = split_api_url(api_url)?;
        let api_url = origin.clone() + &path;
        let mut server = Server { graphql_url: graphql_url(&api_url), api_url, url: origin };
        if !is_enterprise_server(server.host()) {
            server.url = format!("https://{}", server.host());
        }
        Ok(server)
    }

    /// Returns the host name of the server with this API, such as `github.com`. That's where a token goes.
    pub fn host(&self) -> &str {
        let name = server_name(&self.api_url);
        name.strip_prefix("api.").filter(|host| !is_enterprise_server(host)).unwrap_or(name)
    }

    /// Returns the names of the environment variables that may hold a token for this server, as in
    /// [`gh`](https://cli.github.com/manual/gh_help_environment), in order of precedence.
    pub fn token_variables(&self) -> [&'static str; 2] {
        if is_enterprise_server(self.host()) {
            ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]
        } else {
            ["GH_TOKEN", "GITHUB_TOKEN"]
        }
    }
}

/// Returns the URL of the GraphQL API next to a REST API. On an Enterprise Server, it isn't below the URL of the REST API.
pub fn graphql_url(api_url: &str) -> String {
    let api_url = api_url.trim_end_matches('/');
    match api_url.strip_suffix("/api/v3") {
        Some(origin) => format!("{origin}/api/graphql"),
        None => format!("{api_url}/graphql"),
    }
}

// Accounts and their permissions as the REST API describes them.

/// The field of an account that the bot needs.
#[derive(Deserialize)]
struct User {
    r#type: String,
}

/// Returns the account in a reply.
///
/// # Errors
/// Returns an error if the reply has an unexpected status.
pub(super) fn from_reply(reply: &Reply) -> Result<Account, RequestError> {
    match reply.status.as_u16() {
        200 if reply.json::<User>()?.r#type == "Organization" => Ok(Account::Organization),
        200 => Ok(Account::Person),
        404 => Ok(Account::Missing),
        _ => Err(request_error::from_refusal(reply)),
    }
}

/// Returns a person's permission in a reply about their username.
///
/// The reply's own field `permission` can't tell `triage` from `read`, so this uses the permissions of the user in it.
pub(super) fn permission_from_reply(reply: &Reply, person: &Author) -> Result<Permission, RequestError> {
    #[derive(Deserialize)]
    struct Body {
        user: Option<Collaborator>,
    }
    #[derive(Deserialize)]
    struct Collaborator {
        id: u64,
        permissions: Option<Permissions>,
    }
    #[derive(Deserialize)]
    struct Permissions {
        #[serde(default)]
        triage: bool,
        #[serde(default)]
        push: bool,
    }
    let user = reply.json::<Body>()?.user.filter(|user| user.id == person.id.get());
    // Somebody else may have the username by now.
    Ok(match user.and_then(|user| user.permissions) {
        Some(Permissions { push: true, .. }) => Permission::Write,
        Some(Permissions { triage: true, .. }) => Permission::Triage,
        _ => Permission::Read,
    })
}
