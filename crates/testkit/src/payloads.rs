//! Webhook payloads in GitHub's shape and size.

use serde_json::{Map, Value, json};

const API: &str = "https://api.github.com";
const WEB: &str = "https://github.com";
pub(crate) const REPOSITORY: &str = "octo/games";

/// Returns the payload of `issue_comment`.
pub fn issue_comment(action: &str, issue: Value, comment: Value) -> Value {
    let sender = comment["user"].clone();
    let mut payload = json!({ "action": action, "issue": issue, "comment": comment });
    if action == "edited" {
        payload["changes"] = json!({ "body": { "from": "/move a1" } });
    }
    with_surroundings(payload, sender)
}

/// Returns the payload of `issues`.
pub fn issues(action: &str, issue: Value) -> Value {
    let sender = issue["user"].clone();
    let mut payload = json!({ "action": action, "issue": issue });
    if action == "labeled" {
        payload["label"] = label("play-by-commit");
    }
    with_surroundings(payload, sender)
}

/// Returns the payload of `workflow_dispatch`, with the inputs of its form.
pub fn workflow_dispatch(inputs: Value) -> Value {
    let payload = json!({ "inputs": inputs, "ref": "refs/heads/main", "workflow": ".github/workflows/play.yml" });
    with_surroundings(payload, person("mona", 1009))
}

/// Returns the payload of `schedule`.
pub fn schedule() -> Value {
    json!({ "schedule": "37 4 * * *", "repository": repository(), "workflow": ".github/workflows/daily.yml" })
}

/// Returns an issue.
pub fn issue(number: u64, user: Value, body: Value) -> Value {
    let api = format!("{API}/repos/{REPOSITORY}/issues/{number}");
    let mut issue = json!({
        "url": api,
        "repository_url": format!("{API}/repos/{REPOSITORY}"),
        "labels_url": format!("{api}/labels{{/name}}"),
        "comments_url": format!("{api}/comments"),
        "events_url": format!("{api}/events"),
        "html_url": format!("{WEB}/{REPOSITORY}/issues/{number}"),
        "id": 3_444_500_041_u64,
        "node_id": "I_kwDOCyMxqM7NT3bJ",
        "number": number,
        "title": "A game, anyone? :game_die:",
        "user": user,
        "labels": [label("play-by-commit")],
        "state": "open",
        "locked": false,
        "assignee": null,
        "assignees": [],
        "milestone": null,
        "comments": 3,
        "created_at": "2025-10-09T08:53:20Z",
        "updated_at": "2025-10-09T08:53:21Z",
        "closed_at": null,
        "author_association": "OWNER",
        "active_lock_reason": null,
    });
    let more = json!({
        "sub_issues_summary": { "total": 0, "completed": 0, "percent_completed": 0 },
        "issue_dependencies_summary": { "blocked_by": 0, "total_blocked_by": 0, "blocking": 0, "total_blocking": 0 },
        "type": null,
        "body": body,
        "reactions": reactions(&api),
        "timeline_url": format!("{api}/timeline"),
        "performed_via_github_app": null,
        "state_reason": null,
    });
    merge(&mut issue, more);
    issue
}

/// Returns a pull request as in a payload of `issue_comment`: an issue with one more field.
pub fn pull_request(number: u64, user: Value, body: Value) -> Value {
    let mut issue = issue(number, user, body);
    issue["draft"] = json!(false);
    issue["pull_request"] = json!({
        "url": format!("{API}/repos/{REPOSITORY}/pulls/{number}"),
        "html_url": format!("{WEB}/{REPOSITORY}/pull/{number}"),
        "diff_url": format!("{WEB}/{REPOSITORY}/pull/{number}.diff"),
        "patch_url": format!("{WEB}/{REPOSITORY}/pull/{number}.patch"),
        "merged_at": null,
    });
    issue
}

/// Returns a comment.
pub fn comment(id: u64, user: Value, body: Value) -> Value {
    let api = format!("{API}/repos/{REPOSITORY}/issues/comments/{id}");
    json!({
        "url": api,
        "html_url": format!("{WEB}/{REPOSITORY}/issues/1#issuecomment-{id}"),
        "issue_url": format!("{API}/repos/{REPOSITORY}/issues/1"),
        "id": id,
        "node_id": "IC_kwDOCyMxqM8AAAABKgXyAQ",
        "user": user,
        "created_at": "2025-10-09T08:53:21Z",
        "updated_at": "2025-10-09T08:53:21Z",
        "author_association": "NONE",
        "body": body,
        "reactions": reactions(&api),
        "performed_via_github_app": null,
    })
}

/// Returns a person's account.
pub fn person(login: &str, id: u64) -> Value {
    user(login, id, "User")
}

/// Returns an account of this kind: `User`, `Bot` or `Organization`.
pub fn user(login: &str, id: u64, kind: &str) -> Value {
    let mut user = Map::new();
    let api = format!("{API}/users/{login}");
    user.insert("login".to_owned(), json!(login));
    user.insert("id".to_owned(), json!(id));
    user.insert("node_id".to_owned(), json!("MDQ6VXNlcjIxMDMxMDY3"));
    user.insert("avatar_url".to_owned(), json!(format!("https://avatars.githubusercontent.com/u/{id}?v=4")));
    user.insert("gravatar_id".to_owned(), json!(""));
    user.insert("url".to_owned(), json!(api));
    user.insert("html_url".to_owned(), json!(format!("{WEB}/{login}")));
    for (name, tail) in [
        ("followers", "followers"),
        ("following", "following{/other_user}"),
        ("gists", "gists{/gist_id}"),
        ("starred", "starred{/owner}{/repo}"),
        ("subscriptions", "subscriptions"),
        ("organizations", "orgs"),
        ("repos", "repos"),
        ("events", "events{/privacy}"),
        ("received_events", "received_events"),
    ] {
        user.insert(format!("{name}_url"), json!(format!("{api}/{tail}")));
    }
    user.insert("type".to_owned(), json!(kind));
    user.insert("user_view_type".to_owned(), json!("public"));
    user.insert("site_admin".to_owned(), json!(false));
    Value::Object(user)
}

fn with_surroundings(mut payload: Value, sender: Value) -> Value {
    payload["repository"] = repository();
    payload["organization"] = json!({ "login": "octo", "id": 583_231, "url": format!("{API}/orgs/octo") });
    payload["sender"] = sender;
    payload
}

/// The paths of a repository's URLs below the API, as payloads list them.
const REPOSITORY_PATHS: &str = "\
    forks keys{/key_id} collaborators{/collaborator} teams hooks issues/events{/number} events \
    assignees{/user} branches{/branch} tags git/blobs{/sha} git/tags{/sha} git/refs{/sha} git/trees{/sha} \
    statuses/{sha} languages stargazers contributors subscribers subscription commits{/sha} git/commits{/sha} \
    comments{/number} issues/comments{/number} contents/{+path} compare/{base}...{head} merges \
    {archive_format}{/ref} downloads issues{/number} pulls{/number} milestones{/number} \
    notifications{?since,all,participating} labels{/name} releases{/id} deployments";

/// Returns the repository of every payload.
pub(crate) fn repository() -> Value {
    let api = format!("{API}/repos/{REPOSITORY}");
    let mut repository = json!({
        "id": 186_853_002,
        "node_id": "MDEwOlJlcG9zaXRvcnkxODY4NTMwMDI=",
        "name": "games",
        "full_name": REPOSITORY,
        "private": false,
        "owner": user("octo", 583_231, "Organization"),
        "html_url": format!("{WEB}/{REPOSITORY}"),
        "description": "Games, \"played\" by comment\n",
        "fork": false,
        "url": api,
    });
    for tail in REPOSITORY_PATHS.split_whitespace() {
        let name: String = tail.chars().take_while(|c| c.is_ascii_alphabetic() || *c == '/').collect();
        repository[format!("{}_url", name.trim_end_matches('/').replace('/', "_"))] = json!(format!("{api}/{tail}"));
    }
    merge(
        &mut repository,
        json!({
            "created_at": "2019-05-15T15:19:25Z", "updated_at": "2025-10-09T08:50:00Z", "pushed_at": "2025-10-09T08:52:00Z",
            "git_url": format!("git://github.com/{REPOSITORY}.git"), "clone_url": format!("{WEB}/{REPOSITORY}.git"),
            "homepage": null, "size": 12, "stargazers_count": 4, "watchers_count": 4, "language": null,
            "has_issues": true, "has_projects": true, "has_wiki": false, "has_discussions": false, "forks_count": 0,
            "mirror_url": null, "archived": false, "disabled": false, "open_issues_count": 2,
            "license": { "key": "mit", "name": "MIT License", "spdx_id": "MIT", "url": format!("{API}/licenses/mit") },
            "topics": ["games"], "visibility": "public", "default_branch": "main", "custom_properties": {},
        }),
    );
    repository
}

pub(crate) fn label(name: &str) -> Value {
    json!({
        "id": 8_362_934_389_u64, "node_id": "LA_kwDOCyMxqM8AAAAB8nhFdQ", "name": name, "color": "d73a4a",
        "url": format!("{API}/repos/{REPOSITORY}/labels/{name}"), "default": false, "description": null,
    })
}

fn reactions(api: &str) -> Value {
    json!({
        "url": format!("{api}/reactions"), "total_count": 1, "+1": 0, "-1": 0, "laugh": 0, "hooray": 0, "confused": 0,
        "heart": 1, "rocket": 0, "eyes": 0,
    })
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}
