//! The wire below octocrab: one request, one reply.
//!
//! octocrab writes the requests, by its routes for issues, comments, reactions, labels and branches; the service that
//! carries them is this file. Nothing is sent twice here, no redirect is followed, and nothing that comes in is longer
//! than [`LARGEST`]. The token is taken out of all that comes back, so that no layer above can show it.
//!
//! Every reply leaves the service as its error (`CarriedReply`), the one thing that octocrab hands on as it is, and
//! `take_reply` takes it up again. Of a good reply octocrab would keep its model alone, not the status (200 or 201 at a
//! reaction), and none at all where a field is missing that it wants: a comment that was posted would count as a failure.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, USER_AGENT};
use http::{HeaderValue, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use octocrab::{AuthState, OctoBody, Octocrab, OctocrabBuilder};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::forges::github::fault;
use crate::forges::github::reply::{GraphqlReply, Reply, one_line};
use crate::protocol::forge::Fault;

/// The size limit of a reply, in bytes: a hundred comments of 65,536 characters of four bytes fit, so that nobody can
/// make a thread unreadable by filling it.
pub const LARGEST: usize = 32 * 1024 * 1024;

/// The time limit for a connection to come about, if a whole request may take longer than that.
const CONNECT: Duration = Duration::from_secs(10);

/// The name of the bot, which GitHub
/// [wants of every program](https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent).
pub(super) const NAME: &str = concat!("play-by-commit/", env!("CARGO_PKG_VERSION"));

/// The ways to a host's two APIs.
pub(super) struct Wire {
    /// The REST API. The results of its routes go through [`take_reply`].
    pub(super) rest: Octocrab,
    graphql: Octocrab,
    graphql_path: String,
}

impl Wire {
    /// Prepares the connections; none is made yet.
    pub(super) fn new(api_url: &str, graphql_url: &str, token: &str, timeout: Duration) -> Result<Wire, Fault> {
        // octocrab's queue of requests runs as a task of its own, which has to start somewhere.
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(Fault::Host("GitHub can only be reached from inside a runtime.".to_owned()));
        }
        let (rest_place, rest_path) = split(api_url)?;
        let (graphql_place, graphql_path) = split(graphql_url)?;
        let token = token.trim().to_owned();
        let authorization = HeaderValue::from_str(&format!("Bearer {token}"));
        let Some(mut authorization) = authorization.ok().filter(|_| !token.is_empty()) else {
            return Err(Fault::Host("There is no usable token. Check the input `token`.".to_owned()));
        };
        authorization.set_sensitive(true);
        // One client for both, so that they share a connection, unless they live at different places.
        let client = client(timeout)?;
        let connection = |base| ApiConnection {
            base,
            client: client.clone(),
            token: token.clone(),
            authorization: authorization.clone(),
            timeout,
        };
        let rest = octocrab(connection(format!("{rest_place}{rest_path}")));
        let graphql = octocrab(connection(graphql_place));
        Ok(Wire { rest, graphql, graphql_path })
    }

    /// Sends a document to the GraphQL API. octocrab's own `graphql` would lose the type of an error and the data beside it.
    pub(super) async fn graphql<T: DeserializeOwned>(
        &self,
        document: &str,
        variables: &Value,
    ) -> Result<GraphqlReply<T>, Fault> {
        let body = json!({ "query": document, "variables": variables });
        let reply = take_reply(self.graphql._post(self.graphql_path.as_str(), Some(&body)).await)?;
        if reply.status != StatusCode::OK {
            return Err(fault::refused(&reply));
        }
        let answer: GraphqlReply<T> = reply.json()?;
        if let Some(limit) = answer.errors.iter().find_map(|complaint| fault::rate(complaint, &reply.headers)) {
            return Err(limit);
        }
        Ok(answer)
    }
}

/// Takes the reply out of the result of an octocrab route. The caller interprets the status; only those with one meaning for
/// every request are faults already.
pub(super) fn take_reply<T>(handed: octocrab::Result<T>) -> Result<Reply, Fault> {
    match handed {
        Err(octocrab::Error::Service { source, .. }) => match source.downcast::<CarriedReply>() {
            Ok(carried) => carried.0,
            Err(other) => Err(broken(&innermost(&*other))),
        },
        // It has not come as far as the service.
        Err(error) => Err(Fault::Host(format!("The request can't be written: {}.", one_line(&error.to_string())))),
        // The service has no other way out than its error.
        Ok(_) => Err(broken("a reply went another way")),
    }
}

/// The outcome of a request, on its way through octocrab.
#[derive(Debug)]
struct CarriedReply(Result<Reply, Fault>);

impl fmt::Display for CarriedReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reply on its way")
    }
}

impl Error for CarriedReply {}

/// Returns an octocrab over this connection; its ready-made one repeats requests and cannot be given a name.
fn octocrab(connection: ApiConnection) -> Octocrab {
    let connection = Arc::new(connection);
    let service = tower::service_fn(move |request| {
        let connection = connection.clone();
        async move { Err::<Response<OctoBody>, _>(CarriedReply(connection.carry(request).await)) }
    });
    let Ok(octocrab) = OctocrabBuilder::new_empty().with_service(service).with_auth(AuthState::None).build();
    octocrab
}

/// The connection to one API.
struct ApiConnection {
    client: Client<HttpsConnector<HttpConnector>, OctoBody>,
    /// The beginning of every address. It is added here and not by octocrab's layer for it, which leaves its path
    /// out when a request's own path begins alike.
    base: String,
    token: String,
    authorization: HeaderValue,
    timeout: Duration,
}

impl ApiConnection {
    async fn carry(&self, request: Request<OctoBody>) -> Result<Reply, Fault> {
        let sent = tokio::time::timeout(self.timeout, self.send(request)).await;
        let late = || Fault::Lost(format!("GitHub gave no answer within {} seconds.", self.timeout.as_secs_f32()));
        let reply = sent.map_err(|_| late())??;
        fault::common(&reply).map_or(Ok(reply), Err)
    }

    async fn send(&self, mut request: Request<OctoBody>) -> Result<Reply, Fault> {
        let uri: Result<Uri, _> = format!("{}{}", self.base, request.uri()).parse();
        *request.uri_mut() = uri.map_err(|error| Fault::Host(format!("The request can't be written: {error}.")))?;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, HeaderValue::from_static(NAME));
        headers.insert(ACCEPT, HeaderValue::from_static("application/vnd.github+json"));
        headers.insert("x-github-api-version", HeaderValue::from_static("2022-11-28"));
        headers.insert(AUTHORIZATION, self.authorization.clone());
        let response = self.client.request(request).await.map_err(|error| self.lost(&error))?;
        let (head, body) = response.into_parts();
        let bytes =
            Limited::new(body, LARGEST).collect().await.map_err(|error| match error.is::<LengthLimitError>() {
                true => Fault::TooLong(format!("GitHub's answer is longer than {LARGEST} bytes.")),
                false => self.lost(&*error),
            })?;
        let text = String::from_utf8_lossy(&bytes.to_bytes()).replace(&self.token, "***");
        Ok(Reply { status: head.status, headers: head.headers, text })
    }

    fn lost(&self, error: &(dyn Error + 'static)) -> Fault {
        broken(&innermost(error).replace(&self.token, "***"))
    }
}

/// Returns the fault of a connection that broke.
pub(super) fn broken(why: &str) -> Fault {
    Fault::Lost(format!("The connection to GitHub broke: {}.", one_line(why)))
}

/// Returns the innermost cause of an error, which says the most.
pub(super) fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// Splits an API's address into the server and the path.
///
/// # Errors
/// It is not the address of an API.
pub fn split(url: &str) -> Result<(String, String), Fault> {
    let wrong = || Fault::Host(format!("`{}` isn't the address of an API.", one_line(url)));
    let uri: Uri = url.parse().map_err(|_| wrong())?;
    let (Some(scheme @ ("https" | "http")), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(wrong());
    };
    if authority.as_str().contains('@') || uri.query().is_some() {
        return Err(wrong());
    }
    Ok((format!("{scheme}://{authority}"), uri.path().trim_end_matches('/').to_owned()))
}

/// Returns a client that does nothing on its own.
pub(super) fn client(timeout: Duration) -> Result<Client<HttpsConnector<HttpConnector>, OctoBody>, Fault> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_connect_timeout(Some(CONNECT.min(timeout)));
    http.set_nodelay(true);
    let tls = HttpsConnectorBuilder::new().with_native_roots();
    let tls = tls.map_err(|error| Fault::Host(format!("The certificates of this machine can't be read: {error}.")))?;
    let connector = tls.https_or_http().enable_http1().wrap_connector(http);
    // A kept connection that turns out to be closed before a byte of the request was written is replaced by a new one; that
    // is the only thing that hyper repeats, and it cannot apply anything twice.
    Ok(Client::builder(TokioExecutor::new()).build(connector))
}
