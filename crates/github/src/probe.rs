//! Requests that only the probe makes: to open and lock issues, to inspect replies in detail, and to clean up.
//!
//! The probe tries everything else through the same requests as a run.

use http::Method;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use protocol::forge::{COMMENTS_PER_PAGE, Change, CommitOutcome, Fault, HostProblem};
use serde::Deserialize;
use serde_json::{Value, json};
use table::ids::IssueNumber;

use crate::authorship::Authorship;
use crate::commit::commit_outcome;
use crate::reply::one_line;
use crate::{GitHub, ReadReply, fault};

/// The outcome of a commit, and GitHub's error message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitAttempt {
    /// The outcome that a run would see.
    pub outcome: Result<CommitOutcome, Fault>,
    /// The type of GitHub's error, such as `STALE_DATA`; `None` without an error, or without a type.
    pub kind: Option<String>,
    /// GitHub's error message, as one line; empty without an error.
    pub message: String,
}

/// [Creates an issue](https://docs.github.com/en/rest/issues/issues#create-an-issue) and returns its number.
///
/// # Errors
/// Returns an error if GitHub refuses it, or if no reply comes back.
pub async fn open_issue(github: &GitHub, title: &str, body: &str) -> Result<IssueNumber, Fault> {
    #[derive(Deserialize)]
    struct Opened {
        number: IssueNumber,
    }
    let reply = github.rest(Method::POST, "issues", Some(json!({ "title": title, "body": body }))).await?;
    match reply.status.as_u16() {
        201 => Ok(reply.json::<Opened>()?.number),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// Finds an issue with this title among the newest open ones, in case the reply with its number was lost.
///
/// # Errors
/// Returns an error if no reply comes back.
pub async fn find_issue(github: &GitHub, title: &str) -> Result<Option<IssueNumber>, Fault> {
    let newest = github.get("issues?state=open&sort=created&direction=desc&per_page=30").await?;
    if newest.status != 200 {
        return Err(Fault::Fatal(HostProblem::new(format!("The issues can't be listed ({}).", newest.status))));
    }
    let issues = newest.body.as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(issues
        .iter()
        .find(|issue| issue["title"] == title)
        .and_then(|issue| issue["number"].as_u64())
        .map(IssueNumber::new))
}

/// [Locks an issue](https://docs.github.com/en/rest/issues/issues#lock-an-issue), or
/// [unlocks it](https://docs.github.com/en/rest/issues/issues#unlock-an-issue).
///
/// # Errors
/// Returns an error if GitHub refuses it, or if no reply comes back.
pub async fn set_locked(github: &GitHub, issue: IssueNumber, locked: bool) -> Result<(), Fault> {
    let method = if locked { Method::PUT } else { Method::DELETE };
    let reply = github.rest(method, &format!("issues/{issue}/lock"), None).await?;
    match reply.status.as_u16() {
        204 => Ok(()),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// [Closes an issue and changes its title](https://docs.github.com/en/rest/issues/issues#update-an-issue). Does nothing if the
/// issue is gone.
///
/// # Errors
/// Returns an error if GitHub refuses it, or if no reply comes back.
pub async fn close_retitled(github: &GitHub, issue: IssueNumber, title: &str) -> Result<(), Fault> {
    let closed = json!({ "title": title, "state": "closed" });
    let reply = github.rest(Method::PATCH, &format!("issues/{issue}"), Some(closed)).await?;
    match reply.status.as_u16() {
        200 | 410 => Ok(()),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// Adds a label with this name to an issue.
///
/// # Errors
/// Returns an error if GitHub refuses it, or if no reply comes back.
pub async fn add_label(github: &GitHub, issue: IssueNumber, label: &str) -> Result<(), Fault> {
    github.add_labels(issue, &[label]).await
}

/// Returns the names of an issue's labels; empty if the token can't see the issue.
///
/// # Errors
/// Returns an error if no reply comes back.
pub async fn issue_labels(github: &GitHub, issue: IssueNumber) -> Result<Vec<String>, Fault> {
    let about = github.get(&format!("issues/{issue}")).await?;
    let labels = about.body["labels"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(labels.iter().filter_map(|label| label["name"].as_str()).map(one_line).collect())
}

/// [Deletes a label](https://docs.github.com/en/rest/issues/labels#delete-a-label). Does nothing if it is gone already.
///
/// # Errors
/// Returns an error if GitHub refuses it, or if no reply comes back.
pub async fn delete_label(github: &GitHub, label: &str) -> Result<(), Fault> {
    let path = format!("labels/{}", utf8_percent_encode(label, NON_ALPHANUMERIC));
    let reply = github.rest(Method::DELETE, &path, None).await?;
    match reply.status.as_u16() {
        204 | 404 => Ok(()),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// [Deletes a branch](https://docs.github.com/en/rest/git/refs#delete-a-reference). Does nothing if it is gone already.
///
/// # Errors
/// Returns an error if GitHub refuses it, or if no reply comes back.
pub async fn delete_branch(github: &GitHub, branch: &str) -> Result<(), Fault> {
    let reply = github.rest(Method::DELETE, &format!("git/refs/heads/{branch}"), None).await?;
    let message = reply.message();
    match reply.status.as_u16() {
        204 | 404 => Ok(()),
        422 if message.contains("does not exist") => Ok(()),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// Returns the authorship of an issue's newest comment, read as a run reads it; `None` without comments.
///
/// # Errors
/// Returns an error if no readable reply comes back.
pub async fn newest_comment_authorship(github: &GitHub, issue: IssueNumber) -> Result<Option<Authorship>, Fault> {
    let ReadReply { viewer, mut repository, .. } = github.query_issues(&[issue], &[], COMMENTS_PER_PAGE).await?;
    Ok(repository.take_issue(0).and_then(|thread| thread.authorship(&viewer)))
}

/// Commits as a run does, to a branch that may not exist, and keeps GitHub's error message.
///
/// # Errors
/// Returns an error if no readable reply comes back.
pub async fn try_commit(github: &GitHub, change: &Change, branch: &str) -> Result<CommitAttempt, Fault> {
    let Some(parent) = &change.parent else {
        return Err(Fault::Fatal(HostProblem::new("A commit needs a parent.")));
    };
    let reply = github.send_commit(change, parent, branch).await?;
    let error = reply.errors.first();
    Ok(CommitAttempt {
        kind: error.and_then(|error| error.kind.as_deref()).map(one_line),
        message: error.map(|error| one_line(&error.message)).unwrap_or_default(),
        outcome: commit_outcome(&reply, branch),
    })
}

/// Whether the repository is private.
///
/// # Errors
/// Returns an error if no reply comes back.
pub async fn is_private(github: &GitHub) -> Result<bool, Fault> {
    let about = github.get("").await?;
    Ok(about.body.get("private").and_then(Value::as_bool).unwrap_or_default())
}
