//! Raw requests to GitHub's APIs. This client shares no code with the bot's, so that it can't share a mistake.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::{Method, Request};
use http_body_util::{BodyExt, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::crypto::ring;
use serde_json::{Value, json};

use crate::Target;

/// A move's own request.
const COMMIT: &str = include_str!("../../../crates/github/src/commit.graphql");
/// The time limit of one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// The size limit of a reply, in bytes.
const MAX_REPLY_BYTES: usize = 16 * 1024 * 1024;

/// A repository on GitHub, with a token.
pub(crate) struct Api {
    client: Client<HttpsConnector<HttpConnector>, String>,
    target: Target,
}

/// A reply with its JSON, or null without any. The token is masked.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Reply {
    /// Returns the first error of a GraphQL reply as its type and its message, or a REST error as its status and its message.
    pub(crate) fn error(&self) -> Option<String> {
        let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
        if let Some(error) = self.body["errors"].get(0).filter(|error| error["message"].is_string()) {
            return Some(format!("`{}`: {}", text(&error["type"]), text(&error["message"])));
        }
        (self.status >= 300).then(|| format!("{}: {}", self.status, text(&self.body["message"])))
    }

    /// Returns the reply, or its error if GitHub refused the request.
    pub(crate) fn accepted(self, what: &str) -> Result<Value> {
        match self.error() {
            None => Ok(self.body),
            Some(error) => bail!("{what}: {error}"),
        }
    }
}

impl Api {
    pub(crate) fn new(target: Target) -> Result<Api> {
        let https = HttpsConnectorBuilder::new().with_provider_and_native_roots(ring::default_provider())?;
        let connector = https.https_or_http().enable_http1().build();
        Ok(Api { client: Client::builder(TokioExecutor::new()).build(connector), target })
    }

    /// Sends a request to a path below the repository.
    pub(crate) async fn rest(&self, method: Method, path: &str, body: Value) -> Result<Reply> {
        let Target { api_url, repository, .. } = &self.target;
        self.send(method, &format!("{api_url}/repos/{repository}/{path}"), &body).await
    }

    /// Gets a path below the repository.
    pub(crate) async fn get(&self, path: &str) -> Result<Value> {
        self.rest(Method::GET, path, Value::Null).await?.accepted(path)
    }

    /// Sends a document with its variables. The repository's owner and name are among them.
    pub(crate) async fn graphql(&self, document: &str, mut variables: Value) -> Result<Reply> {
        let (owner, name) = self.target.repository.split_once('/').unwrap_or_default();
        (variables["owner"], variables["name"]) = (json!(owner), json!(name));
        let body = json!({ "query": document, "variables": variables });
        self.send(Method::POST, &self.target.graphql_url, &body).await
    }

    /// Commits files on a branch if `head` is its newest commit. `None` as a text deletes the file.
    pub(crate) async fn commit(&self, branch: &str, head: &str, files: &[(&str, Option<&str>)]) -> Result<Reply> {
        let added = files.iter().filter_map(|(path, text)| Some((path, (*text)?)));
        let added: Vec<Value> =
            added.map(|(path, text)| json!({ "path": path, "contents": BASE64_STANDARD.encode(text) })).collect();
        let deleted = files.iter().filter(|(_, text)| text.is_none());
        let deleted: Vec<Value> = deleted.map(|(path, _)| json!({ "path": path })).collect();
        let input = json!({
            "branch": { "repositoryNameWithOwner": self.target.repository, "branchName": branch },
            "expectedHeadOid": head,
            "message": { "headline": "The live test of Play by Commit tries a commit [skip ci]" },
            "fileChanges": { "additions": added, "deletions": deleted },
        });
        self.graphql(COMMIT, json!({ "input": input })).await
    }

    async fn send(&self, method: Method, url: &str, body: &Value) -> Result<Reply> {
        let request = Request::builder()
            .method(method)
            .uri(url)
            .header("user-agent", "play-by-commit-live")
            .header("accept", "application/vnd.github+json")
            .header("authorization", format!("Bearer {}", self.target.token))
            .body(if body.is_null() { String::new() } else { body.to_string() })?;
        let reply = async {
            let reply = self.client.request(request).await.context("the connection broke")?;
            let status = reply.status().as_u16();
            let bytes = Limited::new(reply.into_body(), MAX_REPLY_BYTES).collect().await;
            let bytes = bytes.map_err(|why| anyhow::anyhow!("half an answer: {why}"))?.to_bytes();
            let text = String::from_utf8_lossy(&bytes).replace(&self.target.token, "***");
            Ok(Reply { status, body: serde_json::from_str(&text).unwrap_or_default() })
        };
        tokio::time::timeout(REQUEST_TIMEOUT, reply).await.context("GitHub gave no answer in time")?
    }
}
