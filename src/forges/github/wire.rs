//! One request, one answer: the HTTP below the forge.
//!
//! Nothing is sent twice here, no redirect is followed, and nothing that comes in is longer than [`LARGEST`]. The token is
//! taken out of whatever comes back, so that no layer above can show it.

use std::error::Error;
use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use octocrab::service::middleware::base_uri::BaseUriLayer;
use octocrab::{AuthState, OctoBody, Octocrab, OctocrabBuilder};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::forges::forge::Fault;
use crate::forges::github::fault;

/// The most bytes that one answer may have: a hundred comments of 65,536 characters of four bytes fit, so that nobody can
/// make a thread unreadable by filling it.
pub const LARGEST: usize = 32 * 1024 * 1024;

/// How long a connection may take to come about, if a whole request may take longer than that.
const CONNECT: Duration = Duration::from_secs(10);

/// How the bot calls itself, as GitHub wants every program to.
const NAME: &str = concat!("play-by-commit/", env!("CARGO_PKG_VERSION"));

/// The connections to a host's two APIs.
pub(super) struct Wire {
    rest: Octocrab,
    graphql: Octocrab,
    rest_path: String,
    graphql_path: String,
    token: String,
    authorization: HeaderValue,
    timeout: Duration,
}

/// What came back over HTTP, when it was neither lost, nor a matter of the token, nor of a rate limit.
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

/// What came back from GraphQL: the two halves of it may well both be there.
#[derive(Deserialize)]
pub(super) struct Answer<T> {
    pub(super) data: Option<T>,
    #[serde(default = "Vec::new")]
    pub(super) errors: Vec<Complaint>,
    #[serde(skip)]
    pub(super) headers: HeaderMap,
}

/// An error as GraphQL reports it.
#[derive(Debug, Deserialize)]
pub(super) struct Complaint {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) path: Option<Vec<Value>>,
    #[serde(default)]
    pub(super) extensions: Option<Value>,
}

impl Wire {
    /// Prepares the connections; none is made yet.
    pub(super) fn new(api_url: &str, graphql_url: &str, token: &str, timeout: Duration) -> Result<Wire, Fault> {
        // The client runs as a task of its own, which has to start somewhere.
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(Fault::Host("GitHub can only be reached from inside a runtime.".to_owned()));
        }
        let (rest_base, rest_path) = split(api_url)?;
        let (graphql_base, graphql_path) = split(graphql_url)?;
        let token = token.trim().to_owned();
        let authorization = HeaderValue::from_str(&format!("Bearer {token}"));
        let Some(mut authorization) = authorization.ok().filter(|_| !token.is_empty()) else {
            return Err(Fault::Host("There is no usable token: check the input `token`.".to_owned()));
        };
        authorization.set_sensitive(true);
        // One client for both, so that they share a connection, unless they live at different places.
        let rest = client(&rest_base, timeout)?;
        let graphql = if graphql_base == rest_base { rest.clone() } else { client(&graphql_base, timeout)? };
        Ok(Wire { rest, graphql, rest_path, graphql_path, token, authorization, timeout })
    }

    /// One request to the REST API. What is left to the asker are the statuses that mean different things to different
    /// requests.
    pub(super) async fn rest(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Reply, Fault> {
        let path = format!("{}{path}", self.rest_path);
        self.exchange(&self.rest, method, &path, body).await
    }

    /// One request to the GraphQL API.
    pub(super) async fn graphql<T>(&self, document: &str, variables: &Value) -> Result<Answer<T>, Fault>
    where
        T: DeserializeOwned,
    {
        let body = json!({ "query": document, "variables": variables });
        let reply = self.exchange(&self.graphql, Method::POST, &self.graphql_path, Some(&body)).await?;
        if reply.status != StatusCode::OK {
            return Err(fault::refused(&reply));
        }
        let mut answer: Answer<T> = decode(&reply.text)?;
        answer.headers = reply.headers;
        if let Some(limit) = answer.errors.iter().find_map(|complaint| fault::rate(complaint, &answer.headers)) {
            return Err(limit);
        }
        Ok(answer)
    }

    async fn exchange(
        &self,
        client: &Octocrab,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Reply, Fault> {
        let sent = tokio::time::timeout(self.timeout, self.send(client, method, path, body)).await;
        let late = || Fault::Lost(format!("GitHub gave no answer within {} seconds.", self.timeout.as_secs_f32()));
        let reply = sent.map_err(|_| late())??;
        match fault::common(&reply) {
            Some(fault) => Err(fault),
            None => Ok(reply),
        }
    }

    async fn send(&self, client: &Octocrab, method: Method, path: &str, body: Option<&Value>) -> Result<Reply, Fault> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(USER_AGENT, NAME)
            .header(ACCEPT, "application/vnd.github+json")
            .header("x-github-api-version", "2022-11-28")
            .header(AUTHORIZATION, self.authorization.clone());
        let request = match body {
            Some(body) => request.header(CONTENT_TYPE, "application/json").body(OctoBody::from(body.to_string())),
            None => request.header(CONTENT_LENGTH, "0").body(OctoBody::empty()),
        };
        let request = request.map_err(|error| Fault::Host(format!("The request cannot be written: {error}.")))?;
        let response = client.execute(request).await.map_err(|error| self.lost(&error))?;
        let (head, body) = response.into_parts();
        let bytes =
            Limited::new(body, LARGEST).collect().await.map_err(|error| match error.is::<LengthLimitError>() {
                true => Fault::Lost(format!("GitHub's answer is longer than {LARGEST} bytes.")),
                false => self.lost(&*error),
            })?;
        let text = String::from_utf8_lossy(&bytes.to_bytes()).replace(&self.token, "***");
        Ok(Reply { status: head.status, headers: head.headers, text })
    }

    /// A broken connection: the innermost cause says the most.
    fn lost(&self, error: &(dyn Error + 'static)) -> Fault {
        let mut cause = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        let why = fault::line(&cause.to_string().replace(&self.token, "***"));
        Fault::Lost(format!("The connection to GitHub broke: {why}."))
    }
}

impl Reply {
    /// Reads the body as JSON.
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        decode(&self.text)
    }
}

fn decode<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    // The error of serde says where it stopped and what it wanted; it quotes at most a word of what it met.
    serde_json::from_str(text)
        .map_err(|error| Fault::Lost(format!("GitHub's answer cannot be read: {}.", fault::line(&error.to_string()))))
}

/// Takes an API's address apart into the place to connect to and the path there. The path is put in front of each
/// request here and not by octocrab, which leaves it out when a request's own path begins alike.
fn split(url: &str) -> Result<(Uri, String), Fault> {
    let wrong = || Fault::Host(format!("`{}` is not the address of an API.", fault::line(url)));
    let uri: Uri = url.parse().map_err(|_| wrong())?;
    let (Some(scheme @ ("https" | "http")), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(wrong());
    };
    if authority.as_str().contains('@') || uri.query().is_some() {
        return Err(wrong());
    }
    let base = format!("{scheme}://{authority}").parse().map_err(|_| wrong())?;
    Ok((base, uri.path().trim_end_matches('/').to_owned()))
}

/// A client that does nothing on its own: octocrab's ready-made one repeats requests and cannot be given a name.
fn client(base: &Uri, timeout: Duration) -> Result<Octocrab, Fault> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_connect_timeout(Some(CONNECT.min(timeout)));
    http.set_nodelay(true);
    let tls = HttpsConnectorBuilder::new().with_native_roots();
    let tls = tls.map_err(|error| Fault::Host(format!("The certificates of this machine cannot be read: {error}.")))?;
    let connector = tls.https_or_http().enable_http1().wrap_connector(http);
    // A kept connection that turns out to be closed before a byte of the request was written is replaced by a new one; that
    // is the only thing that hyper repeats, and it cannot apply anything twice.
    let client: Client<_, OctoBody> = Client::builder(TokioExecutor::new()).build(connector);
    let Ok(octocrab) = OctocrabBuilder::new_empty()
        .with_service(client)
        .with_layer(&BaseUriLayer::new(base.clone()))
        .with_auth(AuthState::None)
        .build();
    Ok(octocrab)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_place_and_a_path() {
        for (url, expected) in [
            ("https://api.github.com", Some(("https://api.github.com/", ""))),
            ("https://api.github.com/", Some(("https://api.github.com/", ""))),
            ("https://api.github.com/graphql", Some(("https://api.github.com/", "/graphql"))),
            ("http://ghe.example:8080/api/v3", Some(("http://ghe.example:8080/", "/api/v3"))),
            ("https://ghe.example/api/graphql/", Some(("https://ghe.example/", "/api/graphql"))),
            ("https://user@ghe.example/api", None),
            ("https://ghe.example/api?x=1", None),
            ("ftp://ghe.example", None),
            ("/api/v3", None),
            ("", None),
        ] {
            let found = split(url).ok().map(|(base, path)| (base.to_string(), path));
            assert_eq!(found, expected.map(|(base, path)| (base.to_owned(), path.to_owned())), "{url}");
        }
    }
}
