//! Takes webhooks: checks the signature, notes what to look at, and answers at once.
//!
//! A payload is only a hint. The commands themselves come from GitHub's API.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use github::event::{ParsedEvent, parse_event};
use github::one_line;
use hmac::{Hmac, Mac};
use http_body_util::BodyExt;
use protocol::Trigger;
use protocol::wakes::{InstallationId, Place, Target, Wake};
use serde::Deserialize;
use sha2::Sha256;
use table::IssueNumber;
use tokio::sync::OwnedSemaphorePermit;
use tracing::{debug, info, warn};

use crate::app::{Installation, RepositoryInfo};
use crate::metrics::kind;
use crate::server::Server;

/// The size limit of a webhook, in bytes. The longest comment with everything around it is below 1 MB.
const MAX_BODY: usize = 4 * 1024 * 1024;
/// The time within which a webhook has to arrive. GitHub gives up after ten seconds.
const BODY_TIME: Duration = Duration::from_secs(10);
/// The size of a body that waits for no other, in bytes. Nearly all comments are shorter, so nobody can hold them up with long bodies.
const SMALL_BODY: usize = 64 * 1024;
/// What all longer bodies may take at once, in units of 16 KB.
pub(super) const BODY_UNITS: usize = 16 * 1024 * 1024 / BODY_UNIT;
const BODY_UNIT: usize = 16 * 1024;

/// The part of a payload that says where something happened.
#[derive(Deserialize)]
struct Envelope {
    action: Option<String>,
    installation: Option<EnvelopeInstallation>,
    repository: Option<RepositoryInfo>,
    issue: Option<EnvelopeIssue>,
}

#[derive(Deserialize)]
struct EnvelopeIssue {
    number: IssueNumber,
}

#[derive(Deserialize)]
struct EnvelopeInstallation {
    id: u64,
    /// Only events about the installation have it.
    account: Option<crate::app::Account>,
}

/// Returns the routes of a running server.
pub(super) fn routes(server: Arc<Server>) -> Router {
    Router::new()
        .route("/webhook", post(take_webhook))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(show_readiness))
        .route("/metrics", get(show_metrics))
        .with_state(server)
}

async fn show_readiness(State(server): State<Arc<Server>>) -> Response {
    match server.readiness() {
        Ok(()) => "ready\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

async fn show_metrics(State(server): State<Arc<Server>>) -> Response {
    let format = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, format)], server.metrics_text()).into_response()
}

async fn take_webhook(State(server): State<Arc<Server>>, headers: HeaderMap, body: Body) -> Response {
    let count = |outcome| {
        server.metrics.webhooks.get_or_create(&kind(outcome)).inc();
    };
    let (bytes, _permit) = match read_body(&server, &headers, body).await {
        Ok(read) => read,
        Err((status, why)) => {
            count("unreadable");
            return (status, why).into_response();
        }
    };
    if !is_signed(&server, &headers, &bytes) {
        count("forged");
        warn!("A webhook has no valid signature. If GitHub sent it, the webhook secret here isn't the App's.");
        return (StatusCode::UNAUTHORIZED, "the signature isn't valid\n").into_response();
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(one_line).unwrap_or_default();
    let (event, delivery) = (text("x-github-event"), text("x-github-delivery"));
    let Some(payload) = std::str::from_utf8(&bytes).ok() else {
        count("unreadable");
        return (StatusCode::BAD_REQUEST, "the payload isn't UTF-8\n").into_response();
    };
    match note_event(&server, &event, &delivery, payload) {
        Ok(()) => {
            count("accepted");
            (StatusCode::ACCEPTED, "accepted\n").into_response()
        }
        Err(why) => {
            count("unreadable");
            warn!(delivery, "A webhook `{event}` can't be read: {why}");
            (StatusCode::BAD_REQUEST, "the payload can't be read\n").into_response()
        }
    }
}

/// Reads a body within the limits, and returns it with the permit for its memory.
async fn read_body(
    server: &Server,
    headers: &HeaderMap,
    mut body: Body,
) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), (StatusCode, &'static str)> {
    let too_long = (StatusCode::PAYLOAD_TOO_LARGE, "the payload is longer than 4 MB\n");
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > MAX_BODY) {
        return Err(too_long);
    }
    // GitHub says how long a body is. One that doesn't say it counts as the longest.
    let size = length.unwrap_or(MAX_BODY);
    let read = async {
        let permit = if size > SMALL_BODY {
            let units = u32::try_from(size.div_ceil(BODY_UNIT)).unwrap_or(u32::MAX);
            let permit = server.body_memory.clone().acquire_many_owned(units).await;
            Some(permit.map_err(|_| (StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down\n"))?)
        } else {
            None
        };
        let mut bytes = Vec::with_capacity(size);
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| (StatusCode::BAD_REQUEST, "the payload broke off\n"))?;
            let Ok(data) = frame.into_data() else { continue };
            if bytes.len() + data.len() > size {
                return Err(too_long);
            }
            bytes.extend_from_slice(&data);
        }
        Ok((bytes, permit))
    };
    let late = (StatusCode::REQUEST_TIMEOUT, "the payload took longer than ten seconds\n");
    tokio::time::timeout(BODY_TIME, read).await.map_err(|_| late)?
}

/// Whether the body has a signature with one of the secrets, compared in constant time.
fn is_signed(server: &Server, headers: &HeaderMap, body: &[u8]) -> bool {
    let signature = headers.get("x-hub-signature-256").and_then(|value| value.to_str().ok()?.strip_prefix("sha256="));
    let Some(signature) = signature.and_then(|digits| hex::decode(digits).ok()) else { return false };
    server.config.webhook_secrets.iter().any(|secret| {
        let mac = <Hmac<Sha256> as Mac>::new_from_slice(secret.0.as_bytes());
        mac.is_ok_and(|mac| mac.chain_update(body).verify_slice(&signature).is_ok())
    })
}

/// Notes what an event says: where to look, or what has changed about an installation.
///
/// # Errors
/// Returns an error with the reason if the payload can't be read.
fn note_event(server: &Arc<Server>, event: &str, delivery: &str, payload: &str) -> Result<(), String> {
    let envelope: Envelope = serde_json::from_str(payload).map_err(|error| table::json::error_message(&error))?;
    let Some(installation) = &envelope.installation else {
        debug!(delivery, "Nothing to do for `{event}`, which is about no installation.");
        return Ok(());
    };
    let id = InstallationId(installation.id);
    let owner = envelope.repository.as_ref().and_then(|repository| repository.full_name.split('/').next());
    let account = installation.account.as_ref().map(|account| account.login.as_str()).or(owner);
    if account.is_some_and(|account| !server.config.plays_for(account)) {
        info!(delivery, "Ignoring `{event}`: the setting `accounts` doesn't name this account.");
        return Ok(());
    }
    let action = envelope.action.as_deref().unwrap_or_default();
    match event {
        "installation" | "installation_repositories" | "repository" => refresh(server.clone(), id),
        "issue_comment" | "issues" => {
            let Some(repository) = &envelope.repository else { return Ok(()) };
            let parsed = parse_event(event, payload).map_err(|error| error.to_string())?;
            let (issue, comment) = match (parsed, &envelope.issue) {
                (ParsedEvent::Run(Trigger::Comment { source, table }), _) => (source.issue, Some((source, table))),
                // While it was locked, nobody got an answer.
                (_, Some(issue)) if action == "unlocked" => (issue.number, None),
                _ => {
                    debug!(delivery, "Nothing to do for `{event}` ({action}).");
                    return Ok(());
                }
            };
            server.note_repository(id, repository);
            let now = server.now();
            let place = Place { installation: id, repository: repository.id, target: Target::Thread(issue) };
            info!(delivery, repository = %one_line(&repository.full_name), issue = issue.get(), "A webhook has arrived.");
            server.wake(place, Wake { comment, ..Wake::at(now) });
        }
        _ => debug!(delivery, "Nothing to do for `{event}`."),
    }
    Ok(())
}

/// Reads what has changed about an installation, in the background. If that fails, a run finds out.
fn refresh(server: Arc<Server>, id: InstallationId) {
    tokio::spawn(async move {
        if let Err(error) = server.refresh(id).await {
            warn!(installation = id.0, "The installation can't be read: {error}");
        }
    });
}

/// Returns whether an installation in a list is suspended.
pub(super) fn is_suspended(installation: &Installation) -> bool {
    installation.suspended_at.is_some()
}
