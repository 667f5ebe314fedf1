//! What only a probe asks of GitHub: to open an issue, to lock it, and to take away again what it has made.
//!
//! What it tries goes through the requests that play uses. Here are those that play has no need of, and closer looks at the replies to
//! requests that it has.

use http::Method;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use protocol::forge::{COMMENTS_PER_PAGE, Change, CommitOutcome, Fault};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::authorship::Authorship;
use crate::reply::one_line;
use crate::{GitHub, ReadReply, commit_outcome, fault};

/// A commit that was tried: what play makes of the reply, and GitHub's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitAttempt {
    /// The outcome that play goes by.
    pub outcome: Result<CommitOutcome, Fault>,
    /// The type of GitHub's error, such as `STALE_DATA`; `None` without an error, or without a type.
    pub kind: Option<String>,
    /// GitHub's sentence, as one line; empty without an error.
    pub message: String,
}

/// [Creates an issue](https://docs.github.com/en/rest/issues/issues#create-an-issue) and returns its number.
///
/// # Errors
/// It was refused, or no reply came back.
pub async fn open_issue(github: &GitHub, title: &str, body: &str) -> Result<u64, Fault> {
    #[derive(Deserialize)]
    struct Opened {
        number: u64,
    }
    let reply = github.rest(Method::POST, "issues", Some(json!({ "title": title, "body": body }))).await?;
    match reply.status.as_u16() {
        201 => Ok(reply.json::<Opened>()?.number),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// Looks among the newest open issues for one with this title: an issue whose number was lost with the reply.
///
/// # Errors
/// No reply came back.
pub async fn find_issue(github: &GitHub, title: &str) -> Result<Option<u64>, Fault> {
    let newest = github.get("issues?state=open&sort=created&direction=desc&per_page=30").await?;
    if newest.status != 200 {
        return Err(Fault::Fatal(format!("The issues can't be listed ({}).", newest.status)));
    }
    let issues = newest.body.as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(issues.iter().find(|issue| issue["title"] == title).and_then(|issue| issue["number"].as_u64()))
}

/// [Locks an issue](https://docs.github.com/en/rest/issues/issues#lock-an-issue), or
/// [unlocks it](https://docs.github.com/en/rest/issues/issues#unlock-an-issue).
///
/// # Errors
/// It was refused, or no reply came back.
pub async fn set_locked(github: &GitHub, issue: u64, locked: bool) -> Result<(), Fault> {
    let method = if locked { Method::PUT } else { Method::DELETE };
    let reply = github.rest(method, &format!("issues/{issue}/lock"), None).await?;
    match reply.status.as_u16() {
        204 => Ok(()),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// [Closes an issue](https://docs.github.com/en/rest/issues/issues#update-an-issue) under another title. An issue that is gone needs
/// neither.
///
/// # Errors
/// It was refused, or no reply came back.
pub async fn close_retitled(github: &GitHub, issue: u64, title: &str) -> Result<(), Fault> {
    let closed = json!({ "title": title, "state": "closed" });
    let reply = github.rest(Method::PATCH, &format!("issues/{issue}"), Some(closed)).await?;
    match reply.status.as_u16() {
        200 | 410 => Ok(()),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// Puts a label of any name on an issue, as play does with its own.
///
/// # Errors
/// It was refused, or no reply came back.
pub async fn add_label(github: &GitHub, issue: u64, label: &str) -> Result<(), Fault> {
    github.add_label(issue, label).await
}

/// Returns the names of the labels that an issue has; none of one that cannot be seen.
///
/// # Errors
/// No reply came back.
pub async fn issue_labels(github: &GitHub, issue: u64) -> Result<Vec<String>, Fault> {
    let about = github.get(&format!("issues/{issue}")).await?;
    let labels = about.body["labels"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(labels.iter().filter_map(|label| label["name"].as_str()).map(one_line).collect())
}

/// [Deletes a label](https://docs.github.com/en/rest/issues/labels#delete-a-label). That it is gone already is no fault.
///
/// # Errors
/// It was refused, or no reply came back.
pub async fn delete_label(github: &GitHub, label: &str) -> Result<(), Fault> {
    let path = format!("labels/{}", utf8_percent_encode(label, NON_ALPHANUMERIC));
    let reply = github.rest(Method::DELETE, &path, None).await?;
    match reply.status.as_u16() {
        204 | 404 => Ok(()),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// [Deletes a branch](https://docs.github.com/en/rest/git/refs#delete-a-reference). That it is gone already is no fault.
///
/// # Errors
/// It was refused, or no reply came back.
pub async fn delete_branch(github: &GitHub, branch: &str) -> Result<(), Fault> {
    let reply = github.rest(Method::DELETE, &format!("git/refs/heads/{branch}"), None).await?;
    let said = reply.message();
    match reply.status.as_u16() {
        204 | 404 => Ok(()),
        422 if said.contains("does not exist") => Ok(()),
        _ => Err(fault::from_refusal(&reply)),
    }
}

/// Reads a thread as play does, and returns by which signs its newest comment is the bot's; `None` without a comment.
///
/// # Errors
/// No reply came back, or none that can be read.
pub async fn newest_comment_authorship(github: &GitHub, issue: u64) -> Result<Option<Authorship>, Fault> {
    let ReadReply { viewer, mut repository, .. } = github.query_issues(&[issue], &[], COMMENTS_PER_PAGE).await?;
    Ok(repository.take_issue(0).and_then(|thread| thread.authorship(&viewer)))
}

/// Commits as play does to a branch of this name, which need not be there, and keeps GitHub's words.
///
/// # Errors
/// No reply came back, or none that can be read.
pub async fn try_commit(github: &GitHub, change: &Change, branch: &str) -> Result<CommitAttempt, Fault> {
    let Some(on) = &change.parent else {
        return Err(Fault::Fatal("A commit needs a parent.".to_owned()));
    };
    let reply = github.send_commit(change, on, branch).await?;
    let complaint = reply.errors.first();
    Ok(CommitAttempt {
        kind: complaint.and_then(|complaint| complaint.kind.as_deref()).map(one_line),
        message: complaint.map(|complaint| one_line(&complaint.message)).unwrap_or_default(),
        outcome: commit_outcome(&reply, branch),
    })
}

/// Tests if the repository is hidden from those who are not logged in.
///
/// # Errors
/// No reply came back.
pub async fn is_private(github: &GitHub) -> Result<bool, Fault> {
    let about = github.get("").await?;
    Ok(about.body.get("private").and_then(Value::as_bool).unwrap_or_default())
}
