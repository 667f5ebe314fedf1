//! JSON web tokens, and the tokens of installations.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use testkit::app::{AccountKind, AppServer, TEST_KEY, sign_jwt};

use super::client::{Reply, send};

fn installed() -> (AppServer, u64) {
    let app = AppServer::start();
    let installation = app.install("octo", AccountKind::Organization, &["games", "chess"]);
    (app, installation)
}

fn get(app: &AppServer, path: &str, token: &str) -> Reply {
    send("GET", &app.url, path, token, "")
}

fn message(reply: &Reply) -> (u16, String) {
    (reply.status, reply.json()["message"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn takes_a_jwt_only_with_a_right_signature_and_right_times() {
    let (app, _) = installed();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let id = json!(app.app_id());
    let ask = |issued: u64, expires: u64, issuer: &Value| {
        let jwt = sign_jwt(TEST_KEY, &json!({ "iat": issued, "exp": expires, "iss": issuer }));
        message(&get(&app, "/app", &jwt))
    };
    assert_eq!(ask(now - 60, now + 300, &id).0, 200);
    assert_eq!(ask(now - 60, now + 300, &json!(app.client_id())).0, 200);
    assert_eq!(ask(now - 60, now + 300, &json!("Iv1.another")), (404, "Integration not found".to_owned()));
    assert!(ask(now - 600, now - 5, &id).1.starts_with("'Expiration time' claim ('exp') must be"));
    assert!(ask(now + 60, now + 300, &id).1.starts_with("'Issued at' claim ('iat')"));
    let late = ask(now - 60, now + 900, &id);
    assert_eq!(late, (401, "'Expiration time' claim ('exp') is too far in the future".to_owned()));
    let right = app.jwt();
    let (signed, signature) = right.rsplit_once('.').unwrap();
    let flipped: String = signature.chars().map(|c| if c == 'A' { 'B' } else { 'A' }).collect();
    let undecodable = (401, "A JSON web token could not be decoded".to_owned());
    for wrong in [format!("{signed}.{flipped}"), "ghs_something".to_owned(), String::new()] {
        assert_eq!(message(&get(&app, "/app", &wrong)), undecodable);
    }
    assert_eq!(get(&app, "/app", &right).json()["slug"], "play-by-commit");
}

#[test]
fn opens_only_the_repositories_of_the_installation() {
    let (app, ours) = installed();
    let theirs = app.install("mona", AccountKind::User, &["games"]);
    let path = format!("/app/installations/{ours}/access_tokens");
    let reply = send("POST", &app.url, &path, &app.jwt(), "");
    assert_eq!((reply.status, reply.json()["permissions"]["issues"].as_str()), (201, Some("write")));
    let token = reply.json()["token"].as_str().unwrap().to_owned();
    assert_eq!(token.len(), 520);
    assert_eq!(get(&app, "/repos/octo/games", &token).json()["full_name"], "octo/games");
    assert_eq!(get(&app, "/repos/mona/games", &token).status, 404);
    let query = "query Files($owner: String!) { repository }";
    let variables = json!({ "owner": "mona", "name": "games", "at": "0" });
    let body = json!({ "query": query, "variables": variables }).to_string();
    let reply = send("POST", &app.url, "/graphql", &token, &body);
    assert_eq!(reply.json()["errors"][0]["type"], "NOT_FOUND");

    let games = app.repository("octo/games");
    let narrowed = app.token(ours, &json!({ "repository_ids": [games] }));
    assert_eq!(get(&app, "/repos/octo/games", &narrowed).status, 200);
    assert_eq!(get(&app, "/repos/octo/chess", &narrowed).status, 404);
    let listed = get(&app, "/installation/repositories", &narrowed).json();
    assert_eq!((&listed["total_count"], &listed["repositories"][0]["id"]), (&json!(1), &json!(games)));
    let foreign = json!({ "repository_ids": [app.repository("mona/games")] }).to_string();
    assert_eq!(send("POST", &app.url, &path, &app.jwt(), &foreign).status, 422);

    app.suspend(theirs);
    let path = format!("/app/installations/{theirs}/access_tokens");
    assert_eq!(send("POST", &app.url, &path, &app.jwt(), "").status, 403);
    app.uninstall(theirs);
    assert_eq!(send("POST", &app.url, &path, &app.jwt(), "").status, 404);
}

#[test]
fn refuses_an_expired_token() {
    let (app, installation) = installed();
    let token = app.token(installation, &Value::Null);
    assert_eq!(get(&app, "/repos/octo/games", &token).status, 200);
    app.advance(Duration::from_secs(3601));
    assert_eq!(message(&get(&app, "/repos/octo/games", &token)), (401, "Bad credentials".to_owned()));
    app.set_token_lifetime(Duration::from_secs(60));
    let token = app.token(installation, &Value::Null);
    assert_eq!(get(&app, "/repos/octo/games", &token).status, 200);
    app.advance(Duration::from_secs(61));
    assert_eq!(get(&app, "/repos/octo/games", &token).status, 401);
}

#[test]
fn refuses_a_write_without_permission() {
    let (app, installation) = installed();
    let repository = app.repository("octo/games");
    let issue = app.open_issue(repository, "alice", "/new");
    let path = format!("/repos/octo/games/issues/{issue}/comments");
    let body = json!({ "body": "Hello." }).to_string();
    let reader = app.token(installation, &json!({ "permissions": { "issues": "read" } }));
    let refused = send("POST", &app.url, &path, &reader, &body);
    assert_eq!(message(&refused), (403, "Resource not accessible by integration".to_owned()));
    let writer = app.token(installation, &json!({ "permissions": { "issues": "write" } }));
    assert_eq!(send("POST", &app.url, &path, &writer, &body).status, 201);
    assert_eq!(app.world(repository).answers(issue), ["Hello."]);
    let event = json!({ "event_type": "played" }).to_string();
    assert_eq!(send("POST", &app.url, "/repos/octo/games/dispatches", &writer, &event).status, 403);
    let all = app.token(installation, &Value::Null);
    assert_eq!(send("POST", &app.url, "/repos/octo/games/dispatches", &all, &event).status, 204);
    assert_eq!(app.dispatches()[0].event_type, "played");
}

#[test]
fn limits_each_installation_alone() {
    let (app, installation) = installed();
    let other = app.install("mona", AccountKind::User, &["games"]);
    app.set_limit(Some(2), Duration::from_secs(3600));
    let token = app.token(installation, &Value::Null);
    let ask = || get(&app, "/repos/octo/games", &token);
    assert_eq!((ask().status, ask().status), (200, 200));
    let refused = ask();
    assert_eq!((refused.status, refused.header("x-ratelimit-remaining")), (403, Some("0")));
    let reset: u64 = refused.header("x-ratelimit-reset").unwrap().parse().unwrap();
    assert!(reset > app.now() / 1000 + 3500);
    let reply = send("POST", &app.url, "/graphql", &token, "{}");
    assert_eq!((reply.status, &reply.json()["errors"][0]["type"]), (200, &json!("RATE_LIMITED")));
    let token = app.token(other, &Value::Null);
    assert_eq!(get(&app, "/repos/mona/games", &token).status, 200);
}
