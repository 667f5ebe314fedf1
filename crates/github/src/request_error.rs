//! Maps GitHub's error replies to a [`RequestError`].

use std::time::Duration;

use http::HeaderMap;
use protocol::{Clock, HostError, Remedy, RequestError};
use table::Timestamp;

use crate::listing::{GraphqlError, Reply, reply_time};
use crate::one_line;

/// How long to wait if GitHub doesn't say.
const DEFAULT_WAIT: Duration = Duration::from_secs(60);

/// Returns the error of a status that means the same for every request: a bad token, a server error, or a
/// [rate limit](https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api). `None` for any other status.
pub(super) fn from_status(reply: &Reply) -> Option<RequestError> {
    let message = || reply.message();
    match reply.status.as_u16() {
        401 => Some(fatal(format!("GitHub doesn't accept the token ({}).", message()), Remedy::Token)),
        408 | 500.. => Some(RequestError::Lost(format!("GitHub had a problem ({}): {}.", reply.status, message()))),
        403 | 429 => rate_limit(reply),
        422 if message().contains("submitted too quickly") => {
            Some(RequestError::RetryAfter(DEFAULT_WAIT, wait_message(&message())))
        }
        _ => None,
    }
}

/// Returns a error with a remedy.
fn fatal(what: String, remedy: Remedy) -> RequestError {
    RequestError::Fatal(HostError::with_remedy(what, remedy))
}

/// Returns the error of a status that the caller doesn't expect.
pub(super) fn from_refusal(reply: &Reply) -> RequestError {
    let message = reply.message();
    if let Some(error) = from_message(&message) {
        return error;
    }
    if reply.status.is_redirection() {
        let what = format!("The repository has moved. Run the workflow in its new place ({}).", reply.status);
        return RequestError::Fatal(HostError::new(what));
    }
    RequestError::Fatal(HostError::new(format!("GitHub refused the request ({}): {message}", reply.status)))
}

/// Returns the error of a GraphQL error if it is a
/// [rate limit](https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api).
pub(super) fn from_rate_limit(error: &GraphqlError, headers: &HeaderMap) -> Option<RequestError> {
    let message = one_line(&error.message);
    let is_limit = matches!(error.kind.as_deref(), Some("RATE_LIMIT" | "RATE_LIMITED"))
        || mentions_rate_limit(&message)
        || message.contains("submitted too quickly");
    if is_limit { Some(RequestError::RetryAfter(retry_delay(headers), wait_message(&message))) } else { None }
}

/// Returns the error of a GraphQL error in the reply to a read.
pub(super) fn from_graphql(error: &GraphqlError) -> RequestError {
    let message = one_line(&error.message);
    if let Some(error) = from_message(&message) {
        return error;
    }
    match error.kind.as_deref() {
        Some("FORBIDDEN" | "INSUFFICIENT_SCOPES") => missing_permission(&message),
        Some("RESOURCE_LIMITS_EXCEEDED") => {
            RequestError::TooLong(format!("GitHub returned only a part of the answer: {message}"))
        }
        Some("INTERNAL" | "TIMEOUT" | "SERVICE_UNAVAILABLE") => {
            RequestError::Lost(format!("GitHub had a problem: {message}"))
        }
        // An error in the query has extensions with a code. A query that failed on GitHub's side has neither.
        None if error.extensions.is_none() => RequestError::Lost(format!("GitHub had a problem: {message}")),
        kind => {
            let kind = kind.map_or("no type".to_owned(), one_line);
            RequestError::Fatal(HostError::new(format!("GitHub refused the request ({kind}): {message}")))
        }
    }
}

/// Returns the error of a GraphQL error in the reply to a commit; `None` if the commit is stale: the branch has moved or is gone,
/// or GitHub doesn't know yet that a file exists that the commit deletes.
pub(super) fn from_commit_error(error: &GraphqlError, branch: &str) -> Option<RequestError> {
    let message = one_line(&error.message);
    let kind = error.kind.as_deref();
    let has_moved = message.contains("Expected branch to point to")
        || (message.contains(" is at ") && message.contains("but expected"));
    // Somebody may have deleted the branch since the read. The next read shows that.
    let is_gone = kind == Some("NOT_FOUND") && !message.contains("Repository");
    let is_too_early = message.contains("requested for deletion which does not exist");
    if kind == Some("STALE_DATA") || has_moved || is_gone || is_too_early {
        return None;
    }
    if let Some(error) = from_message(&message) {
        return Some(error);
    }
    Some(match kind {
        Some("FORBIDDEN" | "BRANCH_PROTECTION_RULE_VIOLATION") => branch_protected(branch, &message),
        _ if mentions_branch_protection(&message) => branch_protected(branch, &message),
        Some("NOT_FOUND") => repository_not_found(&message),
        _ => from_graphql(error),
    })
}

/// Returns the error of a repository that the token can't see.
pub(super) fn repository_not_found(message: &str) -> RequestError {
    let what = format!("This token can't see the repository ({}).", one_line(message));
    fatal(what, Remedy::PermissionsOrToken)
}

/// Returns the error of a state branch that the token may not write to.
pub(super) fn branch_protected(branch: &str, message: &str) -> RequestError {
    let what = format!("The bot can't commit to the branch `{}` ({}).", one_line(branch), one_line(message));
    fatal(what, Remedy::OwnBranch)
}

/// Whether a message from GitHub is about rules that protect a branch.
pub(super) fn mentions_branch_protection(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    ["rule violations found", "protected branch", "branch protection"].iter().any(|words| message.contains(words))
}

/// Returns the error of a message that means the same in every reply; `None` for any other message.
fn from_message(message: &str) -> Option<RequestError> {
    if mentions_permission(message) {
        Some(missing_permission(message))
    } else if message.to_ascii_lowercase().contains("archived") {
        Some(repository_archived(message))
    } else {
        None
    }
}

fn mentions_permission(message: &str) -> bool {
    message.contains("Resource not accessible by")
}

fn repository_archived(message: &str) -> RequestError {
    RequestError::Fatal(HostError::new(format!(
        "The repository is archived, so the bot can't write to it ({message}). Unarchive it in its settings, or delete \
         the workflow."
    )))
}

fn missing_permission(message: &str) -> RequestError {
    fatal(format!("The token isn't allowed to do this ({message})."), Remedy::Permissions)
}

fn mentions_rate_limit(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    message.contains("rate limit") || message.contains("abuse detection")
}

/// Returns the error of a 403 or 429 if it is a rate limit.
fn rate_limit(reply: &Reply) -> Option<RequestError> {
    let message = reply.message();
    // A permanent refusal may use up the last request of the hour.
    let is_used_up = header_number(&reply.headers, "x-ratelimit-remaining") == Some(0)
        && !mentions_permission(&message)
        && !refuses_comments(&message);
    let is_limit =
        reply.status == 429 || reply.headers.contains_key("retry-after") || mentions_rate_limit(&message) || is_used_up;
    if is_limit { Some(RequestError::RetryAfter(retry_delay(&reply.headers), wait_message(&message))) } else { None }
}

fn wait_message(message: &str) -> String {
    format!("GitHub asked the bot to wait: {message}")
}

/// Returns how long GitHub asks to wait.
fn retry_delay(headers: &HeaderMap) -> Duration {
    if headers.contains_key("retry-after") {
        return header_number(headers, "retry-after").map_or(DEFAULT_WAIT, Duration::from_secs);
    }
    match header_number(headers, "x-ratelimit-reset") {
        Some(reset) if header_number(headers, "x-ratelimit-remaining") == Some(0) => {
            let now = reply_time(headers).unwrap_or_else(|| Clock::start().now());
            Timestamp::from_millis(reset.saturating_mul(1000)).since(now).max(Duration::from_secs(1))
        }
        _ => DEFAULT_WAIT,
    }
}

fn header_number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

/// Whether GitHub's message says that the issue takes no comments: it's locked or full, or the repository limits interactions.
pub(super) fn refuses_comments(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    let reasons = ["locked", "commenting is disabled", "interactions on this repository have been restricted"];
    reasons.iter().any(|reason| message.contains(reason))
}
