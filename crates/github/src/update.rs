//! Updates of issues and comments by REST, one request each.

use http::Method;
use protocol::forge::{Assignee, Fault, HostProblem, Label, NOT_ASSIGNED, Update};
use serde_json::{Value, json};
use table::ids::IssueNumber;

use crate::reply::Reply;
use crate::{GitHub, api_path, fault};

impl GitHub {
    /// [Updates](https://docs.github.com/en/rest/issues/issues#update-an-issue) an issue, its labels or its assignees, or adds a
    /// reaction.
    pub(super) async fn send_update(&self, update: &Update) -> Result<(), Fault> {
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
            Update::Close(issue) => {
                let closed = json!({ "state": "closed", "state_reason": "completed" });
                (Method::PATCH, format!("issues/{issue}"), closed)
            }
            Update::Reopen(issue) => (Method::PATCH, format!("issues/{issue}"), json!({ "state": "open" })),
        };
        ok_or_gone(&self.rest(method, &path, Some(body)).await?)
    }

    /// [Adds labels to an issue](https://docs.github.com/en/rest/issues/labels#add-labels-to-an-issue).
    pub(super) async fn add_labels(&self, issue: IssueNumber, labels: &[&str]) -> Result<(), Fault> {
        let body = json!({ "labels": labels });
        ok_or_gone(&self.rest(Method::POST, &format!("issues/{issue}/labels"), Some(body)).await?)
    }

    /// [Removes a label](https://docs.github.com/en/rest/issues/labels#remove-a-label-from-an-issue).
    async fn remove_label(&self, issue: IssueNumber, label: Label) -> Result<(), Fault> {
        ok_or_gone(&self.rest(Method::DELETE, &format!("issues/{issue}/labels/{}", label.name()), None).await?)
    }

    /// [Adds an assignee](https://docs.github.com/en/rest/issues/assignees#add-assignees-to-an-issue). GitHub replies with the issue.
    async fn assign(&self, issue: IssueNumber, person: &Assignee) -> Result<(), Fault> {
        let body = json!({ "assignees": [person.login] });
        let reply = self.rest(Method::POST, &format!("issues/{issue}/assignees"), Some(body)).await?;
        ok_or_gone(&reply)?;
        if reply.status.as_u16() != 201 {
            return Ok(());
        }
        let issue: Value = reply.json()?;
        let people = issue["assignees"].as_array();
        let is_assigned = people.into_iter().flatten().any(|assigned| assigned["id"] == json!(person.id));
        if is_assigned { Ok(()) } else { Err(Fault::Fatal(HostProblem::new(NOT_ASSIGNED))) }
    }
}

/// Returns the outcome of an update. If the issue or comment is gone, there is nothing to do.
fn ok_or_gone(reply: &Reply) -> Result<(), Fault> {
    match reply.status.as_u16() {
        200 | 201 | 204 | 301 | 404 | 410 => Ok(()),
        _ => Err(fault::from_refusal(reply)),
    }
}
