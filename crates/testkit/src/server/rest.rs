//! The REST API: comments, reactions, labels, issues and branches. Requests that only the live test makes are in `scratch`.

use crate::place;
use http::Method;
use protocol::{Account, ClaimOutcome, Label};
use serde_json::{Value, json};
use table::{CommentRef, Oid, Permission};

use super::json::{json_message, text};
use super::{NAME, OWNER, Served, scratch};
use crate::server::graphql;
use crate::world::{Request, State, World};

/// Returns the kind of a request, if its path is one that the bot uses.
pub(crate) fn kind(method: &Method, path: &str) -> Option<Request> {
    if method == Method::GET && path == format!("/repos/{OWNER}/{NAME}") {
        return Some(Request::Settings);
    }
    if method == Method::GET && user_in(path).is_some() {
        return Some(Request::Account);
    }
    match (method.as_str(), segments(path)?.as_slice()) {
        ("GET", ["issues", "comments", _] | ["issues", _]) => Some(Request::Exists),
        ("POST", ["issues", _, "comments"]) => Some(Request::Answer),
        ("POST", ["issues", "comments", _, "reactions"] | ["issues", _, "reactions"]) => Some(Request::React),
        ("DELETE", ["issues", "comments", _]) => Some(Request::Delete),
        ("POST", ["issues", _, "labels"]) => Some(Request::Label),
        ("DELETE", ["issues", _, "labels", _]) => Some(Request::Unlabel),
        ("POST", ["issues", _, "assignees"]) => Some(Request::Assign),
        ("DELETE", ["issues", _, "assignees"]) => Some(Request::Unassign),
        ("PATCH", ["issues", _]) => Some(Request::Close),
        ("POST", ["git", "refs"]) => Some(Request::MakeBranch),
        ("GET", ["collaborators", _, "permission"]) => Some(Request::Permission),
        ("POST", ["issues"]) => Some(Request::OpenIssue),
        ("DELETE", ["git", "refs", "heads", ..]) => Some(Request::DeleteBranch),
        ("GET", _) => Some(Request::Settings),
        _ => None,
    }
}

pub(super) async fn serve(world: &World, kind: Request, path: &str, body: &Value) -> Served {
    let segments = segments(path).unwrap_or_default();
    let about = if kind == Request::MakeBranch { body["sha"].to_string() } else { segments.join("/") };
    world.serve(kind, about, |state| Ok(on(state, kind, path, body))).await
}

/// Applies a request to the data and returns the response.
pub(crate) fn on(state: &mut State, kind: Request, path: &str, body: &Value) -> (u16, Value) {
    if let Some(login) = user_in(path) {
        return account(state, login);
    }
    if let (Request::Unlabel, Some(["issues", issue, "labels", label])) = (kind, segments(path).as_deref()) {
        let issue = issue.parse().expect("the number of an issue");
        state.remove_label(issue, label);
        return (200, json!([]));
    }
    if let (Request::Permission, Some(["collaborators", login, _])) = (kind, segments(path).as_deref()) {
        return permission(state, login);
    }
    match scratch::serve(state, kind, &segments(path).unwrap_or_default(), body) {
        Some(served) => served,
        None => serve_from(state, kind, source_in(state, path), body),
    }
}

/// Returns the comment or issue that a path names.
pub(crate) fn source_in(state: &State, path: &str) -> Option<CommentRef> {
    source(state, &segments(path)?)
}

fn serve_from(state: &mut State, kind: Request, source: Option<CommentRef>, body: &Value) -> (u16, Value) {
    if kind == Request::MakeBranch {
        return make_branch(state, body);
    }
    let Some(source) = source else { return json_message(404, "Not Found") };
    let issue = source.issue.get();
    match kind {
        Request::Exists if source.is_body() => match state.issues.get(&issue) {
            Some(found) if found.is_pull_request => (200, json!({ "number": issue, "pull_request": {} })),
            Some(found) => {
                let labels: Vec<Value> = found.labels.iter().map(|label| json!({ "name": label })).collect();
                let state = if found.closed { "closed" } else { "open" };
                (200, json!({ "number": issue, "title": found.title, "labels": labels, "state": state }))
            }
            None => json_message(410, "This issue was deleted"),
        },
        Request::Exists if state.exists(source) => {
            (200, json!({ "id": source.comment.get(), "issue_url": format!("https://where/issues/{issue}") }))
        }
        Request::Answer => match state.post_comment(issue, text(&body["body"])) {
            Ok(()) => {
                let id = state.next_comment - 1;
                (201, json!({ "id": id, "node_id": graphql::id(state, place(issue, id)) }))
            }
            Err(why) if why == "Not Found" => json_message(404, &why),
            Err(why) if why.starts_with("Body") => {
                (422, json!({ "message": "Validation Failed", "errors": [{ "message": why, "field": "body" }] }))
            }
            Err(why) => json_message(403, &why),
        },
        Request::React => match state.react(source, text(&body["content"])) {
            ClaimOutcome::Ours => (201, json!({ "id": 1 })),
            ClaimOutcome::Taken => (200, json!({ "id": 1 })),
            ClaimOutcome::Gone => json_message(404, "Not Found"),
            ClaimOutcome::Refused(why) => json_message(403, &why),
        },
        Request::Delete if state.exists(source) => {
            state.delete(source);
            (204, Value::Null)
        }
        Request::Label if state.issues.contains_key(&issue) => {
            let labels: Vec<&str> = body["labels"].as_array().into_iter().flatten().map(text).collect();
            let is_ours = |label: &&str| label.starts_with("play-by-commit") || *label == Label::OpenSeat.name();
            assert!(!labels.is_empty() && labels.iter().all(is_ours), "{body}");
            labels.iter().for_each(|label| state.label(issue, label));
            (200, json!(labels.iter().map(|label| json!({ "name": label })).collect::<Vec<_>>()))
        }
        Request::Assign | Request::Unassign if state.issues.contains_key(&issue) => {
            change_assignee(state, issue, kind, text(&body["assignees"][0]))
        }
        Request::Close if state.issues.contains_key(&issue) => {
            change_issue(state, issue, body);
            (200, json!({ "number": issue, "state": body["state"] }))
        }
        _ => json_message(404, "Not Found"),
    }
}

fn change_assignee(state: &mut State, issue: u64, kind: Request, login: &str) -> (u16, Value) {
    if let Some(id) = state.people.get(login).map(|person| person.id) {
        if kind == Request::Assign {
            state.assign(issue, id);
        } else {
            state.unassign(issue, id);
        }
    }
    let people: Vec<Value> = state.issues[&issue].assignees.iter().map(|id| json!({ "id": id })).collect();
    (if kind == Request::Assign { 201 } else { 200 }, json!({ "number": issue, "assignees": people }))
}

/// Opens, closes or renames an issue.
fn change_issue(state: &mut State, issue: u64, body: &Value) {
    if body["state"] == "open" {
        state.reopen(issue);
    } else if let Some(title) = body["title"].as_str() {
        state.set_title(issue, title);
    } else {
        assert_eq!((&body["state"], &body["state_reason"]), (&json!("closed"), &json!("completed")));
        state.close(issue);
    }
}

fn make_branch(state: &mut State, body: &Value) -> (u16, Value) {
    let name = text(&body["ref"]).strip_prefix("refs/heads/").unwrap_or_default().to_owned();
    let at = text(&body["sha"]).to_owned();
    if name.is_empty() || Oid::parse(&at).is_none_or(|at| !state.commits.contains_key(at.as_str())) {
        return json_message(422, "Object does not exist");
    }
    if state.branches.contains_key(&name) {
        return json_message(422, "Reference already exists");
    }
    state.branches.insert(name, at.clone());
    (201, json!({ "object": { "sha": at } }))
}

/// Returns the comment that a path names; `None` if it is gone, as a comment's path doesn't name its issue.
fn source(state: &State, segments: &[&str]) -> Option<CommentRef> {
    match segments {
        ["issues", "comments", id, ..] => {
            let comment = id.parse().ok()?;
            let holds = |issue: &crate::world::Issue| issue.comments.iter().any(|note| note.id == comment);
            let issue = *state.issues.iter().find(|(_, issue)| holds(issue))?.0;
            Some(place(issue, comment))
        }
        ["issues", number, ..] => Some(place(number.parse().ok()?, 0)),
        _ => None,
    }
}

/// Returns the username in a path below `/users`.
fn user_in(path: &str) -> Option<&str> {
    path.strip_prefix("/users/").filter(|login| !login.contains('/'))
}

fn account(state: &State, login: &str) -> (u16, Value) {
    match state.account(login) {
        Account::Person => (200, json!({ "login": login, "id": 1, "type": "User" })),
        Account::Organization => (200, json!({ "login": login, "id": 1, "type": "Organization" })),
        Account::Missing => json_message(404, "Not Found"),
    }
}

fn permission(state: &State, login: &str) -> (u16, Value) {
    if state.hides_permissions {
        return json_message(403, "Resource not accessible by integration");
    }
    let Some(person) = state.people.get(login) else { return json_message(404, "Not Found") };
    let [triage, push] = [Permission::Triage, Permission::Write].map(|needed| person.permission >= needed);
    // GitHub knows only these four words here: `maintain` is `write`, and `triage` is `read`.
    let word = if push { "write" } else { "read" };
    let permissions = json!({ "pull": true, "triage": triage, "push": push, "maintain": false, "admin": false });
    let user = json!({ "login": person.login, "id": person.id, "permissions": permissions });
    (200, json!({ "permission": word, "role_name": word, "user": user }))
}

fn segments(path: &str) -> Option<Vec<&str>> {
    let below = path.strip_prefix(&format!("/repos/{OWNER}/{NAME}/"))?;
    Some(below.split('/').collect())
}
