//! Commits a change, if the branch is still at its parent.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::Method;
use protocol::{
    Assignee, Change, CommitOutcome, FileContent, HostError, Label, NOT_ASSIGNED, RequestError, SETTINGS_PATH,
    SettingsFile, Update,
};
use serde::Deserialize;
use serde_json::{Value, json};
use table::{IssueNumber, Oid};

use crate::graphql::CommitReply;
use crate::listing::{GraphqlReply, Reply, unreadable_reply};
use crate::{GitHub, api_path, request_error};

const COMMIT: &str = include_str!("commit.graphql");

impl GitHub {
    /// Commits a change with [`createCommitOnBranch`](https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch).
    pub(super) async fn send_commit(
        &self,
        change: &Change,
        parent: &Oid,
        branch: &str,
    ) -> Result<GraphqlReply<CommitReply>, RequestError> {
        let addition =
            |(path, text): &(String, String)| json!({ "path": path, "contents": BASE64_STANDARD.encode(text) });
        let input = json!({
            "branch": {
                "repositoryNameWithOwner": format!("{}/{}", self.settings.owner, self.settings.name),
                "branchName": branch,
            },
            "expectedHeadOid": parent.as_str(),
            "message": { "headline": change.headline, "body": change.body },
            "fileChanges": {
                "additions": change.files.iter().map(addition).collect::<Vec<_>>(),
                "deletions": change.deleted.iter().map(|path| json!({ "path": path })).collect::<Vec<_>>(),
            },
        });
        self.client.graphql(COMMIT, &json!({ "input": input })).await
    }
}

/// Returns the outcome of a commit. An error's type or message tells whether the branch moved.
pub(super) fn commit_outcome(reply: &GraphqlReply<CommitReply>, branch: &str) -> Result<CommitOutcome, RequestError> {
    if let Some(error) = reply.errors.first() {
        return request_error::from_commit_error(error, branch).map_or(Ok(CommitOutcome::Stale), Err);
    }
    let oid = reply.data.as_ref().and_then(CommitReply::oid);
    oid.map(CommitOutcome::Landed).ok_or_else(|| unreadable_reply("a commit without an id"))
}

// Updates of issues and comments by REST, one request each.

impl GitHub {
    /// [Updates](https://docs.github.com/en/rest/issues/issues#update-an-issue) an issue, its labels or its assignees, or adds a
    /// reaction.
    pub(super) async fn send_update(&self, update: &Update) -> Result<(), RequestError> {
        let (method, path, body) = match update {
            Update::Rocket(source) => {
                (Method::POST, format!("{}/reactions", api_path(*source)), json!({ "content": "rocket" }))
            }
            Update::Label(issue, label) => return self.add_labels(*issue, &[label.name()]).await,
            Update::Unlabel(issue, label) => return self.remove_label(*issue, *label).await,
            Update::Title(issue, title) => (Method::PATCH, format!("issues/{issue}"), json!({ "title": title })),
            Update::Unassign(issue, person) => {
                (Method::DELETE, format!("issues/{issue}/assignees"), json!({ "assignees": [person.login] }))
            }
            Update::Assign(issue, person) => return self.assign(*issue, person).await,
            // REST can't do this. The next answer tries again.
            Update::Minimize(_) => return Ok(()),
            Update::Vote(ballot, reactions) => return self.add_votes(*ballot, reactions).await,
            Update::Close(issue) => {
                let closed = json!({ "state": "closed", "state_reason": "completed" });
                (Method::PATCH, format!("issues/{issue}"), closed)
            }
            Update::Reopen(issue) => (Method::PATCH, format!("issues/{issue}"), json!({ "state": "open" })),
        };
        ok_or_gone(&self.rest(method, &path, Some(body)).await?)
    }

    /// [Adds labels to an issue](https://docs.github.com/en/rest/issues/labels#add-labels-to-an-issue).
    pub(super) async fn add_labels(&self, issue: IssueNumber, labels: &[&str]) -> Result<(), RequestError> {
        let body = json!({ "labels": labels });
        ok_or_gone(&self.rest(Method::POST, &format!("issues/{issue}/labels"), Some(body)).await?)
    }

    /// [Removes a label](https://docs.github.com/en/rest/issues/labels#remove-a-label-from-an-issue).
    async fn remove_label(&self, issue: IssueNumber, label: Label) -> Result<(), RequestError> {
        ok_or_gone(&self.rest(Method::DELETE, &format!("issues/{issue}/labels/{}", label.name()), None).await?)
    }

    /// [Adds an assignee](https://docs.github.com/en/rest/issues/assignees#add-assignees-to-an-issue). GitHub replies with the issue.
    async fn assign(&self, issue: IssueNumber, person: &Assignee) -> Result<(), RequestError> {
        let body = json!({ "assignees": [person.login] });
        let reply = self.rest(Method::POST, &format!("issues/{issue}/assignees"), Some(body)).await?;
        ok_or_gone(&reply)?;
        if reply.status.as_u16() != 201 {
            return Ok(());
        }
        let issue: Value = reply.json()?;
        let people = issue["assignees"].as_array();
        let is_assigned = people.into_iter().flatten().any(|assigned| assigned["id"] == json!(person.id));
        if is_assigned { Ok(()) } else { Err(RequestError::Fatal(HostError::new(NOT_ASSIGNED))) }
    }
}

/// Returns the outcome of an update. If the issue or comment is gone, there is nothing to do.
fn ok_or_gone(reply: &Reply) -> Result<(), RequestError> {
    match reply.status.as_u16() {
        200 | 201 | 204 | 301 | 404 | 410 => Ok(()),
        _ => Err(request_error::from_refusal(reply)),
    }
}

// The files of a commit in a reply.

/// Files by the aliases from [`expand`](crate::graphql::expand).
#[derive(Deserialize)]
pub(super) struct FileEntries {
    #[serde(flatten)]
    files: BTreeMap<String, Option<FileEntry>>,
}

#[derive(Deserialize)]
pub(super) struct FileEntry {
    #[serde(default)]
    object: Option<BlobNode>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlobNode {
    #[serde(rename = "__typename")]
    kind: String,
    #[serde(default)]
    oid: Option<String>,
    byte_size: Option<usize>,
    is_binary: Option<bool>,
    #[serde(default)]
    is_truncated: bool,
    text: Option<String>,
}

impl FileEntries {
    /// Returns the files by path. `paths` are those of the query, in the same order.
    pub(super) fn by_path(&self, paths: &[String]) -> BTreeMap<String, FileContent> {
        let entry = |index: usize| self.files.get(&format!("file{index}")).and_then(Option::as_ref);
        paths.iter().enumerate().map(|(index, path)| (path.clone(), to_file(entry(index), path))).collect()
    }
}

impl BlobNode {
    /// Returns the settings file with this content; `None` if it isn't a file.
    pub(super) fn into_settings(self, is_shared: bool) -> Option<SettingsFile> {
        let blob = self.oid.as_deref().and_then(Oid::parse)?;
        Some(SettingsFile { blob, content: to_content(Some(&self), SETTINGS_PATH), is_shared })
    }
}

/// Returns the content of a file; `None` if it doesn't exist.
pub(super) fn to_file(entry: Option<&FileEntry>, path: &str) -> FileContent {
    let Some(entry) = entry else { return FileContent::Missing };
    to_content(entry.object.as_ref(), path)
}

/// Returns the content of the object at a path.
fn to_content(object: Option<&BlobNode>, path: &str) -> FileContent {
    let why = match object {
        Some(object) if object.kind != "Blob" => "is not a file",
        None => "is not a file",
        Some(object) if object.is_truncated => "is too large: GitHub sends only a part of it",
        Some(BlobNode { is_binary: Some(true), .. } | BlobNode { text: None, .. }) => "is not text",
        // GitHub replaces invalid UTF-8. Writing that back would change the file.
        Some(BlobNode { text: Some(text), byte_size: Some(size), .. }) if text.len() != *size => "isn't UTF-8 text",
        Some(BlobNode { text: Some(text), .. }) => return FileContent::Text(text.clone()),
    };
    FileContent::Unreadable(format!("`{path}` {why}"))
}
