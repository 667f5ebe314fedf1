//! The faults that GitHub's replies mean: come back later, lost on the way, or something the host must change.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use protocol::forge::Fault;

use crate::reply::{GraphqlError, Reply, one_line};

/// The wait when GitHub names none.
const DEFAULT_WAIT: Duration = Duration::from_secs(60);

/// Returns the fault that a reply means for any request; `None` if it means none: the token, the limits
/// ([REST](https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api)), a server in trouble.
pub(super) fn from_status(reply: &Reply) -> Option<Fault> {
    let said = || reply.message();
    match reply.status.as_u16() {
        401 => Some(Fault::Fatal(format!("GitHub doesn't accept the token ({}). Check the input `token`.", said()))),
        408 | 500.. => Some(Fault::Lost(format!("GitHub had a problem ({}): {}.", reply.status, said()))),
        403 | 429 => rate_limit(reply),
        422 if said().contains("submitted too quickly") => Some(Fault::RetryAfter(DEFAULT_WAIT, wait_message(&said()))),
        _ => None,
    }
}

/// Returns the fault of a status that means nothing particular to the caller.
pub(super) fn from_refusal(reply: &Reply) -> Fault {
    let said = reply.message();
    if mentions_permission(&said) {
        return missing_permission(&said);
    }
    if mentions_archived(&said) {
        return repository_archived(&said);
    }
    if reply.status.is_redirection() {
        let moved = "The repository has moved. Run the workflow in its new place";
        return Fault::Fatal(format!("{moved} ({}).", reply.status));
    }
    Fault::Fatal(format!("GitHub refused the request ({}): {said}", reply.status))
}

/// Returns the wait that an error of GraphQL asks for; `None` if it is no limit of the rate
/// ([GraphQL](https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api)).
pub(super) fn from_rate_limit(complaint: &GraphqlError, headers: &HeaderMap) -> Option<Fault> {
    let said = one_line(&complaint.message);
    let limited = matches!(complaint.kind.as_deref(), Some("RATE_LIMIT" | "RATE_LIMITED"))
        || mentions_rate_limit(&said)
        || said.contains("submitted too quickly");
    limited.then(|| Fault::RetryAfter(retry_delay(headers), wait_message(&said)))
}

/// Returns the fault that an error of GraphQL means for a read.
pub(super) fn from_graphql(complaint: &GraphqlError) -> Fault {
    let said = one_line(&complaint.message);
    match complaint.kind.as_deref() {
        _ if mentions_permission(&said) => missing_permission(&said),
        _ if mentions_archived(&said) => repository_archived(&said),
        Some("FORBIDDEN" | "INSUFFICIENT_SCOPES") => missing_permission(&said),
        Some("INTERNAL" | "TIMEOUT" | "SERVICE_UNAVAILABLE") => Fault::Lost(format!("GitHub had a problem: {said}")),
        // An error of the document itself carries a code; a query that broke down on the way has neither.
        None if complaint.extensions.is_none() => Fault::Lost(format!("GitHub had a problem: {said}")),
        kind => Fault::Fatal(format!(
            "GitHub refused the request ({}): {said}",
            kind.map_or("no type".to_owned(), one_line)
        )),
    }
}

/// Returns the fault that an error of GraphQL means for a commit; `None` for a lost race.
pub(super) fn from_commit_error(complaint: &GraphqlError, branch: &str) -> Option<Fault> {
    let said = one_line(&complaint.message);
    let kind = complaint.kind.as_deref();
    let moved =
        said.contains("Expected branch to point to") || (said.contains(" is at ") && said.contains("but expected"));
    // The branch itself may have gone since it was read: that shows when it is read again.
    let gone = kind == Some("NOT_FOUND") && !said.contains("Repository");
    if kind == Some("STALE_DATA") || moved || gone {
        return None;
    }
    Some(match kind {
        _ if mentions_permission(&said) => missing_permission(&said),
        _ if mentions_archived(&said) => repository_archived(&said),
        Some("FORBIDDEN" | "BRANCH_PROTECTION_RULE_VIOLATION") => branch_protected(branch, &said),
        _ if mentions_branch_protection(&said) => branch_protected(branch, &said),
        Some("NOT_FOUND") => repository_not_found(&said),
        _ => from_graphql(complaint),
    })
}

/// Returns the fault of a repository that cannot be seen.
pub(super) fn repository_not_found(said: &str) -> Fault {
    Fault::Fatal(format!(
        "This token can't see the repository ({}). Give the job `permissions: contents: write` and \
         `issues: write`, or check the input `token`.",
        one_line(said)
    ))
}

/// Returns the fault of a state branch that may not be written to.
pub(super) fn branch_protected(branch: &str, said: &str) -> Fault {
    Fault::Fatal(format!(
        "The bot can't commit to the branch `{}` ({}). Set the input `branch:` to a branch for the games alone, such \
         as `play`; the bot creates it.",
        one_line(branch),
        one_line(said)
    ))
}

/// Tests a sentence of GitHub for rules that guard a branch.
pub(super) fn mentions_branch_protection(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    ["rule violations found", "protected branch", "branch protection"].iter().any(|words| said.contains(words))
}

fn mentions_permission(said: &str) -> bool {
    said.contains("Resource not accessible by")
}

fn mentions_archived(said: &str) -> bool {
    said.to_ascii_lowercase().contains("archived")
}

fn repository_archived(said: &str) -> Fault {
    Fault::Fatal(format!(
        "The repository is archived, so the bot can't write to it ({said}). Unarchive it in its settings, or delete \
         the workflow."
    ))
}

fn missing_permission(said: &str) -> Fault {
    Fault::Fatal(format!(
        "The token isn't allowed to do this ({said}). Give the job `permissions: contents: write` and `issues: write`."
    ))
}

fn mentions_rate_limit(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    said.contains("rate limit") || said.contains("abuse detection")
}

fn rate_limit(reply: &Reply) -> Option<Fault> {
    let said = reply.message();
    // A refusal for good may come with the last request of the hour.
    let used_up = header_number(&reply.headers, "x-ratelimit-remaining") == Some(0)
        && !mentions_permission(&said)
        && !said.to_ascii_lowercase().contains("locked");
    let limited =
        reply.status == 429 || reply.headers.contains_key("retry-after") || mentions_rate_limit(&said) || used_up;
    limited.then(|| Fault::RetryAfter(retry_delay(&reply.headers), wait_message(&said)))
}

fn wait_message(said: &str) -> String {
    format!("GitHub asked the bot to wait: {said}")
}

/// Returns the time that GitHub asks to wait.
fn retry_delay(headers: &HeaderMap) -> Duration {
    if headers.contains_key("retry-after") {
        return header_number(headers, "retry-after").map_or(DEFAULT_WAIT, Duration::from_secs);
    }
    let reset = header_number(headers, "x-ratelimit-reset")
        .filter(|_| header_number(headers, "x-ratelimit-remaining") == Some(0));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    reset.map_or(DEFAULT_WAIT, |reset| Duration::from_secs(reset.saturating_sub(now.as_secs()).max(1)))
}

fn header_number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}
