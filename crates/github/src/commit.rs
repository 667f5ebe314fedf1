//! Commits a change, if the branch is still at its parent.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use protocol::forge::{Change, CommitOutcome, Fault};
use serde_json::json;
use table::oid::Oid;

use crate::graphql::CommitReply;
use crate::reply::{GraphqlReply, unreadable_reply};
use crate::{GitHub, fault};

const COMMIT: &str = include_str!("commit.graphql");

impl GitHub {
    /// Commits a change with [`createCommitOnBranch`](https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch).
    pub(super) async fn send_commit(
        &self,
        change: &Change,
        parent: &Oid,
        branch: &str,
    ) -> Result<GraphqlReply<CommitReply>, Fault> {
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
pub(super) fn commit_outcome(reply: &GraphqlReply<CommitReply>, branch: &str) -> Result<CommitOutcome, Fault> {
    if let Some(error) = reply.errors.first() {
        return fault::from_commit_error(error, branch).map_or(Ok(CommitOutcome::Stale), Err);
    }
    let oid = reply.data.as_ref().and_then(CommitReply::oid);
    oid.map(CommitOutcome::Landed).ok_or_else(|| unreadable_reply("a commit without an id"))
}
