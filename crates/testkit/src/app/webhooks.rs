//! What webhooks say.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Shared;
use super::data::{Data, rename};
use super::deliveries::{Courier, Outgoing};
use super::endpoints::time;
use crate::payloads;
use crate::place;

/// The events that every App gets.
const ALWAYS: [&str; 3] = ["installation", "installation_repositories", "ping"];

/// The surroundings of a webhook.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Subject {
    pub(super) installation: Option<u64>,
    pub(super) repository: Option<u64>,
    /// The issue and the comment.
    pub(super) comment: Option<(u64, u64)>,
}

/// Sends a webhook to the App's URLs, if it has any and wants the event.
pub(super) fn send(shared: &Shared, data: &mut Data, event: &'static str, subject: Subject, payload: &Value) {
    let is_wanted = ALWAYS.contains(&event) || data.app.events.iter().any(|wanted| wanted == event);
    if data.app.urls.is_empty() || !is_wanted {
        return;
    }
    let fate = data.courier.decide();
    let outgoing = Outgoing {
        guid: Courier::guid(data.next()),
        event,
        action: payload["action"].as_str().map(str::to_owned),
        installation: subject.installation,
        repository: subject.repository,
        subject: subject.comment,
        payload: Arc::from(payload.to_string()),
        is_redelivery: false,
        fate,
    };
    drop(shared.outbox.send(outgoing));
}

/// Sends a webhook about an issue, or about one of its comments unless that is 0. Without an installation nobody gets it.
pub(super) fn send_comment(
    shared: &Shared,
    repository: u64,
    (issue, comment): (u64, u64),
    action: &str,
    more: impl FnOnce(&mut Value),
) {
    let mut data = shared.data();
    let Some(installation) = data.installation_of(repository) else { return };
    if installation.suspended.is_some() || data.app.urls.is_empty() {
        return;
    }
    let subject =
        Subject { installation: Some(installation.id), repository: Some(repository), comment: Some((issue, comment)) };
    let Some(mut payload) = comment_payload(&data, repository, (issue, comment), action) else { return };
    payload["installation"] = installation_json(subject.installation);
    more(&mut payload);
    let event = if comment == 0 { "issues" } else { "issue_comment" };
    send(shared, &mut data, event, subject, &payload);
}

/// Returns the payload about an issue or a comment; `None` if it's gone.
fn comment_payload(data: &Data, repository: u64, (issue, comment): (u64, u64), action: &str) -> Option<Value> {
    let found = &data.repositories[&repository];
    let user = |login: &str| {
        if login == data.app.slug { data.app.bot_json() } else { data.account_json(login) }
    };
    let mut payload = found.world.with_state(|state| {
        let (body, note) = (state.note(place(issue, 0))?, state.note(place(issue, comment))?);
        let number = issue;
        let issue = state.issue(issue)?;
        let author = user(body.author.as_deref()?);
        let mut shown = payloads::issue(number, author, Value::Null);
        shown["labels"] = issue.labels.iter().map(|label| payloads::label(label)).collect();
        shown["state"] = json!(if issue.closed { "closed" } else { "open" });
        shown["locked"] = json!(issue.locked);
        shown["comments"] = json!(issue.comments.len());
        shown["node_id"] = json!(crate::server::graphql::id(state, place(number, 0)));
        shown["created_at"] = json!(time(body.created));
        shown["updated_at"] = json!(time(issue.updated));
        let mut payload = if comment == 0 {
            payloads::issues(action, shown)
        } else {
            let mut remark = payloads::comment(comment, user(note.author.as_deref()?), Value::Null);
            remark["node_id"] = json!(crate::server::graphql::id(state, place(number, comment)));
            remark["created_at"] = json!(time(note.created));
            remark["updated_at"] = json!(time(note.edited.unwrap_or(note.created)));
            payloads::issue_comment(action, shown, remark)
        };
        rename(&mut payload, &found.full_name());
        payload["issue"]["title"] = json!(issue.title);
        payload["issue"]["body"] = json!(body.text);
        if comment != 0 {
            payload["comment"]["body"] = json!(note.text);
        }
        Some(payload)
    })?;
    payload["repository"] = data.repository_json(repository);
    add_organization(data, &found.owner, &mut payload);
    Some(payload)
}

/// Sets the organization of a payload, if the owner is one.
fn add_organization(data: &Data, owner: &str, payload: &mut Value) {
    let owner = data.account_json(owner);
    if let Some(fields) = payload.as_object_mut() {
        fields.remove("organization");
    }
    if owner["type"] == "Organization" {
        payload["organization"] = owner;
    }
}

/// Returns an installation as payloads about issues show it.
pub(super) fn installation_json(id: Option<u64>) -> Value {
    json!({ "id": id, "node_id": id.map(|id| format!("MDIz{id}")) })
}

/// Sends `installation` with this action.
pub(super) fn send_installation(shared: &Shared, data: &mut Data, installation: u64, action: &str) {
    let payload = json!({
        "action": action,
        "installation": data.installation_json(&shared.url, installation),
        "repositories": short_repositories(data, data.installations[&installation].repositories.iter().copied()),
        "requester": null,
        "sender": data.account_json(&data.installations[&installation].account),
    });
    let subject = Subject { installation: Some(installation), ..Subject::default() };
    send(shared, data, "installation", subject, &payload);
}

/// Sends `installation_repositories` about one repository.
pub(super) fn send_repositories(shared: &Shared, data: &mut Data, installation: u64, action: &str, repository: u64) {
    let [mut added, mut removed] = [json!([]), json!([])];
    let changed = if action == "added" { &mut added } else { &mut removed };
    *changed = short_repositories(data, [repository].into_iter());
    let payload = json!({
        "action": action,
        "installation": data.installation_json(&shared.url, installation),
        "repository_selection": "selected",
        "repositories_added": added,
        "repositories_removed": removed,
        "requester": null,
        "sender": data.account_json(&data.installations[&installation].account),
    });
    let subject = Subject { installation: Some(installation), ..Subject::default() };
    send(shared, data, "installation_repositories", subject, &payload);
}

/// Sends `repository` with this action. Without an installation nobody gets it.
pub(super) fn send_repository(shared: &Shared, data: &mut Data, repository: u64, action: &str, changes: Option<Value>) {
    let Some(installation) = data.installation_of(repository) else { return };
    if installation.suspended.is_some() {
        return;
    }
    let installation = Some(installation.id);
    let owner = data.repositories[&repository].owner.clone();
    let mut payload = json!({
        "action": action,
        "repository": data.repository_json(repository),
        "sender": data.account_json(&owner),
        "installation": installation_json(installation),
    });
    if let Some(changes) = changes {
        payload["changes"] = changes;
    }
    add_organization(data, &owner, &mut payload);
    let subject = Subject { installation, repository: Some(repository), comment: None };
    send(shared, data, "repository", subject, &payload);
}

/// Sends `ping`.
pub(super) fn send_ping(shared: &Shared, data: &mut Data) {
    let hook = json!({ "type": "App", "id": super::deliveries::HOOK_ID, "active": true, "events": data.app.events, "app_id": data.app.id });
    let payload = json!({ "zen": "Keep it logically awesome.", "hook_id": super::deliveries::HOOK_ID, "hook": hook });
    send(shared, data, "ping", Subject::default(), &payload);
}

/// Returns repositories as payloads about installations list them.
fn short_repositories(data: &Data, repositories: impl Iterator<Item = u64>) -> Value {
    let short = |id: u64| {
        let repository = &data.repositories[&id];
        json!({
            "id": id, "node_id": format!("R_{id}"), "name": repository.name, "full_name": repository.full_name(),
            "private": false,
        })
    };
    repositories.map(short).collect()
}
