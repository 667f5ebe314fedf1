//! Renamed, archived and deleted repositories, stale reads, and latency.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::app::{AccountKind, AppServer};

use super::client::send;

#[test]
fn redirects_from_a_former_name() {
    let app = AppServer::start();
    let installation = app.install("octo", AccountKind::Organization, &["games"]);
    let repository = app.repository("octo/games");
    let issue = app.open_issue(repository, "alice", "/new");
    let token = app.token(installation, &Value::Null);
    let get = |path: &str| send("GET", &app.url, path, &token, "");
    app.rename(repository, "boards");
    let moved = get(&format!("/repos/octo/games/issues/{issue}"));
    let place = format!("{}/repositories/{repository}/issues/{issue}", app.url);
    assert_eq!((moved.status, moved.header("location")), (301, Some(place.as_str())));
    let path = format!("/repos/octo/games/issues/{issue}/comments");
    assert_eq!(send("POST", &app.url, &path, &token, "{}").status, 307);
    assert_eq!(get(&format!("/repositories/{repository}/issues/{issue}")).json()["number"], issue);
    assert_eq!(get(&format!("/repos/octo/boards/issues/{issue}")).json()["number"], issue);
    assert_eq!(get(&format!("/repositories/{repository}")).json()["full_name"], "octo/boards");
    // The GraphQL API knows the former name.
    let variables = json!({ "owner": "octo", "name": "games", "issue": issue, "before": "before:9", "comments": 5 });
    let body = json!({ "query": "query Page($owner: String!)", "variables": variables }).to_string();
    let page = send("POST", &app.url, "/graphql", &token, &body).json();
    assert_eq!(page["data"]["viewer"]["login"], "play-by-commit[bot]");

    app.install("mona", AccountKind::User, &[]);
    app.transfer(repository, "mona");
    assert_eq!(get(&format!("/repositories/{repository}")).status, 404);
    let theirs = app.token(app.find_installation("mona").unwrap(), &Value::Null);
    let reply = send("GET", &app.url, "/repos/mona/boards", &theirs, "");
    assert_eq!((reply.status, &reply.json()["id"]), (200, &json!(repository)));
}

#[test]
fn refuses_to_write_to_an_archived_repository() {
    let app = AppServer::start();
    let installation = app.install("octo", AccountKind::Organization, &["games"]);
    let repository = app.repository("octo/games");
    let issue = app.open_issue(repository, "alice", "/new");
    let token = app.token(installation, &Value::Null);
    let post = || {
        let body = json!({ "body": "Hello." }).to_string();
        send("POST", &app.url, &format!("/repos/octo/games/issues/{issue}/comments"), &token, &body).status
    };
    app.archive(repository);
    assert_eq!(post(), 403);
    app.unarchive(repository);
    assert_eq!(post(), 201);
    app.delete_repository(repository);
    assert_eq!(post(), 404);
}

#[test]
fn shows_a_new_comment_late() {
    let app = AppServer::start();
    let installation = app.install("octo", AccountKind::Organization, &["games"]);
    let repository = app.repository("octo/games");
    let issue = app.open_issue(repository, "alice", "/new");
    let token = app.token(installation, &Value::Null);
    app.set_staleness(Duration::from_secs(3));
    let comment = app.comment(repository, issue, "bob", "b2");
    let status = || send("GET", &app.url, &format!("/repos/octo/games/issues/comments/{comment}"), &token, "").status;
    assert_eq!(status(), 404);
    app.advance(Duration::from_secs(4));
    assert_eq!(status(), 200);
}

#[test]
fn a_slow_request_delays_no_other() {
    let app = AppServer::start();
    app.install("octo", AccountKind::Organization, &["games"]);
    let jwt = app.jwt();
    app.set_latency(Duration::from_millis(200));
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| assert_eq!(send("GET", &app.url, "/app", &jwt, "").status, 200));
        }
    });
    let time = begin.elapsed();
    assert!(time >= Duration::from_millis(200) && time < Duration::from_secs(2), "{time:?}");
}

#[test]
fn lists_repositories_and_installations_in_pages() {
    let app = AppServer::start();
    let names: Vec<String> = (0..45).map(|n| format!("games-{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let installation = app.install("octo", AccountKind::Organization, &names);
    let token = app.token(installation, &Value::Null);
    let first = send("GET", &app.url, "/installation/repositories", &token, "");
    assert_eq!(first.json()["repositories"].as_array().unwrap().len(), 30);
    let second = send("GET", &app.url, &first.next().unwrap(), &token, "");
    assert_eq!(second.json()["repositories"].as_array().unwrap().len(), 15);
    assert_eq!(second.next(), None);
    for account in 0..3 {
        app.install(&format!("account-{account}"), AccountKind::User, &[]);
    }
    let page = send("GET", &app.url, "/app/installations?per_page=3", &app.jwt(), "");
    assert_eq!((page.json().as_array().unwrap().len(), page.json()[0]["id"].as_u64()), (3, Some(installation)));
    let last = send("GET", &app.url, &page.next().unwrap(), &app.jwt(), "");
    assert_eq!(last.json()[0]["account"]["login"], "account-2");
}
