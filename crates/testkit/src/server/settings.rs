//! The repository's settings, and its settings file. Unless a test sets another response, they are those of a repository that is set up correctly.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use protocol::{Label, SETTINGS_PATH, SettingsFile};
use serde_json::{Value, json};

use super::json::error;
use super::{NAME, OWNER, Served};
use crate::server::graphql;
use crate::world::{Issue, Request, State, World};

pub(super) async fn serve(world: &World, path: &str, settings: &BTreeMap<String, (u16, Value)>) -> Served {
    let path = path.trim_start_matches(&format!("/repos/{OWNER}/{NAME}")).trim_start_matches('/').to_owned();
    let known = settings.get(&path).cloned();
    let about = path.clone();
    world.serve(Request::Settings, about, |state| Ok(known.unwrap_or_else(|| healthy(state, &path)))).await
}

/// Returns the response to a read of this path below the repository.
pub(crate) fn healthy(state: &State, path: &str) -> (u16, Value) {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    match path.split('/').collect::<Vec<_>>().as_slice() {
        [""] => (200, repository(state)),
        ["git", "trees", oid] => tree(state, oid),
        ["rules", "branches", _] => (200, json!([])),
        ["branches", name] => branch(state, name),
        ["actions", "permissions"] => {
            (200, json!({ "enabled": true, "allowed_actions": "all", "sha_pinning_required": false }))
        }
        ["actions", "permissions", "workflow"] => {
            (200, json!({ "default_workflow_permissions": "read", "can_approve_pull_request_reviews": false }))
        }
        ["actions", "workflows"] => {
            let of = |name: &str, path: &str| json!({ "name": name, "path": path, "state": "active" });
            let workflows = [
                of("Play by Commit", ".github/workflows/play.yml"),
                of("Play by Commit, daily", ".github/workflows/daily.yml"),
            ];
            (200, json!({ "total_count": 2, "workflows": workflows }))
        }
        ["actions", "workflows", _, "runs"] => (200, json!({ "total_count": 1, "workflow_runs": [{ "id": 1 }] })),
        ["interaction-limits"] => (200, json!({})),
        ["issues", number, "comments"] => comments(state, number),
        ["contents", file @ ..] => contents(state, &file.join("/"), query.strip_prefix("ref=")),
        ["commits", oid] => commit(state, oid),
        ["labels", "play-by-commit"] if state.labels.contains("play-by-commit") => {
            (200, json!({ "node_id": graphql::label_id(Label::Game), "name": "play-by-commit" }))
        }
        ["issues"] if query.contains("labels=play-by-commit") => (200, issues(state)),
        ["issues"] => (200, newest(state)),
        _ => not_found(),
    }
}

fn repository(state: &State) -> Value {
    json!({
        "id": state.repository_id, "name": NAME, "full_name": format!("{OWNER}/{NAME}"), "private": false, "visibility": "public",
        "default_branch": state.default_branch, "has_issues": true, "archived": false, "disabled": false,
    })
}

fn tree(state: &State, oid: &str) -> (u16, Value) {
    let Some(commit) = state.commits.get(oid) else { return (404, json!({ "message": "Not Found" })) };
    let blob = |(path, text): (&String, &String)| json!({ "path": path, "mode": "100644", "type": "blob", "sha": "0".repeat(40), "size": text.len() });
    let directory = json!({ "path": "state", "mode": "040000", "type": "tree", "sha": "0".repeat(40) });
    let tree: Vec<Value> = commit.files.iter().map(blob).chain([directory]).collect();
    (200, json!({ "sha": oid, "truncated": false, "tree": tree }))
}

fn branch(state: &State, name: &str) -> (u16, Value) {
    let Some(oid) = state.branches.get(name) else { return (404, json!({ "message": "Branch not found" })) };
    let checks = json!({ "enforcement_level": "off", "contexts": [], "checks": [] });
    let protection = json!({ "enabled": false, "required_status_checks": checks });
    (200, json!({ "name": name, "commit": { "sha": oid }, "protected": false, "protection": protection }))
}

fn comments(state: &State, number: &str) -> (u16, Value) {
    let Some(issue) = number.parse().ok().and_then(|number| state.issue(number)) else { return not_found() };
    (200, issue.comments.iter().map(|note| json!({ "id": note.id, "body": note.text })).collect())
}

/// Returns a file of a branch, by default of the default branch.
fn contents(state: &State, path: &str, branch: Option<&str>) -> (u16, Value) {
    let oid = state.branches.get(branch.unwrap_or(&state.default_branch));
    match oid.and_then(|oid| state.commits[oid].files.get(path)) {
        Some(text) => (200, json!({ "path": path, "encoding": "base64", "content": BASE64_STANDARD.encode(text) })),
        None => not_found(),
    }
}

/// Returns a commit of the bot, which GitHub signs.
fn commit(state: &State, oid: &str) -> (u16, Value) {
    if !state.commits.contains_key(oid) {
        return not_found();
    }
    let verification = json!({ "verified": true, "reason": "valid" });
    (200, json!({ "sha": oid, "author": { "login": state.bot }, "commit": { "verification": verification } }))
}

fn not_found() -> (u16, Value) {
    (404, json!({ "message": "Not Found", "status": "404" }))
}

fn newest(state: &State) -> Value {
    let open = state.issues.iter().rev().filter(|(_, issue)| !issue.closed).take(30);
    open.map(|(number, issue)| json!({ "number": number, "title": issue.title })).collect()
}

fn issues(state: &State) -> Value {
    let open =
        |(_, issue): &(&u64, &Arc<Issue>)| !issue.closed && issue.labels.iter().any(|label| label == "play-by-commit");
    let issue = |(number, issue): (&u64, &Arc<Issue>)| json!({ "number": number, "comments": issue.comments.len(), "locked": issue.locked });
    state.issues.iter().filter(open).map(issue).collect()
}

/// Adds the settings file to a repository, and returns the owner's repository `.github`.
pub(super) fn add_settings_file(state: &State, repository: &mut Value, errors: &mut Vec<Value>) -> Value {
    let (mut own, mut shared) = (Value::Null, Value::Null);
    if let Some((is_shared, node)) = state.settings_file().map(|file| settings_file_json(state, &file)) {
        *(if is_shared { &mut shared } else { &mut own }) = node;
    }
    repository["settings"] = own;
    if state.shared_settings.is_none() {
        errors.push(error("NOT_FOUND", &["shared"], "Could not resolve to a Repository with the name 'host/.github'."));
        return Value::Null;
    }
    json!({ "settings": shared })
}

/// Returns whether a settings file is the shared one, and its node.
fn settings_file_json(state: &State, file: &SettingsFile) -> (bool, Value) {
    let text = file.content.text();
    let is_binary = state.unreadable.get(SETTINGS_PATH) == Some(&false);
    let node = json!({
        "__typename": "Blob",
        "oid": file.blob.as_str(),
        "byteSize": text.map_or(0, str::len),
        "isBinary": is_binary,
        "isTruncated": text.is_none() && !is_binary,
        "text": text,
    });
    (file.is_shared, node)
}
